"""What a block of a kernel does to memory, and when two versions of a kernel do the same."""

from __future__ import annotations

import pytest

from porter.analysis.effects.compare import Differs, difference, reference_of
from porter.analysis.effects.shared_cells import Access, SharedCells, Unordered
from porter.analysis.effects.state import BlockOf
from porter.analysis.effects.terms import Pool
from porter.core.span import SourceText
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, lower_kernels

LINE = BlockOf((64, 1, 1))


def kernel(body: str, parameters: str = "const int* x, int* y, int n") -> Kernel:
    text = f"#include <cuda_runtime.h>\n__global__ void k({parameters}) {{ {body} }}\n"
    (item,) = lower_kernels(SourceText("k.cu", text.encode()))
    assert isinstance(item, Lowered), item
    return item.kernel


def compared(one: str, other: str, launch: BlockOf = LINE) -> Differs | None:
    reference = reference_of(kernel(one), launch)
    return reference if isinstance(reference, Differs) else difference(reference, kernel(other), [launch])


T = "int t = threadIdx.x; "
SHARED = T + "__shared__ int s[64]; s[t] = x[t]; __syncthreads(); "

SAME = [
    ("y[threadIdx.x] = x[0] + x[1] + x[2];", "y[threadIdx.x] = x[2] + (x[0] + x[1]);"),
    (T + "y[t] = x[t] * 2;", T + "y[t] = x[t] + x[t];"),
    (T + "if (t < 32) y[t] = 1; else y[t] = 2;", T + "y[t] = t / 32 + 1;"),
    (T + "if (t < n) y[t] = x[t];", T + "if (t >= n) return; y[t] = x[t];"),
    (SHARED + "y[t] = s[63 - t];", T + "__syncthreads(); y[t] = x[63 - t];"),
    (T + "for (int i = t; i < 256; i += 64) y[i] = 0;", T + "for (int i = 0; i < 4; ++i) y[i * 64 + t] = 0;"),
    (T + "if (t % 2) atomicAdd(y, x[t]);", T + "if (t & 1) atomicAdd(y, x[t]);"),
    (
        T + "if (t < 32) for (int i = t; i < n; i += 32) atomicAdd(&y[i], 1);",
        T + "for (int i = t; i < n; i += 64) atomicAdd(&y[i], 1);",
    ),
    (T + "y[t] = __any_sync(~0u, x[t]) || __any_sync(~0u, x[t]);", T + "y[t] = __any_sync(~0u, x[t]);"),
    (T + "y[t] = __popc(__ballot_sync(~0u, x[t] > 0) & 1);", T + "y[t] = __shfl_sync(~0u, x[t] > 0, 0);"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_effects(one: str, other: str) -> None:
    assert compared(one, other) is None
    assert compared(other, one) is None


DIFFERENT = [
    ("y[threadIdx.x] = x[0] + x[1];", "y[threadIdx.x] = x[0] + x[0];"),
    (T + "y[t] = x[t];", T + "if (t < n) y[t] = x[t];"),
    (T + "y[t] = x[t];", T + "y[t + 1] = x[t];"),
    (T + "y[t] = x[t] - x[t + 1];", T + "y[t] = x[t + 1] - x[t];"),
    (T + "if (t % 32 == 0) atomicAdd(y, 1);", T + "if (t == 0) atomicAdd(y, 1);"),
    (T + "for (int i = t; i < n; i += 64) y[i] = 0;", T + "for (int i = t; i < n; i += 32) y[i] = 0;"),
    (T + "y[t] = __any_sync(~0u, x[t]);", T + "y[t] = __all_sync(~0u, x[t]);"),
    (
        T + "for (int i = t % 32; i < n; i += 32) atomicAdd(&y[i], 1);",
        T + "for (int i = t; i < n; i += 64) atomicAdd(&y[i], 1);",
    ),
    (T + "long long v = x[t] + x[t + 1]; y[t] = v >> 1;", T + "y[t] = (x[t] + (long long)x[t + 1]) >> 1;"),
    (T + "unsigned v = x[t]; y[t] = v + 1 > v;", T + "y[t] = 1;"),
    (
        T + "if (t == 0) y[0] = 1; __syncthreads(); if (t == 1) y[0] = 2;",
        T + "if (t == 1) y[0] = 2; __syncthreads(); if (t == 0) y[0] = 1;",
    ),
    (T + "y[t] = x[t] > 0 ? x[t] : 0;", T + "y[t] = x[t] >= 0 ? x[t] : 1;"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_effects(one: str, other: str) -> None:
    assert compared(one, other) is not None
    assert compared(other, one) is not None


STORED_IN_ANOTHER_ORDER = [
    (  # one thread's two stores to an element, then two threads' in one step
        T + "if (t < 32) for (int k = 0; k < 2; ++k) y[x[t + 32 * k]] = t + 32 * k;",
        T + "y[x[t]] = t;",
    ),
    (
        T + "if (t < 32) { y[t] = 1; y[t + n] = 2; }",
        T + "if (t < 32) y[t] = 1; else y[t - 32 + n] = 2;",
    ),
]


@pytest.mark.parametrize(("one", "other"), STORED_IN_ANOTHER_ORDER)
def test_the_same_stores_by_other_threads(one: str, other: str) -> None:
    found = compared(one, other)
    assert found is not None
    assert "by another lane" in found.reason
    assert compared(one, one) is None


STOPS = [
    (SHARED + "s[t] = s[63 - t]; y[t] = s[t];", "no barrier between"),
    (T + "__shared__ int s[64]; s[t] = x[t]; y[t] = s[63 - t];", "no barrier between"),
    (T + "__shared__ int s[64]; s[t % 32] = t; __syncthreads(); y[t] = s[0];", "different values"),
    (T + "__shared__ int s[32]; s[t] = 1;", "outside `s`"),
    (T + "__shared__ int s[64]; if (t < 9) s[t] = 1; __syncthreads(); y[t] = s[t];", "nobody wrote"),
    (T + "if (x[t] > 0) __syncthreads(); y[t] = 1;", "not all threads"),
    (T + "int v; y[t] = v;", "nobody gave"),
    (T + "if (t < 16) y[t] = __shfl_sync(~0u, x[t], 31);", "a lane that is not there"),
    (T + "if (x[t] > 0) y[t] = __shfl_sync(~0u, x[t], 0);", "not under the same conditions"),
    (T + "y[t] = 1; y[t + 1] = y[t];", "may have stored before"),
    (T + 'if (t == 0) printf("x"); y[t] = 1;', "a call of `printf`"),
    (T + "y[t] = 1 << (t + 1);", "out of its range"),
]


@pytest.mark.parametrize(("body", "why"), STOPS)
def test_what_cannot_be_followed_says_why(body: str, why: str) -> None:
    found = reference_of(kernel(body), LINE)
    assert isinstance(found, Differs), found
    assert why in found.reason
    assert found.span.line == 2


def test_a_function_that_calls_itself_is_no_crash() -> None:
    text = (
        "#include <cuda_runtime.h>\n"
        "__device__ int f(int n) { if (n > 0) return f(n - 1); return 1; }\n"
        "__global__ void k(int* y) { y[threadIdx.x] = f(y[0]); }\n"
    )
    for item in lower_kernels(SourceText("k.cu", text.encode())):
        if isinstance(item, Lowered):
            assert isinstance(reference_of(item.kernel, LINE), Differs)


def test_two_blocks_stand_for_one() -> None:
    wide = kernel("y[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = gridDim.x * 2;", "int* y")
    narrow = kernel("y[(blockIdx.x * blockDim.x + threadIdx.x) / 64] = gridDim.x;", "int* y")
    reference = reference_of(wide, LINE)
    assert not isinstance(reference, Differs)
    assert difference(reference, narrow, [BlockOf(LINE.block, 2, 0), BlockOf(LINE.block, 2, 1)]) is None
    assert difference(reference, narrow, [BlockOf(LINE.block, 2, 0)]) is not None
    assert difference(reference, narrow, [LINE]) is not None


def test_terms_are_what_they_compute() -> None:
    pool = Pool()
    a, b = pool.symbol("a"), pool.symbol("b")
    assert pool.plus(pool.plus(a, b), a, -1) == b
    assert pool.fold("min", "int32", (a, pool.fold("min", "int32", (b, a)))) == pool.fold(
        "min", "int32", (b, a)
    )
    assert pool.fold("+", "float32", (a, a)) != a
    assert pool.fold("*", "float32", (a, pool.number(1.0))) == a
    assert pool.negated(pool.negated(a)) == a


def test_parts_are_a_whole_only_by_the_operator_of_their_loop() -> None:
    pool = Pool()
    for op in ("+", "max", "|"):
        total = pool.total(pool.symbol("loop"), 0, op, "float32")
        parts = [pool.lane_part(total, 4, lane) for lane in range(4)]
        whole = pool.make("all parts", (), (total,))
        assert pool.fold(op, "float32", parts) == whole
        assert pool.fold(op, "float32", parts[:3]) != whole
        for other, type_ in (("min", "float32"), ("*", "float32"), ("&", "float32"), (op, "uint32")):
            assert pool.fold(other, type_, parts) != whole
    sum_ = pool.total(pool.symbol("loop"), 0, "+", "int32")
    lanes = dict.fromkeys([pool.lane_part(sum_, 4, lane) for lane in range(4)], 1)
    assert pool.linear(0, lanes) == pool.make("all parts", (), (sum_,))
    assert pool.fold("+", "float32", [*lanes, *lanes]) != pool.make("all parts", (), (sum_,))
    highest = pool.total(pool.symbol("loop"), 0, "max", "int32")
    lanes = dict.fromkeys([pool.lane_part(highest, 4, lane) for lane in range(4)], 1)
    assert pool.linear(0, lanes) != pool.make("all parts", (), (highest,))


def test_shared_cells_need_an_order() -> None:
    cells, nothing = SharedCells(), frozenset[int]()
    cells.write(("s", 0), 4, [(Access(0, 0, 0), nothing, 7)])
    assert cells.read(("s", 0), 4, Access(0, 0, 0), nothing) == 7
    assert cells.read(("s", 0), 4, Access(5, 0, 1), nothing) == 7  # after a barrier of its warp
    assert cells.read(("s", 0), 4, Access(40, 1, 1), nothing) == 7  # after a barrier of the block
    for access in (Access(5, 0, 0), Access(40, 0, 1)):
        with pytest.raises(Unordered):
            cells.read(("s", 0), 4, access, nothing)
    with pytest.raises(Unordered):
        cells.write(("s", 0), 4, [(Access(41, 1, 1), nothing, 8)])
    with pytest.raises(Unordered):
        cells.read(("s", 2), 4, Access(0, 2, 2), nothing)
