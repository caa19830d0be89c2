"""A migration as JSON, format `porter-migration-1`: fields are added, never renamed."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from porter import __version__
from porter.core.migration_report import MigrationReport, Reason
from porter.report.check.shown import printable

FORMAT = "porter-migration-1"


def format_migration(report: MigrationReport) -> str:
    document = {"format": FORMAT, "porter": __version__, **asdict(report), "exit_code": int(report.exit_code)}
    document["root"] = printable(report.root)
    document["run_directory"] = printable(report.run_directory)
    document["reasons"] = [_reason(reason) for reason in report.reasons]
    return json.dumps(document, indent=2)


def _reason(reason: Reason) -> dict[str, Any]:
    places = [printable(place) for place in reason.places]
    return {**asdict(reason), "message": printable(reason.message), "places": places}
