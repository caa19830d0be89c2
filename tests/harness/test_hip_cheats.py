"""HIP ports that cheat or are subtly wrong, and honest ones: one program with a kernel for each."""

from pathlib import Path

import pytest

from porter.core.cache import cache_directory
from porter.core.sandbox import sandbox_available
from porter.harness.verdict import (
    CouldNotRun,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    Verification,
    VerifyOptions,
)
from porter.harness.verify import verify_hip

PROGRAMS = Path(__file__).parent / "programs"
N = 1000
OPTIONS = VerifyOptions(max_cases=10)

HONEST = (
    "honest",
    "honest_in_another_order",
    "more_accurate_port",
    "any_order",
    "honest_with_its_own_blocks",
)
WRONG = (
    "returns_the_input",
    "skips_the_tail",
    "writes_nothing",
    "constant_output",
    "knows_the_captured_input",
    "off_by_one",
    "hard_coded_scalar",
    "hard_coded_size",
    "a_thousandth_off",
    "changes_its_input",
    "ballot_left_at_32_bits",
    "shuffle_without_width",
    "missing_barrier",
    "any_order_but_drops_one",
    "detects_the_sentinel",
    "wrong_on_nan",
    "lowered_to_half",
    "right_only_in_order",
    "right_up_to_the_captured_size",
)
REFUSED = {
    "writes_past_the_end": "out of bounds",
    "takes_other_arguments": "takes other arguments than the original's",
    "not_in_the_port": "the port never launches not_in_the_port",
}
NO_VERDICT = {
    "racy_original": "depends on the order in which threads run",
    "never_launched": "the original's main() never launches it",
}


@pytest.fixture(scope="module")
def verification(tmp_path_factory: pytest.TempPathFactory) -> Verification:
    reference = tmp_path_factory.mktemp("secret") / "reference.txt"
    reference.write_text("the answer")
    headers = cache_directory("simulator") / "headers"
    defines = (f'REFERENCE="{reference}"', f'CACHE="{headers}"')
    options = VerifyOptions(max_cases=OPTIONS.max_cases, defines=defines, shrink_seconds=0.0)
    return verify_hip(PROGRAMS / "many.cu", PROGRAMS / "many.hip", options)


@pytest.mark.parametrize("name", HONEST)
def test_honest_ports_pass(verification: Verification, name: str) -> None:
    verdict = verification.of(name)
    assert isinstance(verdict, Passed), verdict
    assert verdict.comparison.cases >= 8
    assert [str(e) for e in verdict.evidence] == ["simulated:wave64"]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ports_are_rejected_with_the_elements(verification: Verification, name: str) -> None:
    verdict = verification.of(name)
    assert isinstance(verdict, Mismatched), verdict
    assert verdict.comparison.first_mismatches


@pytest.mark.parametrize("name", REFUSED)
def test_ports_that_do_not_run_right(verification: Verification, name: str) -> None:
    verdict = verification.of(name)
    assert isinstance(verdict, CouldNotRun), verdict
    assert REFUSED[name] in verdict.reason


@pytest.mark.parametrize("name", NO_VERDICT)
def test_kernels_nothing_can_be_said_about(verification: Verification, name: str) -> None:
    verdict = verification.of(name)
    assert isinstance(verdict, NoVerdict), verdict
    assert NO_VERDICT[name] in verdict.reason


@pytest.mark.skipif(not sandbox_available(), reason="this system has no user and mount namespaces")
def test_the_reference_and_the_cache_cannot_be_read(verification: Verification) -> None:
    assert isinstance(verification.of("reads_the_reference"), Mismatched)


def test_the_off_by_one_shows_the_last_element(verification: Verification) -> None:
    verdict = verification.of("off_by_one")
    assert isinstance(verdict, Mismatched)
    first = verdict.comparison.first_mismatches[0]
    assert (first.buffer, first.index, first.case) == ("a1", N - 1, "captured")


def test_what_is_right_up_to_the_captured_size_fails_beyond_it(verification: Verification) -> None:
    verdict = verification.of("right_up_to_the_captured_size")
    assert isinstance(verdict, Mismatched)
    first = verdict.comparison.first_mismatches[0]
    assert (first.buffer, first.index) == ("a1", N)
    assert first.case.startswith("larger argument 3 = ")


def test_the_more_accurate_port_is_closer_to_the_reference_than_the_original(
    verification: Verification,
) -> None:
    verdict = verification.of("more_accurate_port")
    assert isinstance(verdict, Passed)
    assert verdict.comparison.max_ulp > 4
    assert verdict.comparison.worst_vs_reference is not None


def test_a_barrier_shows_in_some_order_of_threads(verification: Verification) -> None:
    verdict = verification.of("missing_barrier")
    assert isinstance(verdict, Mismatched)


def test_the_program_as_a_whole_fails(verification: Verification) -> None:
    assert isinstance(verification.program, ProgramFailed)
    assert not verification.passed
