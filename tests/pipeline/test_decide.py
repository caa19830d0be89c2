"""What was checked becomes an outcome; nothing is rounded up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import (
    CaseError,
    Comparison,
    Declined,
    Evidence,
    Failed,
    FailingCase,
    Mismatch,
    Partial,
    Ported,
    Producer,
    Target,
)
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.records import BuildFailed
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    ProgramNotRun,
    ProgramPassed,
    ProgramVerdict,
    Verification,
)
from porter.pipeline.build import Builds
from porter.pipeline.decide import Checked, decide
from porter.pipeline.draft import Draft
from porter.pipeline.parameter_names import case_by_position, with_parameter_names

SOURCE = SourceText("k.cu", b"__global__ void k(float* x, float* y) { y[0] = x[0]; }\n")
SIZED = SourceText("k.cu", b"__global__ void k(float* x, float* y, int count) { y[0] = x[count]; }\n")
REASON = Diagnostic("PTX001", Severity.ERROR, "inline PTX", SOURCE.span(0, 4))
SAME = Comparison(9, 100, 0, 1.0, 1e-7, 1e-7)
WRONG = Comparison(9, 100, 1, 50.0, 1.0, 1.0, (Mismatch("a1", 7, 1.0, 2.0, "prime"),))
BUILT = Evidence("built", "gfx950")
SIMULATED = Evidence("simulated", "wave64")
DRAFT = Draft(Target.HIP, Producer.RULES, b"port")
NO_PROGRAM = ProgramNotRun("a module")


def verified(verdict: KernelVerdict, program: ProgramVerdict = NO_PROGRAM) -> Checked:
    return Checked(DRAFT, "k.hip", Builds((BUILT,)), Verification((verdict,), program))


def test_a_passed_comparison_is_ported_with_all_its_evidence() -> None:
    outcome = decide("k", verified(Passed("k", SAME, (SIMULATED,))), ())
    assert isinstance(outcome, Ported)
    assert outcome.evidence == (BUILT, SIMULATED)
    assert outcome.comparison == SAME


def test_evidence_of_program_and_kernel_is_named_once() -> None:
    outcome = decide("k", verified(Passed("k", SAME, (SIMULATED,)), ProgramPassed(SAME, (SIMULATED,))), ())
    assert isinstance(outcome, Ported)
    assert outcome.evidence == (BUILT, SIMULATED)


def test_without_a_toolchain_a_passed_comparison_is_still_a_port() -> None:
    checked = replace(verified(Passed("k", SAME, (SIMULATED,))), builds=Builds(unavailable="zig"))
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Ported)
    assert outcome.evidence == (SIMULATED,)


def test_wrong_numbers_fail_and_keep_the_mismatches() -> None:
    outcome = decide("k", verified(Mismatched("k", "1 of 100", WRONG)), ())
    assert isinstance(outcome, Failed)
    assert outcome.comparison == WRONG
    assert SIMULATED not in outcome.evidence


def test_a_port_that_does_not_run_fails() -> None:
    assert isinstance(decide("k", verified(CouldNotRun("k", "crashed")), ()), Failed)


def test_a_kernel_that_agrees_in_a_program_that_does_not_fails() -> None:
    outcome = decide("k", verified(Passed("k", SAME, (SIMULATED,)), ProgramFailed("exit code 1")), ())
    assert isinstance(outcome, Failed)
    assert "exit code 1" in outcome.reason


def test_a_kernel_that_agrees_is_not_blamed_for_another_that_does_not() -> None:
    verdicts = (Passed("k", SAME, (SIMULATED,)), Mismatched("other", "wrong", WRONG))
    checked = Checked(DRAFT, "k.hip", Builds((BUILT,)), Verification(verdicts, ProgramFailed("exit code 1")))
    assert isinstance(decide("k", checked, ()), Partial)
    assert isinstance(decide("other", checked, ()), Failed)


@pytest.mark.parametrize(
    "checked",
    [
        verified(NoVerdict("k", "never launched")),
        Checked(DRAFT, "k.hip", Builds((BUILT,)), Verification((), NO_PROGRAM, "its own check fails")),
        Checked(DRAFT, "k.hip", Builds(), None, "not checked, as asked"),
        verified(Passed("another", SAME, (SIMULATED,))),
    ],
    ids=["no verdict", "unfit original", "not checked", "another kernel's verdict"],
)
def test_what_was_not_compared_is_never_more_than_partial(checked: Checked) -> None:
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Partial)
    assert outcome.comparison is None
    assert outcome.reason


def test_a_failed_build_fails_with_the_compilers_errors() -> None:
    checked = Checked(DRAFT, "k.hip", Builds(failure=BuildFailed((REASON,))), None)
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Failed)
    assert outcome.findings == (REASON,)


def test_a_build_that_fails_like_the_originals_is_no_failure_of_the_port() -> None:
    builds = Builds(failure=BuildFailed((REASON,)))
    checked = Checked(DRAFT, "k.hip", builds, None, "the original does not build", original_fails_too=True)
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Partial)
    assert "the original does not build" in outcome.reason
    assert outcome.findings == (REASON,)


def test_a_declined_kernel_is_not_saved_by_a_verdict() -> None:
    checked = replace(verified(Passed("k", SAME, (SIMULATED,))), draft=replace(DRAFT, declined={"k": REASON}))
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Declined)
    assert outcome.findings == (REASON,)


def test_a_kernel_is_not_blamed_for_the_declined_one_beside_it() -> None:
    draft = replace(DRAFT, declined={"other": REASON})
    outcome = decide("k", Checked(draft, "k.hip", Builds(failure=BuildFailed((REASON,))), None), ())
    assert isinstance(outcome, Partial)
    assert "other" in outcome.reason


def test_mismatches_are_shown_under_the_parameters_name() -> None:
    outcome = decide("k", verified(Mismatched("k", "1 of 100", WRONG)), ())
    named = with_parameter_names(outcome, read_translation_unit(SOURCE))
    assert isinstance(named, Failed)
    assert named.comparison is not None
    assert named.comparison.first_mismatches[0].buffer == "y"


@pytest.mark.parametrize("buffer", ["g:weights", "transfer 3", "a9"])
def test_what_is_no_parameter_keeps_its_name(buffer: str) -> None:
    wrong = replace(WRONG, first_mismatches=(replace(WRONG.first_mismatches[0], buffer=buffer),))
    named = with_parameter_names(
        decide("k", verified(Mismatched("k", "1", wrong)), ()), read_translation_unit(SOURCE)
    )
    assert isinstance(named, Failed)
    assert named.comparison is not None
    assert named.comparison.first_mismatches[0].buffer == buffer


def test_what_was_not_tried_goes_with_the_verdict() -> None:
    told = ("argument 1 was not raised: buffer a1: its length follows from no integer argument",)
    passed = Passed("k", SAME, (SIMULATED,), {"the port launches another grid": 2}, told)
    unit = read_translation_unit(SOURCE)
    outcome = with_parameter_names(decide("k", verified(passed), ()), unit)
    assert isinstance(outcome, Ported)
    assert outcome.comparison is not None
    assert outcome.comparison.skipped == {"the port launches another grid": 2}
    assert outcome.comparison.not_raised == (
        "y was not raised: buffer y: its length follows from no integer argument",
    )


def test_cases_are_called_after_the_parameters_and_found_again() -> None:
    unit = read_translation_unit(SIZED)
    case = "argument 2 = 33; argument 3 = 5; grid 1,1,1, schedule 1"
    told = "count = 33; argument 3 = 5; grid 1,1,1, schedule 1"
    first = replace(WRONG.first_mismatches[0], case=case)
    smallest = FailingCase(case, 0, (1, 1, 1), (33,), first)
    errors = (CaseError(case, 1, 1, 2.0, 1.0), CaseError("other scalars", 1, 0, 0.0, 0.0))
    wrong = replace(WRONG, first_mismatches=(first,), smallest_failing=smallest, by_case=errors)
    named = with_parameter_names(decide("k", verified(Mismatched("k", "1", wrong)), ()), unit)
    assert isinstance(named, Failed)
    comparison = named.comparison
    assert comparison is not None
    assert comparison.smallest_failing is not None
    assert comparison.first_mismatches[0].case == comparison.smallest_failing.case == told
    assert [error.case for error in comparison.by_case] == [told, "other scalars"]
    assert case_by_position(told, ("k",), unit) == case_by_position(told, (), unit) == case
    assert case_by_position("no_such = 3", ("k",), unit) == "no_such = 3"


def test_a_template_that_nothing_instantiates_is_not_called_built() -> None:
    builds = Builds((BUILT,), absent=frozenset({"k"}))
    checked = replace(verified(NoVerdict("k", "no launch of it is known")), builds=builds)
    outcome = decide("k", checked, ())
    assert isinstance(outcome, Partial)
    assert outcome.evidence == ()
