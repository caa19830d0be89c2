"""Time limits of verification: what hangs has failed, what is slow or was starved is not verified."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from porter.harness import hip_replay
from porter.harness.judge import Judged, judge_original
from porter.harness.out_of_time import Hangs, NotShown, out_of_time
from porter.harness.verdict import CouldNotRun, NoVerdict, Passed, ProgramFailed, VerifyOptions
from porter.harness.verify import verify_hip, verify_triton

ORIGINAL = Path(__file__).parent / "programs" / "scale.cu"
OPTIONS = VerifyOptions(
    max_cases=4, schedules=1, check_memory=False, budget_seconds=400.0, shrink_seconds=0.0
)
STATEMENT = "out[i] = a * in[i];"


@pytest.mark.parametrize(
    ("used", "original", "starved", "shown", "words"),
    [
        (4.0, 0.5, False, Hangs, "stopped after 4.0 s of processor time, the original takes 0.500 s"),
        (4.0, 0.51, False, NotShown, "it may be slow only"),
        (4.0, 0.0, False, Hangs, "the original takes 0.000 s"),
        (4.0, None, False, NotShown, "not known how long the original takes"),
        (None, 0.1, False, NotShown, "not known how long the original takes"),
        (3.9, 0.001, True, NotShown, "of which it had 3.9 s of a processor"),
        (None, 0.001, True, NotShown, "run it again on an idle machine"),
    ],
)
def test_only_processor_time_beyond_the_originals_shows_that_a_port_hangs(
    used: float | None, original: float | None, starved: bool, shown: type, words: str
) -> None:
    over = out_of_time(used, original, 8.0, starved=starved)
    assert isinstance(over, shown)
    assert over.reason.startswith("does not end within the time limit")
    assert words in over.reason


@pytest.fixture(scope="module")
def judged() -> Judged:
    result = judge_original(ORIGINAL, OPTIONS)
    assert isinstance(result, Judged), result
    return result


def _hip(tmp_path: Path, statement: str = STATEMENT) -> Path:
    port = tmp_path / "port.hip"
    text = ORIGINAL.read_text()
    assert STATEMENT in text
    text = text.replace(STATEMENT, statement)
    port.write_text(text.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip"))
    return port


# It is right for the captured size, and never ends for others.
ENDLESS = f"while (n != 6000) __threadfence(); {STATEMENT}"


def test_a_kernel_that_loops_forever_has_failed_and_both_times_are_told(
    judged: Judged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hip_replay, "HOSTILE_CASE_SECONDS", 1)
    verdict = verify_hip(ORIGINAL, _hip(tmp_path, ENDLESS), OPTIONS, judged).of("scale")
    if isinstance(verdict, NoVerdict):  # a machine that is too busy to show it
        assert "run it again on an idle machine" in verdict.reason
        return
    assert isinstance(verdict, CouldNotRun)
    assert "of processor time, the original takes 0.0" in verdict.reason


def test_a_kernel_that_has_not_had_its_processor_time_is_not_called_wrong(
    judged: Judged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that sleeps stands for one on a busy machine; it is stopped all the same."""
    monkeypatch.setattr(hip_replay, "HOSTILE_CASE_SECONDS", 1)
    port = _hip(tmp_path, f"if (n == 6000 || i) {STATEMENT} else sleep(60);")
    port.write_text('extern "C" unsigned sleep(unsigned);\n' + port.read_text())
    verdict = verify_hip(ORIGINAL, port, OPTIONS, judged).of("scale")
    assert isinstance(verdict, NoVerdict), verdict
    assert "it waits for something, or the machine is busy" in verdict.reason


def test_a_slow_original_makes_no_port_wrong(judged: Judged, tmp_path: Path) -> None:
    """What the original takes decides whether a port that was stopped is wrong."""
    slow = replace(
        judged,
        kernels=tuple(
            replace(k, cases=tuple(replace(c, cpu_seconds=20.0) for c in k.cases)) for k in judged.kernels
        ),
    )
    # Cases get at most 60 s of processor time; the whole run ends before that.
    options = replace(OPTIONS, wall_seconds=2.0)
    verdict = verify_hip(ORIGINAL, _hip(tmp_path, ENDLESS), options, slow).of("scale")
    assert isinstance(verdict, NoVerdict)
    assert "was not run: the time of the whole run was up" in verdict.reason


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    """Other programs that use every processor."""
    with ExitStack() as stack:
        for _ in range(loops):
            child = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(child.kill)
        yield


TRITON = """
import triton
import triton.language as tl


@triton.jit
def scale(x, y, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, a * tl.load(x + i, mask=i < n), mask=i < n)
"""


@pytest.mark.slow
@pytest.mark.parametrize("wall_seconds", [0.2, 20.0])
def test_a_right_port_on_a_busy_machine_has_never_failed(
    judged: Judged, tmp_path: Path, wall_seconds: float
) -> None:
    options = replace(OPTIONS, wall_seconds=wall_seconds, check_memory=True)
    module = tmp_path / "port.py"
    module.write_text(TRITON)
    with _busy(4 * (os.cpu_count() or 1)):
        found = verify_hip(ORIGINAL, _hip(tmp_path), options, judged)
        triton = verify_triton(ORIGINAL, module, replace(options, budget_seconds=2.0), judged)
    for verdict in (found.of("scale"), triton.of("scale")):
        assert isinstance(verdict, Passed | NoVerdict), verdict
        if isinstance(verdict, NoVerdict):
            assert "time" in verdict.reason
    assert not isinstance(found.program, ProgramFailed), found.program
