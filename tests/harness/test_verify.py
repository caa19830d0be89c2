"""The judge end to end on one small program: originals that are no measure, ports of both kinds."""

from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.harness.judge import Judged, Unfit, judge_original
from porter.harness.verdict import (
    CouldNotRun,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    ProgramNotRun,
    ProgramPassed,
    VerifyOptions,
)
from porter.harness.verify import target_of, verify, verify_hip, verify_kernel, verify_triton

ORIGINAL = Path(__file__).parent / "programs" / "scale.cu"
# Time on a busy machine, and no search for smaller cases: test_minimal.py has that.
OPTIONS = VerifyOptions(max_cases=10, check_memory=False, budget_seconds=400.0, shrink_seconds=0.0)

# Launched by hand, without `grid`: it chooses its own from n.
TRITON = """
import torch
import triton
import triton.language as tl


@triton.jit
def _scale(x, y, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(y + i, a * tl.load(x + i, mask=mask), mask=mask)


def scale(x, y, a, n):
    _scale[(triton.cdiv(n, 1024),)](x, y, a, n, BLOCK=1024)
"""


@pytest.fixture(scope="module")
def judged() -> Judged:
    result = judge_original(ORIGINAL, OPTIONS)
    assert isinstance(result, Judged), result
    return result


def _hip(text: str, tmp_path: Path) -> Path:
    port = tmp_path / "port.hip"
    port.write_text(text.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip"))
    return port


def _triton(text: str, tmp_path: Path) -> Path:
    port = tmp_path / "port.py"
    port.write_text(text)
    return port


def test_the_original_is_judged_with_a_reference_and_smaller_grids(judged: Judged) -> None:
    (kernel,) = judged.kernels
    assert (kernel.name, kernel.reason) == ("scale", "")
    kinds = {c.planned.case.kind: c for c in kernel.cases}
    assert {"captured", "normal, full grid", "normal", "argument 3 = 65"} <= set(kinds)
    assert kinds["captured"].planned.case.grid is None
    assert kinds["normal"].planned.case.grid is not None
    assert not kinds["normal"].any_grid
    assert kinds["argument 3 = 65"].any_grid
    out = next(t for t in kinds["normal"].truths if t.buffer == "a1")
    assert out.reference is not None
    assert 0 < out.own_error < 1e-5


def test_a_right_hip_port(judged: Judged, tmp_path: Path) -> None:
    found = verify_hip(ORIGINAL, _hip(ORIGINAL.read_text(), tmp_path), OPTIONS, judged)
    assert found.passed
    assert isinstance(found.program, ProgramPassed)
    verdict = found.of("scale")
    assert isinstance(verdict, Passed)
    assert verdict.comparison.n_mismatch == 0
    assert verdict.evidence[0].details["schedules"] == 3


def test_a_port_whose_host_code_is_wrong_fails_as_a_program(judged: Judged, tmp_path: Path) -> None:
    text = (
        ORIGINAL.read_text()
        .replace("out, 1.5f, n)", "out, 2.5f, n)")
        .replace("return good", "return argc == 1")
    )
    found = verify_hip(ORIGINAL, _hip(text.replace("? 0 : 1;", "? 0 : 0;"), tmp_path), OPTIONS, judged)
    assert isinstance(found.program, ProgramFailed)
    assert found.program.comparison is not None
    assert found.program.comparison.n_mismatch > 0
    assert not found.passed


def test_a_port_that_exits_early_has_launched_nothing(judged: Judged, tmp_path: Path) -> None:
    text = ORIGINAL.read_text().replace("const int n = 6000;", "const int n = 6000; if (argc == 1) return 0;")
    found = verify_hip(ORIGINAL, _hip(text, tmp_path), OPTIONS, judged)
    assert found.of("scale") == CouldNotRun("scale", "the port never launches scale")
    assert isinstance(found.program, ProgramFailed)
    assert "copies 0 times to the host" in found.program.reason


def test_a_port_that_does_not_build_says_where(judged: Judged, tmp_path: Path) -> None:
    port = _hip(ORIGINAL.read_text().replace("out[i] = a", "out[i] = unknown_name"), tmp_path)
    verdict = verify_kernel(ORIGINAL, port, "scale", OPTIONS, judged)
    assert isinstance(verdict, CouldNotRun)
    assert "port.hip:11:" in verdict.reason
    assert "unknown_name" in verdict.reason


def test_a_port_that_never_ends(judged: Judged, tmp_path: Path) -> None:
    text = ORIGINAL.read_text().replace(
        "const int n = 6000;", 'const int n = 6000; while (argc == 1) printf("");'
    )
    found = verify_hip(ORIGINAL, _hip(text, tmp_path), replace(OPTIONS, wall_seconds=1.0), judged)
    assert isinstance(found.program, ProgramFailed)
    assert "time limit" in found.program.reason


def test_hand_made_triton_modules(judged: Judged, tmp_path: Path) -> None:
    """Right, and with the mask one too short: the last element of a full run is shown."""
    right = verify(ORIGINAL, _triton(TRITON, tmp_path), OPTIONS, judged)
    verdict = right.of("scale")
    assert isinstance(verdict, Passed), verdict
    assert verdict.skipped["the launcher chooses its own grid"] > 0
    assert verdict.comparison.cases >= 5
    assert isinstance(right.program, ProgramNotRun)
    short = TRITON.replace("i < n", "i < n - 1").replace("def scale", "def my_scale")
    named = replace(OPTIONS, mapping={"scale": "my_scale"})
    wrong = verify(ORIGINAL, _triton(short, tmp_path), named, judged)
    verdict = wrong.of("scale")
    assert isinstance(verdict, Mismatched)
    assert 5999 in {m.index for m in verdict.comparison.first_mismatches}
    smallest = verdict.comparison.smallest_failing
    assert smallest is not None
    assert smallest.arguments[0] < 6000
    assert smallest.first.index == smallest.arguments[0] - 1


def test_one_case_again(judged: Judged, tmp_path: Path) -> None:
    """The smallest failing case of a report, run alone; one that does not exist is no verdict."""
    short = _triton(TRITON.replace("i < n", "i < n - 1"), tmp_path)
    found = verify(ORIGINAL, short, OPTIONS, judged).of("scale")
    assert isinstance(found, Mismatched)
    smallest = found.comparison.smallest_failing
    assert smallest is not None
    alone = verify(ORIGINAL, short, replace(OPTIONS, case=smallest.case)).of("scale")
    assert isinstance(alone, Mismatched)
    assert alone.comparison.cases == 1
    assert alone.comparison.smallest_failing == smallest
    absent = verify(ORIGINAL, short, replace(OPTIONS, case="argument 9 = 1")).of("scale")
    assert absent == NoVerdict("scale", "it has no case 'argument 9 = 1'")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TRITON.replace("def scale", "def other"), "no function 'scale'"),
        ("def scale(:", "not a Python module"),
        (TRITON.replace("import torch\n", "import torch\nimport os\n"), "imports os"),
    ],
)
def test_triton_modules_that_are_refused_before_they_run(
    judged: Judged, tmp_path: Path, text: str, reason: str
) -> None:
    verdict = verify_triton(ORIGINAL, _triton(text, tmp_path), OPTIONS, judged).of("scale")
    assert isinstance(verdict, CouldNotRun)
    assert reason in verdict.reason


def test_a_mapping_to_a_name_that_is_not_there(judged: Judged, tmp_path: Path) -> None:
    options = replace(OPTIONS, mapping={"scale": "absent"})
    verdict = verify_triton(ORIGINAL, _triton(TRITON, tmp_path), options, judged).of("scale")
    assert isinstance(verdict, CouldNotRun)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("argc == 1;", "argc == 7;"), "the original's own check fails: it ends with exit code 1 (FAIL"),
        (("a * in[i];", "nothing * in[i];"), "the original does not build"),
        (("if (i < n)", "if (i < n + 64)"), "out of bounds"),
        (("const int n = 6000;", "if (argc == 1) return 0; const int n = 6000;"), "launches no kernel"),
        (("scale<<<", 'while (argc == 1) printf(""); scale<<<'), "does not end within the time limit"),
    ],
)
def test_originals_that_are_no_measure(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    original = tmp_path / "original.cu"
    original.write_text(ORIGINAL.read_text().replace(*change))
    result = judge_original(original, replace(OPTIONS, wall_seconds=2.0, max_cases=2))
    assert isinstance(result, Unfit)
    assert reason in result.reason
    found = verify_hip(original, original, OPTIONS, result)
    assert found.original == result.reason
    assert found.of("scale") == NoVerdict("scale", result.reason)
    assert not found.passed


def test_arguments_reach_the_program() -> None:
    result = judge_original(ORIGINAL, replace(OPTIONS, arguments=("extra",), max_cases=2))
    assert isinstance(result, Unfit)
    assert "FAIL extra" in result.reason


def test_an_unknown_kernel(judged: Judged, tmp_path: Path) -> None:
    port = _hip(ORIGINAL.read_text(), tmp_path)
    verdict = verify_kernel(ORIGINAL, port, "absent", OPTIONS, judged)
    assert verdict == NoVerdict("absent", "the original has no launch of a kernel of this name")


def test_files_that_cannot_be_read(judged: Judged, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the port"):
        verify_hip(ORIGINAL, tmp_path / "nothing.hip", OPTIONS, judged)
    with pytest.raises(InputError, match="cannot read the original"):
        verify_hip(tmp_path / "nothing.cu", ORIGINAL, OPTIONS, judged)


def test_the_suffix_tells_the_target() -> None:
    assert target_of(Path("a/port.py")) is Target.TRITON
    assert target_of(Path("a/port.hip")) is Target.HIP
    assert target_of(Path("a/port.cu")) is Target.HIP
