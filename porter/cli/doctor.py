"""`porter doctor`: what this machine has, what each thing adds, how to get the rest."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from porter.cli.console import out
from porter.harness.toolchains.discover import Tool, discover


def doctor(
    json: Annotated[bool, typer.Option("--json", help="print a JSON document (porter-doctor-1)")] = False,
) -> int:
    """Show which tools were found on this machine and what evidence each adds. None is a precondition."""
    tools = discover()
    if json:
        print(json_module.dumps({"format": "porter-doctor-1", "tools": [asdict(t) for t in tools]}, indent=2))
    else:
        _print_table(tools)
    return 0


def _print_table(tools: tuple[Tool, ...]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", "tool", "version", "adds", "how to install"):
        table.add_column(heading)
    for tool in tools:
        mark = Text("yes", style="green") if tool.found else Text("no", style="yellow")
        table.add_row(mark, tool.name, tool.version, tool.adds, "" if tool.found else tool.how_to_install)
    out().print(table)
