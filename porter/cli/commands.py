"""Which subcommands there are, in the order of the help page."""

from __future__ import annotations

import typer

from porter.cli.capture import capture
from porter.cli.check import check
from porter.cli.demo import demo
from porter.cli.doctor import doctor
from porter.cli.explain import explain
from porter.cli.inspect import inspect
from porter.cli.mcp import mcp
from porter.cli.migrate import migrate
from porter.cli.replay import replay
from porter.cli.report import report
from porter.cli.rules import rules
from porter.cli.run import run
from porter.cli.runs import clean, runs, status
from porter.cli.translate import translate
from porter.cli.verify import verify


def register(app: typer.Typer) -> None:
    app.command()(translate)
    app.command()(verify)
    app.command()(inspect)
    app.command()(run)
    app.command()(capture)
    app.command()(replay)
    app.command()(migrate)
    app.command()(report)
    app.command()(status)
    app.command()(runs)
    app.command()(clean)
    app.command()(check)
    app.command()(rules)
    app.command()(explain)
    app.command()(doctor)
    app.command()(demo)
    app.command()(mcp)
