import json
import math
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from porter.core.asked import Asked, AskedFor, AskedOnce, ModelCost
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import ExitCode
from porter.core.outcome import (
    Comparison,
    Declined,
    Evidence,
    Failed,
    FailingCase,
    LastStore,
    Mismatch,
    NeverStored,
    Outcome,
    Partial,
    Ported,
    Producer,
    Target,
)
from porter.core.result import Prediction, Report, UnitResult
from porter.core.span import Span
from porter.report.json_report import format_json

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())
FINDING = Diagnostic("WAV001", Severity.ERROR, "mask is 32-bit", Span("k.cu", 5, 9, 2, 3), "use 64 bits")
GOOD = Comparison(cases=4, n_elements=100, n_mismatch=0, max_ulp=1.0, max_abs=1e-7, max_rel=1e-7, seed=3)
BAD = Comparison(4, 100, 1, math.inf, math.nan, 1.0, (Mismatch("y", 7, 1.0, math.nan, "nan"),))
PORTED = Ported(
    "k", Producer.RULES, "k.hip", (Evidence("built", "gfx950", {"clang": "22"}, {"vgpr": 8}),), GOOD
)
OUTCOMES: list[Outcome] = [
    PORTED,
    Partial("k", Producer.COMPILER, "k.py", (), None, "not run"),
    Declined("k", "inline PTX", (FINDING,)),
    Failed("k", Producer.AGENT, "k.hip", "wrong numbers", comparison=BAD),
]


def report(*outcomes: Outcome, findings: tuple[Diagnostic, ...] = ()) -> Report:
    units = tuple(UnitResult("k.cu", o, Prediction("MI350X", 3.5, "memory")) for o in outcomes)
    return Report(Target.HIP, "gfx950", units, findings)


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: type(o).__name__)
def test_every_outcome_fits_the_schema(outcome: Outcome) -> None:
    document = json.loads(format_json(report(outcome)))
    jsonschema.validate(document, SCHEMA)
    assert document["units"][0]["outcome"] == type(outcome).__name__.lower()


def test_numbers_json_cannot_say_become_strings() -> None:
    comparison = json.loads(format_json(report(OUTCOMES[3])))["units"][0]["comparison"]
    assert comparison["max_ulp"] == "Infinity"
    assert comparison["max_abs"] == "NaN"
    assert comparison["first_mismatches"][0]["actual"] == "NaN"


def test_the_smallest_case_says_who_wrote_its_element() -> None:
    first = Mismatch("y", 70, 1.5, 2.5, "normal; grid 2,1,1")
    smallest = FailingCase("normal; grid 2,1,1", 0, (2, 1, 1), (127,), first, (64, 1, 1))
    writer = LastStore(2, (1, 0, 0), (6, 0, 0), "k.cu", 12)
    found = []
    for port in (NeverStored(), LastStore(1, (1, 0, 0)), None):
        case = replace(smallest, by_original=writer, by_port=port)
        comparison = replace(BAD, smallest_failing=case)
        failed = Failed("k", Producer.HAND, "k.hip", "wrong numbers", comparison=comparison)
        document = json.loads(format_json(report(failed)))
        jsonschema.validate(document, SCHEMA)
        found.append(document["units"][0]["comparison"]["smallest_failing"])
    assert found[0]["block"] == [64, 1, 1]
    assert found[0]["written_by_original"] == {
        "stores": 2,
        "block": [1, 0, 0],
        "thread": [6, 0, 0],
        "file": "k.cu",
        "line": 12,
    }
    assert found[0]["written_by_port"]["stores"] == 0
    assert (found[1]["written_by_port"]["block"], found[1]["written_by_port"]["thread"]) == ([1, 0, 0], None)
    assert found[2]["written_by_port"] is None


def test_the_schema_rejects_a_renamed_field() -> None:
    document = json.loads(format_json(report(PORTED)))
    document["units"][0]["verdict"] = document["units"][0].pop("outcome")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


@pytest.mark.parametrize("outcome", OUTCOMES[1:], ids=lambda o: type(o).__name__)
def test_anything_but_ported_is_exit_code_1(outcome: Outcome) -> None:
    assert report(PORTED, outcome).exit_code is ExitCode.FINDINGS


def test_all_ported_is_exit_code_0() -> None:
    assert report(PORTED, PORTED).exit_code is ExitCode.OK


def test_an_error_outside_every_kernel_is_exit_code_1() -> None:
    assert report(PORTED, findings=(FINDING,)).exit_code is ExitCode.FINDINGS


def test_no_kernel_at_all_is_exit_code_1() -> None:
    assert report().exit_code is ExitCode.FINDINGS


def test_what_a_model_cost_is_added_up() -> None:
    """A price that is not known makes the sum unknown; what is known stays with its conversation."""
    known = AskedOnce("port", "m", 0, False, "no candidate", None, ModelCost(2, 100, 10, 5, 1, 0.5), "a.json")
    unknown = replace(known, task="tune", accepted=True, busy_us=1.5, cost=ModelCost(1, 10, 1, 0, 0, None))
    both = AskedFor(("k", "l"), (known, unknown), Producer.AGENT, "verified")
    nothing = AskedFor(("m",), (), None, "not asked")
    document = json.loads(format_json(replace(report(PORTED), asked=Asked("race", (both, nothing)))))
    jsonschema.validate(document, SCHEMA)
    assert document["agent"]["cost"] == {
        "requests": 3,
        "input_tokens": 110,
        "output_tokens": 11,
        "cache_read_tokens": 5,
        "cache_write_tokens": 1,
        "usd": None,
    }
    first, second = document["agent"]["work"]
    assert [c["cost"]["usd"] for c in first["conversations"]] == [0.5, None]
    assert (second["taken"], second["cost"]["requests"], second["cost"]["usd"]) == (None, 0, 0.0)
    jsonschema.validate(json.loads(format_json(report(PORTED))), SCHEMA)
