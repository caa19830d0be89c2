"""`--autotune`: what may be chosen by timing, what is put back, and that every choice computes the same."""

import re

import numpy as np
import pytest
import torch

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_static import check_module
from porter.tile.api import KernelLaunch, TileOptions
from porter.tile.lower import translate_triton
from tests.tile.replay import import_text

SOURCE = """
__global__ void scale(const float* x, float* y, float* total, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { y[i] = a * x[i]; atomicAdd(total, x[i]); }
}
__global__ void sums(const float* x, float* y, int n) {
    __shared__ float part[64];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 64) sum += x[blockIdx.x * n + c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
#define T 16
__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float left[T][T], right[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        left[ty][tx] = row < n && k0 + tx < n ? a[row * n + k0 + tx] : 0.0f;
        right[ty][tx] = k0 + ty < n && col < n ? b[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; ++i) sum += left[ty][i] * right[i][tx];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}
void run(const float* x, float* y, float* t, int n) {
    scale<<<(n + 63) / 64, 64>>>(x, y, t, 2.0f, n);
    sums<<<n, 64>>>(x, y, n);
    product<<<dim3((n + T - 1) / T, (n + T - 1) / T), dim3(T, T)>>>(x, x, y, n);
}
"""


BUFFERS = """
__global__ void dynamic(const float* x, const int* at, float* y, int n) {
    extern __shared__ float part[];
    if (threadIdx.x < n) part[at[threadIdx.x]] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = part[threadIdx.x];
}
__global__ void through_a_cast(const float* x, float* y, int n) {
    float* p = (float*)x;
    if (threadIdx.x < n) p[threadIdx.x] = y[threadIdx.x];
}
__global__ void either(float* x, float* y, const float* z, int n) {
    if (n > 5) x = y;
    x[threadIdx.x] = z[threadIdx.x];
}
__global__ void moved(float* x, float* y, const float* z, int n) {
    x += blockIdx.x * n;
    x[threadIdx.x] = y[threadIdx.x] + z[threadIdx.x];
}
struct Pair { float first; int second; };
__global__ void elements(Pair* x, Pair* y, int n) {
    if (threadIdx.x < n) x[threadIdx.x].first = y[threadIdx.x].second;
}
__global__ void four(const float4* x, float4* y, float* z) {
    y[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x == 3) atomicMax((int*)z, 7);
}
void run(float* x, float* y, float* z, int* at, Pair* pairs, int n, int bytes) {
    dynamic<<<1, 64, bytes>>>(x, at, y, n);
    through_a_cast<<<1, 64>>>(x, y, n);
    either<<<1, 64>>>(x, y, z, n);
    moved<<<n, 64>>>(x, y, z, n);
    elements<<<1, 64>>>(pairs, pairs, n);
    four<<<1, 64>>>((float4*)x, (float4*)y, z);
}
"""


def text_with(options: TileOptions, text: str = SOURCE) -> str:
    source = SourceText("kernel.cu", text.encode())
    lowered = lower_kernels(source, read_translation_unit(source).launches)
    kernels = [item for item in lowered if isinstance(item, Lowered)]
    assert len(kernels) == text.count("__global__")
    launches = tuple(
        KernelLaunch(k.kernel, k.launch, k.launch.block_dim)
        for k in kernels
        if k.launch and k.launch.block_dim
    )
    translation = translate_triton(launches, options, source_name="kernel.cu")
    assert not translation.declined
    return translation.text


@pytest.fixture(scope="module")
def text() -> str:
    return text_with(TileOptions(autotune=True))


def test_what_the_kernel_may_write_is_put_back_and_sizes_are_the_key(text: str) -> None:
    assert 'key=["n"],\n    restore_value=["y_ptr", "total_ptr"],' in text
    assert 'key=["n"],\n    restore_value=["c_ptr"],' in text


def test_a_module_counts_as_a_port_where_nobody_may_ask_for_the_machine(text: str) -> None:
    source = SourceText("port.py", text.encode())
    shape = read_module(source)
    assert isinstance(shape, ModuleShape)
    assert "torch.version.hip" in text
    assert check_module(source, shape, ("scale", "sums", "product"), strict=True) == ()


def test_what_a_kernel_stores_to_is_put_back_whatever_the_types_of_its_parameters_say() -> None:
    text = text_with(TileOptions(autotune=True), BUFFERS)
    found = {
        name: set(re.findall(r"\w+_ptr", restored))
        for restored, name in re.findall(r"restore_value=\[(.*)\],\n\)\n@triton.jit\ndef (\w+)_kernel", text)
    }
    assert found == {
        "dynamic": {"y_ptr"},
        "through_a_cast": {"x_ptr"},
        "either": {"x_ptr", "y_ptr", "z_ptr"},  # of a pointer into one of several, all
        "moved": {"x_ptr"},
        "elements": {"x_ptr"},
        "four": {"y_ptr", "z_ptr"},
    }
    assert "part_scratch_ptr, part_size" in text


def test_warps_are_chosen_for_all_lanes_for_rows_stages_for_products(text: str) -> None:
    assert "triton.Config({**occupancy}, num_warps=warps)\n" in text
    assert 'triton.Config({"BLOCK": lanes, **occupancy}, num_warps=warps)\n' in text
    assert "triton.Config({**occupancy}, num_warps=warps, num_stages=stages)\n" in text
    launchers = text[text.index("def scale(") :]
    assert "num_warps=" not in launchers.split("@triton")[0]
    assert "BLOCK=lanes" not in text


def test_nothing_is_tuned_without_the_option() -> None:
    assert "autotune" not in text_with(TileOptions())


def test_products_are_in_full_precision_unless_allowed() -> None:
    assert 'input_precision="ieee"' in text_with(TileOptions())
    assert 'input_precision="tf32"' in text_with(TileOptions(allow_tf32=True))


@pytest.mark.parametrize("choice", range(6))
def test_every_configuration_computes_the_same(text, choice, tmp_path, monkeypatch) -> None:
    def run(tuner, *args, **options):
        chosen = tuner.configs[choice % len(tuner.configs)]
        return tuner.fn.run(*args, **{**options, **chosen.all_kwargs()})

    module = import_text(text, tmp_path / "tuned.py")
    monkeypatch.setattr("triton.runtime.autotuner.Autotuner.run", run)
    n = 70
    x = torch.from_numpy((np.arange(n * n) % 13 - 6).astype(np.float32))
    y, total, sums, product = (torch.zeros(k, dtype=torch.float32) for k in (n, 1, n, n * n))
    module.scale(x, y, total, 3.0, n)
    module.sums(x, sums, n, grid=(n,))
    module.product(x, x, product, n)
    square = x.reshape(n, n)
    assert torch.equal(y, 3 * x[:n])
    assert total.item() == x[:n].sum().item()
    assert torch.equal(sums, square.sum(1))
    assert torch.equal(product.reshape(n, n), square @ square)
