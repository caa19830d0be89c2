"""One page with a whole run, for a browser without a network: text, style, program and data in one file.

Names, sources and findings are data to the page, never markup: they stand in a block of JSON, and the program
sets them as text. The policy in its head lets nothing else run, and nothing be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from porter import __version__
from porter.core.run_report import FileReport, RunReport
from porter.report.check.shown import printable
from porter.report.effort import effort_of
from porter.report.run.side_by_side import side_by_side

_MOST_FINDINGS = 200
"""Of one file: a generated one may have thousands."""


def format_html(report: RunReport) -> str:
    folder = files("porter.report.run") / "page"
    style, program = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    environment = Environment(undefined=StrictUndefined, autoescape=True, keep_trailing_newline=True)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    return template.render(
        title=f"porter: {printable(report.summary.root)} to {report.summary.target}",
        style=style,
        program=program,
        style_hash=_hash(style),
        program_hash=_hash(program),
        data=_json(_data(report)),
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: Mapping[str, Any]) -> str:
    """No sequence of it ends a block of HTML, or begins a comment in one."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data(report: RunReport) -> dict[str, Any]:
    summary = report.summary
    models = summary.models
    return {
        "run": report.name,
        "started": report.started,
        "porter": __version__,
        "root": printable(summary.root),
        "target": summary.target,
        "arch": summary.arch,
        "seconds": summary.seconds,
        "states": summary.files,
        "kernels": summary.kernels,
        "evidence": summary.evidence,
        "models": None
        if models is None
        else {"asked": models.conversations, "accepted": models.accepted, "usd": models.cost.cost_usd},
        "reasons": [
            {
                "code": reason.code,
                "message": printable(reason.message),
                "count": reason.count,
                "places": [printable(place) for place in reason.places],
                "effort": str(effort_of(reason.code)),
            }
            for reason in summary.reasons
        ],
        "files": [_file(file) for file in report.files],
        "left_out": report.left_out,
    }


def _file(file: FileReport) -> dict[str, Any]:
    found = [{**_finding(finding), "kernel": printable(kernel)} for kernel, finding in file.findings()]
    return {
        "name": printable(file.name),
        "kind": file.kind,
        "state": file.state,
        "reason": printable(file.document.get("reason") or ""),
        "changed": file.original is None,
        "ports": [_port(file, name) for name in file.ports],
        "findings": found[:_MOST_FINDINGS],
        "more_findings": max(len(found) - _MOST_FINDINGS, 0),
        "kernels": [_kernel(kernel) for kernel in file.kernels],
    }


def _port(file: FileReport, name: str) -> dict[str, Any]:
    """Beside the file itself, or beside nothing where porter wrote one of its own headers."""
    own = name == file.name or name.rpartition(".")[0] == file.name.rpartition(".")[0]
    before = (file.original or b"") if own else b""
    found = {f["line"] for _, f in file.findings() if f["path"] == file.name} if own else set()
    shown = side_by_side(before, file.ports[name], found)
    rows = [[kind, i, left, j, right] for kind, i, left, j, right in shown.rows]
    return {
        "name": printable(name),
        "rows": rows,
        "added": shown.added,
        "removed": shown.removed,
        "cut": shown.cut,
    }


def _finding(finding: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "code": finding["code"],
        "severity": finding["severity"],
        "path": printable(finding["path"]),
        "line": finding["line"],
        "column": finding["column"],
        "message": printable(finding["message"]),
        "hint": printable(finding.get("hint") or ""),
    }


def _kernel(kernel: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": printable(kernel["kernel"]),
        "outcome": kernel["outcome"],
        "by": kernel["produced_by"],
        "reason": printable(kernel["reason"] or ""),
        "evidence": kernel["evidence"],
        "resources": _resources(kernel),
        "comparison": kernel["comparison"],
        "estimate": kernel["estimate"],
    }


def _resources(kernel: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By build, the figures of the first code object's kernel of this name."""
    found: dict[str, dict[str, Any]] = {}
    for evidence in kernel["evidence_details"]:
        figures: dict[str, Any] = {}
        for key, value in evidence["details"].items():
            owner, _, figure = key.rpartition(".")
            plain = owner.partition("<")[0].rpartition("::")[2].removesuffix("_kernel")
            if owner and plain == kernel["kernel"].rpartition("::")[2].removesuffix("_kernel"):
                figures.setdefault(figure, value)
        if figures:
            found[evidence["name"]] = figures
    return found
