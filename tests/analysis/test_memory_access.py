"""What neighbouring threads access: strides, lines, alignment, banks; expected values from arithmetic."""

from __future__ import annotations

import pytest

from porter.analysis.access_values import LaunchShape
from porter.analysis.lane_values import Unknown
from porter.analysis.memory_access import (
    BankConflicts,
    Coalescing,
    GlobalAccess,
    KernelAccesses,
    Pattern,
    SharedAccess,
    accesses_of,
)
from porter.hardware.gpu import load_gpu
from tests.cuda.lowering import only_kernel

GLOBAL_NUMBER = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def analysed(
    body: str, *, block: tuple[int, int, int] = (256, 1, 1), gpu: str = "gfx942", head: str = ""
) -> KernelAccesses:
    parameters = "float* x, const float* y, double* d, unsigned char* c, const int* idx, int n, int pitch"
    kernel = only_kernel(f"{head}\n__global__ void k({parameters}) {{ {body} }}")
    return accesses_of(kernel, LaunchShape(block), load_gpu(gpu).memory, 64)


def only_global(body: str, **options: object) -> GlobalAccess:
    (access,) = analysed(body, **options).global_accesses  # type: ignore[arg-type]
    return access


def coalescing(body: str, **options: object) -> Coalescing:
    found = only_global(body, **options).coalescing
    assert isinstance(found, Coalescing), found
    return found


@pytest.mark.parametrize(
    ("body", "pattern", "stride", "efficiency"),
    [
        ("x[i] = 1;", Pattern.CONTIGUOUS, 4, 1.0),
        ("d[i] = 1;", Pattern.CONTIGUOUS, 8, 1.0),
        ("c[i] = 1;", Pattern.CONTIGUOUS, 1, 64 / 128),  # a wavefront uses half a line
        ("x[2 * i] = 1;", Pattern.STRIDED, 8, 1 / 2),
        ("x[i * 32] = 1;", Pattern.STRIDED, 128, 4 / 128),
        ("x[i * pitch] = 1;", Pattern.STRIDED, None, 4 / 128),
        ("x[i / 4] = 1;", Pattern.SCATTERED, None, 64 / 128),  # 16 words of a line and its other half unused
        ("x[n] = 1;", Pattern.UNIFORM, 0, 4 / 128),
        ("x[blockIdx.x] = 1;", Pattern.UNIFORM, 0, 4 / 128),
        ("x[i + 1] = 1;", Pattern.CONTIGUOUS, 4, 256 / 384),  # 256 bytes that start inside a line touch three
        ("for (int k = i; k < n; k += blockDim.x * gridDim.x) x[k] = 1;", Pattern.CONTIGUOUS, 4, 1.0),
        ("for (int k = 0; k < n; ++k) x[k * pitch + i] = 1;", Pattern.CONTIGUOUS, 4, 1.0),
        ("for (int k = 0; k < n; ++k) x[i * 8 + k] = 1;", Pattern.STRIDED, 32, 1 / 8),
        ("float* p = x + i; p[3] = 1;", Pattern.CONTIGUOUS, 4, 256 / 384),
        ("float* p = x + i; for (int k = 0; k < n; ++k, p += 256) *p = 1;", Pattern.CONTIGUOUS, 4, 1.0),
        ("x[min(i, n - 1)] = 1;", Pattern.CONTIGUOUS, 4, 1.0),
    ],
)
def test_pattern(body: str, pattern: Pattern, stride: int | None, efficiency: float) -> None:
    found = coalescing(GLOBAL_NUMBER + body)
    assert found.pattern is pattern
    if stride is not None:
        assert found.stride_bytes == stride
    assert found.efficiency == pytest.approx(efficiency)


def test_members_of_structs_are_strided_by_the_struct() -> None:
    head = "struct P { float a; double b; char c; };"  # 24 bytes: a at 0, b at 8, c at 16
    report = analysed(f"P* p = (P*)x; {GLOBAL_NUMBER} p[i].b = 1; p[i].c = 2;", head=head)
    b, c = report.global_accesses
    assert (b.bytes_per_lane, c.bytes_per_lane) == (8, 1)
    assert isinstance(b.coalescing, Coalescing)
    assert isinstance(c.coalescing, Coalescing)
    assert b.coalescing.stride_bytes == c.coalescing.stride_bytes == 24
    assert b.coalescing.efficiency == pytest.approx(8 / 24)
    assert c.coalescing.efficiency == pytest.approx(1 / 24)


def test_a_tile_row_of_sixteen_floats_is_half_a_line() -> None:
    body = "int col = blockIdx.x * 16 + threadIdx.x; x[(blockIdx.y * 16 + threadIdx.y) * pitch + col] = 1;"
    access = only_global(body, block=(16, 16, 1))
    assert isinstance(access.coalescing, Coalescing)
    assert access.coalescing.efficiency == pytest.approx(0.5)
    assert access.pitch == ("pitch",)


@pytest.mark.parametrize(
    ("body", "alignment"),
    [
        ("x[blockIdx.x * 64 + threadIdx.x] = 1;", 4),
        ("((float4*)x)[blockIdx.x * 64 + threadIdx.x] = make_float4(1, 1, 1, 1);", 16),
        ("x[blockIdx.x * 256] = 1;", 128),
        ("x[blockIdx.x * 2 + 6] = 1;", 8),
    ],
)
def test_alignment_holds_for_any_symbol(body: str, alignment: int) -> None:
    assert only_global(body).alignment_bytes == alignment


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("x[idx[i]] = 1;", "is loaded from memory"),
        ("x[i % pitch] = 1;", "depends on values that are not known"),
        ("int k = i; while (k < n && y[k] > 0) k *= 2; x[k] = 1;", "differently"),
    ],
)
def test_unknown_has_a_reason(body: str, reason: str) -> None:
    store = next(a for a in analysed(GLOBAL_NUMBER + body).global_accesses if a.operation == "store")
    assert isinstance(store.coalescing, Unknown)
    assert reason in store.coalescing.reason


def test_a_guard_on_the_thread_number_leaves_the_others_out() -> None:
    found = coalescing("if (threadIdx.x < 32) x[threadIdx.x] = 1;")
    assert (found.useful_bytes, found.moved_bytes) == (128, 128)
    left = coalescing("if (threadIdx.x >= 32) return; x[threadIdx.x] = 1;")
    assert (left.useful_bytes, left.moved_bytes) == (128, 128)


def test_device_functions_are_followed() -> None:
    head = "__device__ float at(const float* p, int k) { return p[2 * k]; }"
    loads = analysed(f"{GLOBAL_NUMBER} x[i] = at(y, i);", head=head).global_accesses
    load = next(a for a in loads if a.operation == "load")
    assert load.buffer == "y"
    assert isinstance(load.coalescing, Coalescing)
    assert load.coalescing.stride_bytes == 8


# --- banks ---


def conflicts(body: str, gpu: str, block: tuple[int, int, int] = (256, 1, 1)) -> BankConflicts:
    found = only_shared(body, gpu, block).conflicts
    assert isinstance(found, BankConflicts), found
    return found


def only_shared(body: str, gpu: str, block: tuple[int, int, int]) -> SharedAccess:
    (access,) = analysed(body, gpu=gpu, block=block).shared_accesses
    return access


@pytest.mark.parametrize(
    ("body", "on_32_banks", "on_64_banks"),
    [
        ("__shared__ float s[4096]; s[threadIdx.x] = 1;", 1, 1),
        ("__shared__ float s[4096]; s[2 * threadIdx.x] = 1;", 2, 2),
        ("__shared__ float s[8192]; s[32 * threadIdx.x] = 1;", 32, 32),
        ("__shared__ float s[8448]; s[33 * threadIdx.x] = 1;", 1, 1),
        ("__shared__ float s[4096]; s[threadIdx.x / 64] = 1;", 1, 1),  # one word for all: a broadcast
        ("__shared__ double s[512]; s[threadIdx.x] = 1;", 1, 1),
        ("__shared__ double s[4096]; s[16 * threadIdx.x] = 1;", 16, 16),
        ("__shared__ float s[4096]; if (threadIdx.x % 2 == 0) s[threadIdx.x * 2] = 1;", 2, 2),
        ("__shared__ float s[4096]; for (int o = 1; o < 4; o *= 2) s[threadIdx.x * o] = 1;", 2, 2),
    ],
)
def test_bank_conflict_degree(body: str, on_32_banks: int, on_64_banks: int) -> None:
    assert conflicts(body, "gfx942").degree == on_32_banks
    assert conflicts(body, "gfx950").degree == on_64_banks


def test_columns_of_a_tile_by_the_number_of_banks() -> None:
    """64 threads as 2 x 32: on 32 banks a group is one column, on 64 banks two columns of 32."""
    square = "__shared__ float s[32][32]; s[threadIdx.x][threadIdx.y] = 1;"
    padded = "__shared__ float s[32][33]; s[threadIdx.x][threadIdx.y] = 1;"
    assert conflicts(square, "gfx942", (32, 8, 1)).degree == 32
    assert conflicts(square, "gfx950", (32, 8, 1)).degree == 16
    assert conflicts(padded, "gfx942", (32, 8, 1)).degree == 1
    assert conflicts(padded, "gfx950", (32, 8, 1)).degree <= 2


def test_a_shared_index_from_data_is_unknown() -> None:
    access = analysed("__shared__ float s[64]; s[idx[threadIdx.x]] = 1;").shared_accesses[0]
    assert isinstance(access.conflicts, Unknown)


def test_overloads_that_share_a_name_are_not_followed_in_circles() -> None:
    head = (
        "using F = float (*)(float); __device__ float same(float v) { return v; }\n"
        "template <F f> __device__ float apply(float v, bool b) { float r = f(v); return b ? v : r; }\n"
        "template <F f> __device__ float apply(float v) { return apply<f>(v, false); }"
    )
    report = analysed(f"{GLOBAL_NUMBER} x[i] = apply<same>(y[i]);", head=head)
    assert {(a.operation, a.buffer) for a in report.global_accesses} == {("store", "x"), ("load", "y")}
