"""The machine-readable report, format `porter-report-1`.

The schema is `docs/report.schema.json`. It is stable: fields are added, never renamed or removed.
"""

from __future__ import annotations

import json
import math
from typing import Any

from porter import __version__
from porter.core.diagnostic import Diagnostic
from porter.core.errors import PorterError
from porter.core.outcome import (
    CaseError,
    Comparison,
    Declined,
    Evidence,
    Failed,
    FailingCase,
    History,
    LastStore,
    Mismatch,
    NeverStored,
    Outcome,
    Partial,
)
from porter.core.result import Report, UnitResult
from porter.report.asked_json import asked_document

FORMAT = "porter-report-1"


def format_json(report: Report) -> str:
    return json.dumps(to_document(report), indent=2, allow_nan=False)


def to_document(report: Report) -> dict[str, Any]:
    """Plain JSON values; non-finite numbers become the strings `NaN`, `Infinity`, `-Infinity`."""
    return {
        "format": FORMAT,
        "porter": __version__,
        "target": str(report.target) if report.target else None,
        "arch": report.arch,
        "units": [_unit(unit) for unit in report.units],
        "findings": [finding_document(f) for f in report.findings],
        "totals": report.totals(),
        "versions": dict(report.versions),
        "run_directory": report.run_directory,
        "agent": asked_document(report.asked) if report.asked else None,
    }


def format_error(error: PorterError) -> str:
    """The document of a run that came to no kernel: a report without units, and why."""
    findings = getattr(error, "diagnostics", ())
    document = to_document(Report(None, "", (), tuple(findings)))
    document["error"] = {"message": error.message, "hint": error.hint, "exit_code": int(error.exit_code)}
    return json.dumps(document, indent=2, allow_nan=False)


def _unit(unit: UnitResult) -> dict[str, Any]:
    outcome = unit.outcome
    document: dict[str, Any] = {
        "source": unit.source,
        "kernel": outcome.kernel,
        "outcome": unit.status,
        "reason": _reason(outcome),
        "findings": [finding_document(f) for f in outcome.findings],
        "produced_by": None,
        "output": None,
        "evidence": [],
        "evidence_details": [],
        "comparison": None,
        "estimate": None,
    }
    if not isinstance(outcome, Declined):
        document |= {
            "produced_by": str(outcome.producer),
            "output": outcome.output,
            "evidence": [str(e) for e in outcome.evidence],
            "evidence_details": [_evidence(e) for e in outcome.evidence],
            "comparison": _comparison(outcome.comparison) if outcome.comparison else None,
        }
    if unit.prediction:
        document["estimate"] = {
            "gpu": unit.prediction.gpu,
            "time_us": unit.prediction.time_us,
            "bound": unit.prediction.bound,
            "bytes_moved": unit.prediction.bytes_moved,
            "flops": unit.prediction.flops,
            "peak_gbps": unit.prediction.peak_gbps,
            "peak_tflops": unit.prediction.peak_tflops,
            "launch_us": unit.prediction.launch_us,
        }
    return document


def _reason(outcome: Outcome) -> str:
    return outcome.reason if isinstance(outcome, Partial | Declined | Failed) else ""


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {"name": str(evidence), "tools": dict(evidence.tools), "details": dict(evidence.details)}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    worst = comparison.worst_vs_reference
    return {
        "cases": comparison.cases,
        "n_elements": comparison.n_elements,
        "n_mismatch": comparison.n_mismatch,
        "max_ulp": _number(comparison.max_ulp),
        "max_abs": _number(comparison.max_abs),
        "max_rel": _number(comparison.max_rel),
        "worst_vs_reference": None if worst is None else _number(worst),
        "seed": comparison.seed,
        "first_mismatches": [_mismatch(m) for m in comparison.first_mismatches],
        "smallest_failing": _failing(comparison.smallest_failing),
        "skipped": [{"reason": reason, "cases": n} for reason, n in comparison.skipped.items()],
        "not_raised": list(comparison.not_raised),
        "by_case": [_case_error(error) for error in comparison.by_case],
    }


def _case_error(error: CaseError) -> dict[str, Any]:
    return {
        "case": error.case,
        "n_elements": error.n_elements,
        "n_mismatch": error.n_mismatch,
        "max_ulp": _number(error.max_ulp),
        "max_rel": _number(error.max_rel),
    }


def _failing(case: FailingCase | None) -> dict[str, Any] | None:
    if case is None:
        return None
    return {
        "case": case.case,
        "launch": case.launch,
        "grid": list(case.grid),
        "arguments": list(case.arguments),
        "first": _mismatch(case.first),
        "block": list(case.block) if case.block is not None else None,
        "written_by_original": _history(case.by_original),
        "written_by_port": _history(case.by_port),
    }


def _history(history: History | None) -> dict[str, Any] | None:
    match history:
        case LastStore():
            return {
                "stores": history.stores,
                "block": list(history.block),
                "thread": list(history.thread) if history.thread is not None else None,
                "file": history.file,
                "line": history.line,
            }
        case NeverStored():
            return {"stores": 0, "block": None, "thread": None, "file": "", "line": 0}
    return None


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    return {
        "buffer": mismatch.buffer,
        "index": mismatch.index,
        "expected": _number(mismatch.expected),
        "actual": _number(mismatch.actual),
        "case": mismatch.case,
    }


def finding_document(finding: Diagnostic) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "path": finding.span.path,
        "line": finding.span.line,
        "column": finding.span.column,
        "message": finding.message,
        "hint": finding.hint,
    }


def _number(value: float | int) -> float | int | str:
    if isinstance(value, int) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
