"""The printed module: what a reader sees, and that the script checks itself."""

import subprocess
import sys

import pytest

from porter.core.span import SourceText
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.tile.api import KernelLaunch, Sample, SampleBuffer, TileOptions
from porter.tile.lower import translate_triton
from tests.fixtures.references import FIXTURES
from tests.tile.run_text import translated

SAXPY = """// y <- a x + y
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void run(int n, float a, const float* x, float* y) { saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""

SAXPY_KERNEL = '''
# y <- a x + y
@triton.jit
def saxpy_kernel(n, a, x_ptr, y_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(y_ptr + i, a * x + y, mask=mask)


def saxpy(n, a, x, y, *, grid=None):
    """Runs `saxpy` with a program for up to 4 blocks of 256 threads of the original."""
    if grid is None:
        grid = (triton.cdiv(n, 256),)
    # The blocks do not depend on each other: a program does the work of several.
    blocks = math.gcd(grid[0], 4)
    saxpy_kernel[(grid[0] // blocks, *grid[1:])](n, a, x, y, BLOCK=256 * blocks, num_warps=blocks)
'''

SOFTMAX_KERNEL = """
# out[row, :] = exp(input[row, :] - max) / sum(exp(input[row, :] - max))
@triton.jit
def row_softmax_kernel(input_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tid = tl.arange(0, BLOCK)
    x = input_ptr + pid.to(tl.int64) * cols
    y = out_ptr + pid.to(tl.int64) * cols
    # The largest value of the row keeps every exponent at or below zero.
    local_max = tl.full((BLOCK,), -3.4028234663852886e38, tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tid
        mask = c < cols
        x_c = tl.load(x + c, mask=mask, other=-float("inf"))
        local_max = tl.maximum(local_max, x_c)
"""


def translate(source: SourceText, samples: tuple[Sample, ...] = ()):
    kernels = tuple(
        KernelLaunch(k.kernel, k.launch, (k.launch and k.launch.block_dim) or (256, 1, 1))
        for k in lower_kernels(source, find_launches(source))
        if isinstance(k, Lowered)
    )
    return translate_triton(kernels, TileOptions(samples=samples), source_name="kernel.cu")


def test_saxpy_is_what_an_author_would_write():
    assert SAXPY_KERNEL in translated(SAXPY).text


def test_the_softmax_is_what_an_author_would_write():
    assert SOFTMAX_KERNEL in translate(SourceText.read(FIXTURES / "row_softmax" / "kernel.cu")).text


def test_a_sample_is_checked_when_the_module_is_run(tmp_path):
    def checked(after: float) -> subprocess.CompletedProcess[str]:
        x = SampleBuffer("float32", 3, 1.5)
        y = SampleBuffer("float32", 3, 0.5, ((0, 3.5), (2, after)))
        sample = Sample("saxpy", (1, 1, 1), (256, 1, 1), (3, 2.0, x, y))
        script = tmp_path / f"saxpy_{after}.py"
        script.write_text(translate(SourceText("kernel.cu", SAXPY.encode()), (sample,)).text)
        return subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)

    right, wrong = checked(3.5), checked(3.0)
    assert right.returncode == 0, right.stderr
    assert "saxpy: agrees" in right.stdout
    assert wrong.returncode != 0
    assert "element 2" in wrong.stderr


def test_without_a_sample_the_script_claims_nothing(tmp_path):
    script = tmp_path / "saxpy.py"
    script.write_text(translated(SAXPY).text)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_instantiations_have_their_own_launchers_and_a_common_one():
    source = """template <typename T> __global__ void scale(T* x) { x[threadIdx.x] *= T(3); }
        void run(float* a, int* b) { scale<float><<<1, 64>>>(a); scale<int><<<1, 64>>>(b); }"""
    translation = translated(source)
    assert [k.launcher_name for k in translation.kernels] == ["scale_float", "scale_int"]
    assert "if x.dtype == torch.float32:" in translation.text
    assert "def scale(x, *, grid=None, block=(64, 1, 1)):" in translation.text


GRIDS = """__global__ void sums(float* x, int cols) { x[blockIdx.x * cols + threadIdx.x] += blockIdx.y; }
    int main() {
        float* x; const int rows = 9; const int cols = 64;
        sums<<<GRID, 64>>>(x, cols);
    }"""


@pytest.mark.parametrize(
    ("grid", "default"),
    [
        ("1", "(1,)"),
        ("(cols + 63) / 64", "(triton.cdiv(cols, 64),)"),
        ("dim3((cols + 63) / 64, cols)", "(triton.cdiv(cols, 64), cols)"),
        ("rows", None),
        ("12", None),
        ("dim3((cols + 63) / 64, 2)", None),
        ("dim3(cols, rows)", None),
        ("(rows * 64 + 63) / 64", None),
    ],
)
def test_a_default_grid_is_in_terms_of_the_arguments(grid, default):
    text = translated(GRIDS.replace("GRID", grid)).text
    if default is None:
        assert "def sums(x, cols, *, grid):" in text
        assert "`grid` is the original's, as a tuple." in text
    else:
        assert "def sums(x, cols, *, grid=None):" in text
        assert f"        grid = {default}\n" in text


def test_a_kernel_that_is_declined_does_not_cost_the_others():
    source = """__global__ void bad(long long* x) { x[0] = clock64(); }
        __global__ void good(int* x) { x[threadIdx.x] = 1; }"""
    translation = translated(source)
    assert [k.launcher_name for k in translation.kernels] == ["good"]
    ((kernel, diagnostic),) = translation.declined
    assert (kernel, diagnostic.code, diagnostic.span.line) == ("bad", "TIL052", 1)


def test_nothing_to_translate_gives_no_text():
    translation = translate_triton((), TileOptions(), source_name="kernel.cu")
    assert (translation.text, translation.kernels, translation.declined) == ("", (), ())


def test_names_that_python_reserves_are_changed():
    source = """__global__ void k(const int* in, int* lambda, int def) {
        lambda[threadIdx.x] = in[threadIdx.x] + def; }"""
    text = translated(source).text
    compile(text, "generated", "exec")
    assert "def k(in_, lambda_, def_, *, grid" in text
