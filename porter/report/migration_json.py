"""A migration as JSON, format `porter-migration-1`: fields are added, never renamed."""

from __future__ import annotations

import json
from dataclasses import asdict

from porter import __version__
from porter.core.migration_report import MigrationReport

FORMAT = "porter-migration-1"


def format_migration(report: MigrationReport) -> str:
    document = {"format": FORMAT, "porter": __version__, **asdict(report), "exit_code": int(report.exit_code)}
    return json.dumps(document, indent=2)
