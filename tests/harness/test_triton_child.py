"""What the judge makes of what a child leaves: records, missing outputs, crashes, garbage."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porter.core.process import Completed
from porter.core.span import SourceText
from porter.harness.capture import Argument, Launch, PointerArgument, StructArgument
from porter.harness.cases import Case
from porter.harness.dtypes import F32, U8
from porter.harness.judge import JudgedKernel
from porter.harness.plan import CaseInputs
from porter.harness.regions import buffers_of
from porter.harness.tensors import Tensor, write_tensors
from porter.harness.tolerance import Truth
from porter.harness.triton_child import (
    CaseRun,
    LauncherCall,
    Unrepresentable,
    _job_argument,
    _read_results,
    in_running_order,
)
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_verify import kernel_verdict, launcher_of
from porter.harness.truths import JudgedCase, Planned
from porter.harness.verdict import CouldNotRun, Mismatched, NoVerdict, Passed, VerifyOptions
from tests.harness.captures import allocation, integer, launch_of, pointer, single

ENDED = Completed((), 0, b"", b"")


def _case(
    name: str = "l0-c00", *, grid: tuple[int, int, int] | None = None, changed: bool = True
) -> JudgedCase:
    launch = launch_of(pointer("float*"), grid=(9, 1, 1))
    buffers = buffers_of(launch, allocation(1, 16))
    planned = Planned(Case(name, 0, "normal", grid=grid), launch, buffers, CaseInputs({}))
    truth = Truth("a0", F32, np.zeros(4, dtype=np.float32), None, 0.0, 0.0)
    return JudgedCase(planned, (truth,), changed, cpu_seconds=0.002)


def _call(name: str = "l0-c00", **options: object) -> LauncherCall:
    return LauncherCall(_case(name, **options), "k", ())  # type: ignore[arg-type]


def _results(directory: Path, lines: str, done: Completed = ENDED) -> CaseRun:
    (directory / "results.jsonl").write_text(lines)
    return _read_results(directory, [_call()], done)["l0-c00"]


STARTED = '{"case": "l0-c00", "status": "started"}\n'
OK = STARTED + '{"case": "l0-c00", "status": "ok", "message": ""}\n'


def test_outputs_are_named_as_the_plan_names_them(tmp_path: Path) -> None:
    values = np.arange(16, dtype=np.uint8)
    write_tensors(tmp_path / "l0-c00.out.safetensors", {"1": Tensor(U8, values)})
    run = _results(tmp_path, OK)
    assert run.status == "ok"
    assert run.outputs["a0"].values.tolist() == values.tolist()


def test_a_claim_without_outputs_is_an_error(tmp_path: Path) -> None:
    assert _results(tmp_path, OK).status == "error"


def test_damaged_outputs_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "l0-c00.out.safetensors").write_bytes(b"\xff" * 9)
    run = _results(tmp_path, OK)
    assert run.status == "error"
    assert "left no output" in run.message


@pytest.mark.parametrize(
    ("done", "status", "message"),
    [
        (Completed((), -11, b"", b""), "crashed", "signal 11"),
        (Completed((), 139, b"", b""), "crashed", "signal 11"),
        (Completed((), 1, b"", b"Traceback\nMemoryError: no\n"), "crashed", "MemoryError: no"),
        (Completed((), -9, b"", b"", timed_out=True), "timeout", "time budget"),
        (Completed((), -9, b"", b"", timed_out=True, starved=True), "starved", "time budget"),
    ],
)
def test_a_case_that_was_started_and_not_ended(
    tmp_path: Path, done: Completed, status: str, message: str
) -> None:
    run = _results(tmp_path, STARTED, done)
    assert run.status == status
    assert message in run.message


def test_the_time_of_earlier_cases_is_not_that_of_the_one_that_did_not_end(tmp_path: Path) -> None:
    started = '{"case": "l0-c00", "status": "started", "cpu_seconds": 31.5}\n'
    done = Completed((), -9, b"", b"", timed_out=True, cpu_seconds=60.0)
    assert _results(tmp_path, started, done).cpu_seconds == 28.5


def test_a_module_that_fails_on_import(tmp_path: Path) -> None:
    run = _results(tmp_path, "", Completed((), 1, b"", b"ImportError: no module named x\n"))
    assert (run.status, run.message) == ("crashed", "ImportError: no module named x")


def test_garbage_in_the_records_is_no_record(tmp_path: Path) -> None:
    garbage = 'garbage\n[1]\n{"case": 3}\n{"status": "ok"}\n'
    assert _results(tmp_path, garbage).status == "crashed"
    assert _results(tmp_path, garbage + '{"case": "", "status": "ended"}\n').status == "skipped"


def test_the_cheapest_cases_come_first_and_some_run_reversed() -> None:
    calls = [_call("big"), _call("small", grid=(2, 1, 1)), _call("one", grid=(1, 1, 1))]
    names = [c.name for c in in_running_order(calls)]
    assert names == ["one", "small", "small-reversed", "big", "big-reversed"]


def test_a_case_for_each_argument_comes_before_more_of_the_same() -> None:
    calls = [_call("a", grid=(1, 1, 1)), _call("b", grid=(1, 1, 1)), _call("c", grid=(1, 1, 1))]
    calls += [_sized("rows", 0, (2, 1, 1)), _sized("cols", 1, (4, 1, 1)), _sized("more", 1, (8, 1, 1))]
    names = [c.name for c in in_running_order(calls) if not c.reverse]
    assert names == ["a", "rows", "cols", "b", "c", "more"]


def _sized(name: str, argument: int, grid: tuple[int, int, int]) -> LauncherCall:
    """A call of a case in which one integer argument has another value."""
    call = _call(name, grid=grid)
    planned = replace(call.judged.planned, case=replace(call.judged.planned.case, scalars={argument: 3}))
    return replace(call, judged=replace(call.judged, planned=planned))


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (integer(7), {"value": 7}),
        (single(0.5), {"value": "0.5"}),
        (single(float("inf")), {"value": "inf"}),
        (pointer("__half*", 1, 8), {"tensor": "1", "offset": 8, "dtype": "float16"}),
        (pointer("void*", 1), {"tensor": "1", "offset": 0, "dtype": "uint8"}),
        (pointer("float*", None), None),
    ],
)
def test_arguments(argument: Argument, expected: object) -> None:
    assert _job_argument(0, argument, _planned(argument), {1: "1"}) == expected


def _planned(argument: Argument) -> Planned:
    launch: Launch = launch_of(argument)
    return Planned(Case("c", 0, "captured"), launch, (), CaseInputs({}))


def test_a_scalar_of_the_case_replaces_the_captured_one() -> None:
    planned = _planned(integer(7))
    changed = Planned(Case("c", 0, "x", scalars={0: 3}), planned.launch, (), planned.inputs)
    assert _job_argument(0, integer(7), changed, {}) == {"value": 3}


@pytest.mark.parametrize(
    "argument", [StructArgument("Params", b"1234", ()), PointerArgument("float**", False, 1, 0)]
)
def test_arguments_without_a_counterpart(argument: Argument) -> None:
    with pytest.raises(Unrepresentable):
        _job_argument(0, argument, _planned(argument), {1: "1"})


class TestVerdict:
    good = CaseRun("ok", "", {"a0": Tensor(F32, np.zeros(4, dtype=np.float32))})
    late = CaseRun("timeout", "does not end within the time budget", {}, cpu_seconds=40.0)
    skipped = CaseRun("skipped", "the time budget is used up", {})

    def _verdict(self, calls: list[LauncherCall], runs: list[CaseRun]) -> object:
        kernel = JudgedKernel("k", tuple(c.judged for c in calls), {"the original crashes": 2})
        named = {call.name: run for call, run in zip(calls, runs, strict=True)}
        return kernel_verdict(kernel, calls, named, VerifyOptions())

    def test_what_was_dropped_and_skipped_is_counted(self) -> None:
        verdict = self._verdict([_call("a"), _call("b")], [self.good, self.skipped])
        assert isinstance(verdict, Passed)
        assert verdict.comparison.cases == 1
        assert verdict.skipped == {"the original crashes": 2, "the time budget is used up": 1}

    def test_without_a_case_for_each_argument_there_is_no_verdict(self) -> None:
        """A port that is right for the captured size alone passes every case but those."""
        calls = [_call("a"), _sized("rows", 0, (2, 1, 1)), _sized("cols", 1, (2, 1, 1))]
        verdict = self._verdict(calls, [self.good, self.good, self.skipped])
        assert isinstance(verdict, NoVerdict)
        assert "before a case with another argument 2 was run" in verdict.reason
        assert isinstance(self._verdict(calls, [self.good] * 3), Passed)
        named = [replace(call, parameters=("rows", "cols")) for call in calls]
        verdict = self._verdict(named, [self.good, self.good, self.skipped])
        assert isinstance(verdict, NoVerdict)
        assert "before a case with another `cols` was run" in verdict.reason

    def test_only_the_largest_case_may_run_out_of_time(self) -> None:
        small = [_call(name, grid=(1, 1, 1)) for name in "abc"]
        verdict = self._verdict([*small, _call("d")], [self.good] * 3 + [self.late])
        assert isinstance(verdict, Passed)
        assert verdict.skipped["the interpreter is too slow for it"] == 1
        verdict = self._verdict([*small, _call("d", grid=(1, 1, 1))], [self.good] * 3 + [self.late])
        assert isinstance(verdict, CouldNotRun)

    def test_a_case_that_may_only_be_slow_has_not_failed(self) -> None:
        slow, starved = replace(self.late, cpu_seconds=10.0), replace(self.late, status="starved")
        for run, words in ((slow, "it may be slow only"), (starved, "the machine is busy")):
            verdict = self._verdict([_call("a"), _call("b")], [self.good, run])
            assert isinstance(verdict, NoVerdict)
            assert words in verdict.reason

    def test_a_case_that_was_starved_hides_no_wrong_number(self) -> None:
        wrong = CaseRun("ok", "", {"a0": Tensor(F32, np.ones(4, dtype=np.float32))})
        starved = replace(self.late, status="starved")
        assert isinstance(self._verdict([_call("a"), _call("b")], [starved, wrong]), Mismatched)

    def test_cases_in_which_nothing_is_written_prove_nothing(self) -> None:
        verdict = self._verdict([_call("a", changed=False)], [self.good])
        assert isinstance(verdict, NoVerdict)


@pytest.mark.parametrize(
    ("template_arguments", "launcher"),
    [
        (("16",), "k_16"),
        (("16u",), "k_16"),
        (("float", "true", "-5ll", "(char)97"), "k_float_1_5_97"),
        (("ns::Pair<float, 2>",), "k_ns_Pair_float_2"),
        (("32",), "k"),
        ((), "k"),
    ],
)
def test_an_instantiation_has_its_own_function(template_arguments: tuple[str, ...], launcher: str) -> None:
    names = ("k", "k_16", "k_float_1_5_97", "k_ns_Pair_float_2", "other")
    text = "".join(f"def {name}(x, *, grid):\n    pass\n" for name in names)
    shape = read_module(SourceText("port.py", text.encode()))
    assert isinstance(shape, ModuleShape)
    launch = replace(launch_of(pointer("float*")), template_arguments=template_arguments)
    assert launcher_of("k", shape, {}, launch) == launcher
    assert launcher_of("k", shape, {"k": "other"}, launch) == "other"
