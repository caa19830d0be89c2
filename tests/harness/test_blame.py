"""A wrong kernel is blamed, and not the kernels that get its numbers; kernels of one name are told apart."""

from pathlib import Path

import pytest

from porter.harness.judge import Judged, judge_original
from porter.harness.verdict import (
    CouldNotRun,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    Verification,
    VerifyOptions,
)
from porter.harness.verify import verify_hip, verify_triton

ORIGINAL = Path(__file__).parent / "programs" / "chain.cu"
OPTIONS = VerifyOptions(max_cases=8, check_memory=False, schedules=1, shrink_seconds=0.0)


@pytest.fixture(scope="module")
def judged() -> Judged:
    result = judge_original(ORIGINAL, OPTIONS)
    assert isinstance(result, Judged), result
    return result


def _verify(judged: Judged, tmp_path: Path, *change: str) -> Verification:
    text = ORIGINAL.read_text().replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip")
    assert change[0] in text
    port = tmp_path / "port.hip"
    port.write_text(text.replace(*change))
    return verify_hip(ORIGINAL, port, OPTIONS, judged)


def test_only_the_wrong_kernel_is_blamed(judged: Judged, tmp_path: Path) -> None:
    found = _verify(judged, tmp_path, "3.0f * in[i]", "3.5f * in[i]")
    assert {v.kernel: type(v) for v in found.kernels} == {
        "first::scale": Mismatched,
        "second::scale": Passed,
        "shift": Passed,
    }
    assert isinstance(found.program, ProgramFailed)
    assert "launch 0 (scale) is the first that gives other outputs (a1) from equal inputs" in (
        found.program.reason
    )


def test_the_kernel_in_the_middle(judged: Judged, tmp_path: Path) -> None:
    found = _verify(judged, tmp_path, "0.5f * in[i]", "0.25f * in[i]")
    wrong = [v.kernel for v in found.kernels if not isinstance(v, Passed)]
    assert wrong == ["second::scale"]
    assert isinstance(found.program, ProgramFailed)
    assert "launch 1 (scale) is the first" in found.program.reason


def test_wrong_host_code_is_no_kernels_fault(judged: Judged, tmp_path: Path) -> None:
    found = _verify(judged, tmp_path, "0.125f * i", "0.25f * i")
    assert all(isinstance(v, Passed) for v in found.kernels)
    assert isinstance(found.program, ProgramFailed)
    assert "the inputs of launch 0 (scale) already differ" in found.program.reason


def test_rows_and_names(judged: Judged, tmp_path: Path) -> None:
    found = _verify(judged, tmp_path, "3.0f", "3.0f")
    assert found.passed
    assert found.rows("scale") == ("first::scale", "second::scale")
    assert found.rows("shift") == ("shift",)
    assert isinstance(found.of("scale"), Passed)
    assert found.of("absent") == NoVerdict("absent", "the original has no launch of a kernel of this name")


def test_a_triton_module_tells_them_apart_too(judged: Judged, tmp_path: Path) -> None:
    port = tmp_path / "port.py"
    port.write_text(
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        "def kernel(x, y, factor, n, BLOCK: tl.constexpr):\n"
        "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
        "    tl.store(y + i, factor * tl.load(x + i, mask=i < n), mask=i < n)\n\n\n"
        "def first_scale(x, y, n, grid, block):\n    kernel[grid](x, y, 3.0, n, BLOCK=block[0])\n\n\n"
        "def second_scale(x, y, n, grid, block):\n    kernel[grid](x, y, 0.25, n, BLOCK=block[0])\n"
    )
    found = verify_triton(ORIGINAL, port, OPTIONS, judged)
    assert {v.kernel: type(v) for v in found.kernels} == {
        "first::scale": Passed,
        "second::scale": Mismatched,
        "shift": CouldNotRun,
    }
