"""Kernels without a host program: what a porter.toml may say, and a verdict that rests on one."""

from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.harness.judge import Judged, Unfit, judge_original
from porter.harness.launch_config import GivenConfig, checked_config
from porter.harness.synthesise import has_main, program_text, read_config
from porter.harness.verdict import Mismatched, Passed, VerifyOptions
from porter.harness.verify import verify_triton
from porter.simulator.options import Face

KERNEL = """
namespace blas {
template <class T>
__global__ void gather(const T* x, const int* index, T* y, T a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[index[i]];
}
}
"""
CONFIG = """
[kernel."blas::gather"]
grid = [3]
block = [128, 1]
template = "float"
args = [
  { type = "float", count = 50 },
  { type = "int", count = 300, fill = { low = 0, high = 49 } },
  { type = "float", count = 300, fill = "zeros" },
  2.5,
  300,
]
"""
TWO_KERNELS = """
__global__ void twice(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }
__global__ void next(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] += 1; }
"""
TWO_SECTIONS = """
[kernel.twice]
grid = 1
block = 64
args = [{ type = "float", count = 50 }, "int(50)"]
[kernel.next]
grid = 1
block = 64
args = [{ type = "flot", count = 50 }, 50]
[kernel.missing]
grid = 1
block = 64
args = []
"""
PORT = """
import triton
import triton.language as tl


@triton.jit
def kernel(x, index, y, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(y + i, a * tl.load(x + at, mask=i < n), mask=i < n)


def gather(x, index, y, a, n, grid, block):
    kernel[grid](x, index, y, a, n, BLOCK=block[0])
"""


def _write(folder: Path, **files: str) -> tuple[Path, ...]:
    paths = []
    for name, text in files.items():
        path = folder / name.replace("_", ".")
        path.write_text(text)
        paths.append(path)
    return tuple(paths)


def test_the_program_says_what_the_file_says(tmp_path: Path) -> None:
    kernel, config = _write(tmp_path, kernel_cu=KERNEL, porter_toml=CONFIG)
    calls = read_config(config)
    assert [(c.name, c.grid, c.block) for c in calls] == [("blas::gather", (3, 1, 1), (128, 1, 1))]
    text = program_text(kernel, calls, Face.HIP)
    assert '#include "kernel.cu"' in text
    launch = (
        "blas::gather<float><<<dim3(3, 1, 1), dim3(128, 1, 1), 0>>>(device0, device1, device2, 2.5, 300);"
    )
    assert launch in text
    assert "hipMemcpy(host2.data(), device2, sizeof(float) * count2, hipMemcpyDeviceToHost);" in text
    assert "const long count2 = porter_count(2, 300);" in text
    assert "cudaM" not in text
    assert not has_main(kernel)
    assert not has_main(tmp_path / "absent")
    kernel.write_text(KERNEL + "int main() { return 0; }")
    assert has_main(kernel)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid = ", "Invalid value"),
        ("", r"no \[kernel.NAME\] table"),
        ("[kernel.k]\ngrid = 1\nblock = 1", "kernel.k: args is missing"),
        ("[kernel.k]\ngrid = 0\nblock = 1\nargs = []", "grid is one to three positive"),
        ("[kernel.k]\ngrid = 1\nblock = [1, 1, 1, 1]\nargs = []", "block is one to three positive"),
        ("[kernel.k]\ngrid = 1\nblock = 1\nargs = [{ type = 'float' }]", r"args\[0\]: a number"),
        (
            "[kernel.k]\ngrid = 1\nblock = 1\nargs = [{ type = 'float', count = 2, fill = 'ones' }]",
            "fill is normal",
        ),
        ('[kernel."k(); system"]\ngrid = 1\nblock = 1\nargs = []', "named after a kernel"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    (config,) = _write(tmp_path, porter_toml=text)
    with pytest.raises(InputError, match=message):
        read_config(config)


def test_a_port_is_verified_without_a_host_program(tmp_path: Path) -> None:
    kernel, config, port = _write(tmp_path, kernel_cu=KERNEL, porter_toml=CONFIG, port_py=PORT)
    options = VerifyOptions(max_cases=8, check_memory=False, schedules=1, config=config, shrink_seconds=0)
    judged = judge_original(kernel, options)
    assert isinstance(judged, Judged), judged
    (gather,) = judged.kernels
    assert gather.not_raised
    assert all("the original is not run with memory checks" in told for told in gather.not_raised)
    verdict = verify_triton(kernel, port, options, judged).of("gather")
    assert isinstance(verdict, Passed), verdict
    port.write_text(PORT.replace("a * tl.load(x + at, mask=i < n)", "a * tl.load(x + at, mask=i < n - 1)"))
    verdict = verify_triton(kernel, port, options, judged).of("gather")
    assert isinstance(verdict, Mismatched), verdict


def test_without_one_the_reason_says_what_is_missing(tmp_path: Path) -> None:
    (kernel,) = _write(tmp_path, kernel_cu=KERNEL)
    result = judge_original(kernel, VerifyOptions(check_memory=False))
    assert isinstance(result, Unfit)
    assert "has no main(), and no porter.toml says how to launch its kernels" in result.reason


def test_several_launches_sorted_numbers_and_vectors(tmp_path: Path) -> None:
    table = """
[[kernel.k]]
grid = 1
block = 32
args = [{ type = "int", count = 9, fill = { low = 0, high = 5, sorted = true } }, 1]

[[kernel.k]]
grid = 2
block = 32
args = [{ type = "float", count = 16, as = "float4" }, 2]
"""
    kernel, config = _write(tmp_path, kernel_cu="", porter_toml=table)
    first, second = read_config(config)
    assert (first.grid, second.grid) == ((1, 1, 1), (2, 1, 1))
    text = program_text(kernel, (first, second), Face.CUDA)
    assert text.count("std::sort(host0.begin(), host0.end());") == 1
    assert "k<<<dim3(2, 1, 1), dim3(32, 1, 1), 0>>>((float4 *)device0, 2);" in text


def test_launches_that_do_not_compile_are_left_out_at_their_names(tmp_path: Path) -> None:
    source, config = tmp_path / "two.cu", tmp_path / "porter.toml"
    source.write_text(TWO_KERNELS)
    config.write_text(TWO_SECTIONS)
    given = checked_config(source, config, VerifyOptions())
    assert given.path is not None
    assert [call.name for call in read_config(given.path)] == ["twice"]
    assert read_config(given.path)[0] == read_config(config)[0]
    places = {name: (place.line, place.column) for name, (place, _) in given.refused.items()}
    assert places == {"next": (6, 9), "missing": (10, 9)}
    assert given.refused["next"][1].startswith("do not compile: ")
    assert "flot" in given.refused["next"][1]
    assert not any(str(tmp_path) in said or "/" in said for _, said in given.refused.values())


def test_launches_that_leave_their_arrays_are_left_out_with_the_argument(tmp_path: Path) -> None:
    source, config = tmp_path / "two.cu", tmp_path / "porter.toml"
    source.write_text(TWO_KERNELS)
    sections = TWO_SECTIONS[: TWO_SECTIONS.index("[kernel.missing]")]
    config.write_text(sections.replace('"flot", count = 50', '"float", count = 49'))
    given = checked_config(source, config, VerifyOptions())
    assert given.path is not None
    assert [call.name for call in read_config(given.path)] == ["twice"]
    ((name, (_, said)),) = given.refused.items()
    assert name == "next"
    assert said.startswith("fail: ")
    assert "two.cu:3: 4-byte read: out of bounds: " in said
    assert said.endswith("byte 196 of allocation 1, which has 196 bytes (args[0])")


def test_a_config_that_compiles_is_taken_as_it_is(tmp_path: Path) -> None:
    source, config = tmp_path / "two.cu", tmp_path / "porter.toml"
    source.write_text(TWO_KERNELS)
    config.write_text(TWO_SECTIONS[: TWO_SECTIONS.index("[kernel.next]")])
    assert checked_config(source, config, VerifyOptions()) == GivenConfig(config)
