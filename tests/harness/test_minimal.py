"""The minimal failing case of a wrong port, and which thread wrote its first wrong element."""

from pathlib import Path

import numpy as np
import pytest

from porter.core.outcome import FailingCase, LastStore, Mismatch, NeverStored
from porter.harness.capture import Launch, ScalarArgument
from porter.harness.case_text import base_kind, changed, described
from porter.harness.cases import Case
from porter.harness.judge import Judged, judge_original
from porter.harness.plan import CaseInputs
from porter.harness.shrink import Failure, shrink
from porter.harness.truths import Planned, origin_of
from porter.harness.verdict import Mismatched, Passed, VerifyOptions
from porter.harness.verify import verify_hip, verify_triton

ORIGINAL = Path(__file__).parent / "programs" / "scale.cu"
OPTIONS = VerifyOptions(max_cases=4, check_memory=False, schedules=1, shrink_seconds=900.0)
LINE = ORIGINAL.read_text().splitlines().index("        out[i] = a * in[i];") + 1

TRITON = """
import triton
import triton.language as tl


@triton.jit
def _scale(x, y, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    wrong = tl.where(i == 70, 1.0, 0.0)
    tl.store(y + i, a * tl.load(x + i, mask=i < n) + wrong, mask=i < n)


def scale(x, y, a, n, grid, block):
    _scale[grid](x, y, a, n, BLOCK=block[0])
"""


@pytest.fixture(scope="module")
def judged() -> Judged:
    result = judge_original(ORIGINAL, OPTIONS)
    assert isinstance(result, Judged), result
    return result


def _smallest(judged: Judged, tmp_path: Path, old: str, new: str) -> tuple[FailingCase, Path]:
    """Of the original with one change, as a HIP port."""
    text = ORIGINAL.read_text()
    assert old in text
    port = tmp_path / "port.hip"
    text = text.replace(old, new).replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip")
    port.write_text(text)
    verdict = verify_hip(ORIGINAL, port, OPTIONS, judged).of("scale")
    assert isinstance(verdict, Mismatched), verdict
    found = verdict.comparison.smallest_failing
    assert found is not None
    return found, port


def test_off_by_one_is_never_written_in_the_port(judged: Judged, tmp_path: Path) -> None:
    found, port = _smallest(judged, tmp_path, "i < n", "i < n - 1")
    assert (found.grid, found.block, found.arguments) == ((1, 1, 1), (64, 1, 1), (1,))
    assert found.case.endswith("; argument 3 = 1; grid 1,1,1")
    assert (found.first.buffer, found.first.index) == ("a1", 0)
    assert found.by_original == LastStore(1, (0, 0, 0), (0, 0, 0), str(ORIGINAL), LINE)
    assert found.by_port == NeverStored()
    alone = verify_hip(
        ORIGINAL,
        port,
        VerifyOptions(max_cases=4, check_memory=False, schedules=1, case=found.case, shrink_seconds=0.0),
    ).of("scale")
    assert isinstance(alone, Mismatched)
    assert alone.comparison.cases == 1
    assert alone.comparison.smallest_failing is not None
    assert alone.comparison.smallest_failing.first == found.first


def test_a_wrong_value_has_its_thread_on_both_sides(judged: Judged, tmp_path: Path) -> None:
    found, port = _smallest(judged, tmp_path, "a * in[i]", "(i == 70 ? 2.0f : a) * in[i]")
    assert (found.first.buffer, found.first.index) == ("a1", 70)
    assert (found.grid, found.arguments) == ((2, 1, 1), (127,))
    assert found.by_original == LastStore(1, (1, 0, 0), (6, 0, 0), str(ORIGINAL), LINE)
    assert found.by_port == LastStore(1, (1, 0, 0), (6, 0, 0), str(port), LINE)


@pytest.mark.slow
def test_a_triton_program_is_named(judged: Judged, tmp_path: Path) -> None:
    port = tmp_path / "port.py"
    port.write_text(TRITON)
    verdict = verify_triton(ORIGINAL, port, OPTIONS, judged).of("scale")
    assert isinstance(verdict, Mismatched), verdict
    found = verdict.comparison.smallest_failing
    assert found is not None
    assert (found.first.index, found.grid, found.arguments) == (70, (2, 1, 1), (127,))
    assert isinstance(found.by_original, LastStore)
    assert (found.by_original.block, found.by_original.thread) == ((1, 0, 0), (6, 0, 0))
    assert found.by_port == LastStore(1, (1, 0, 0))


def test_no_search_without_time(judged: Judged, tmp_path: Path) -> None:
    port = tmp_path / "port.py"
    port.write_text(TRITON)
    options = VerifyOptions(max_cases=4, check_memory=False, schedules=1, shrink_seconds=0.0)
    verdict = verify_triton(ORIGINAL, port, options, judged).of("scale")
    assert isinstance(verdict, Mismatched), verdict
    found = verdict.comparison.smallest_failing
    assert found is not None
    assert ";" not in found.case
    assert found.by_original is None
    port.write_text(TRITON.replace("i == 70, 1.0", "i == 70, 0.0"))
    assert isinstance(verify_triton(ORIGINAL, port, options, judged).of("scale"), Passed)


def _planned(n: int, grid: tuple[int, int, int], block: tuple[int, int, int]) -> Planned:
    size = ScalarArgument("int", n.to_bytes(4, "little"))
    launch = Launch(0, "k", 1, grid, block, 0, False, False, (size,), (), None)
    return Planned(Case("l0-c00", 0, "captured"), launch, (), CaseInputs({}))


def _shrunk(n: int, blocks: int, *, fails_from: int, needs_blocks: int = 1) -> tuple[Planned, int]:
    """With a port that fails at sizes from `fails_from` on that many blocks or more."""
    rounds = []

    def attempt(cases: object) -> list[Failure]:
        assert isinstance(cases, list)
        rounds.append(len(cases))
        assert len({c.case.name for c in cases}) == len(cases)
        return [
            Failure(c, Mismatch("a1", 0, 1, 2, ""))
            for c in cases
            if int(c.case.scalars.get(0, n)) >= fails_from
            and np.prod(c.case.grid or (blocks,)) >= needs_blocks
        ]

    start = _planned(n, (blocks, 1, 1), (256, 1, 1))
    found = shrink(Failure(start, Mismatch("a1", 0, 1, 2, "")), attempt, deadline=float("inf"))
    return found.planned, len(rounds)


def test_sizes_blocks_and_threads_shrink_as_long_as_it_fails() -> None:
    found, _ = _shrunk(5000, 20, fails_from=1)
    assert (origin_of(found).grid, origin_of(found).arguments, origin_of(found).block) == (
        (1, 1, 1),
        (1,),
        (64, 1, 1),
    )
    found, _ = _shrunk(5000, 20, fails_from=40, needs_blocks=3)
    assert (origin_of(found).grid, origin_of(found).arguments) == ((3, 1, 1), (63,))


def test_what_does_not_fail_smaller_stays() -> None:
    found, rounds = _shrunk(1, 1, fails_from=2)
    assert (found.case.kind, found.case.grid, found.case.block) == ("captured", None, None)
    assert rounds == 1


def test_only_the_buffer_that_was_wrong_counts_and_time_ends_it() -> None:
    start = Failure(_planned(100, (4, 1, 1), (64, 1, 1)), Mismatch("a1", 0, 1, 2, ""))
    other = shrink(
        start, lambda cases: [Failure(c, Mismatch("a2", 0, 1, 2, "")) for c in cases], float("inf")
    )
    assert other == start
    same = shrink(start, lambda cases: [Failure(c, start.first) for c in cases], deadline=0.0)
    assert same == start


def test_a_smaller_case_is_told_and_read_again() -> None:
    origin = Case("l0-c03", 0, "argument 3 = 33", scalars={3: 33}, grid=(4, 1, 1))
    small = Case("l0-c03", 0, "", scalars={3: 5}, grid=(1, 1, 1), block=(64, 1, 1))
    text = described(small, origin).kind
    assert text == "argument 3 = 33; argument 3 = 5; grid 1,1,1; block 64,1,1"
    assert base_kind(text) == "argument 3 = 33"
    again = changed(origin, text)
    assert (again.scalars, again.grid, again.block, again.kind) == ({3: 5}, (1, 1, 1), (64, 1, 1), text)
    assert described(origin, origin) == origin
