"""Runs as JSON: a list of them, format `porter-runs-1`, and the state of one, format `porter-status-1`.

The schemas are in docs/. They are stable: fields are added, never renamed or removed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from porter import __version__
from porter.core.run_record import RunRecord, RunStatus
from porter.report.check.shown import printable

RUNS_FORMAT = "porter-runs-1"
STATUS_FORMAT = "porter-status-1"


def format_runs(runs: Sequence[RunRecord]) -> str:
    document = {"format": RUNS_FORMAT, "porter": __version__, "runs": [_run(run) for run in runs]}
    return json.dumps(document, indent=2)


def format_status(status: RunStatus) -> str:
    document = {
        "format": STATUS_FORMAT,
        "porter": __version__,
        "run": _run(status.run),
        "files": status.files,
        "total": status.total,
        "waiting": status.waiting,
        "working": asdict(status.working) if status.working else None,
        "per_minute": status.per_minute,
        "seconds_left": status.seconds_left,
        "last": [{**asdict(file), "name": printable(file.name)} for file in status.last],
    }
    return json.dumps(document, indent=2)


def _run(run: RunRecord) -> dict[str, Any]:
    return {**asdict(run), "path": printable(run.path), "subject": printable(run.subject)}
