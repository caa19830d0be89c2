"""`porter mcp`: porter's commands as tools for coding assistants, over standard input and output."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from porter.core.errors import ToolMissing
from porter.mcp.root import Root

_LONGEST_SECONDS = 86_400.0


def mcp(
    root: Annotated[
        Path, typer.Option(help="the folder that the tools work in; no path leads out of it")
    ] = Path(),
    timeout: Annotated[
        float, typer.Option(min=1.0, max=_LONGEST_SECONDS, help="seconds after which a call is stopped")
    ] = 1800.0,
) -> int:
    """Serve the Model Context Protocol, for assistants that call porter as a tool."""
    folder = Root.of(root)
    if importlib.util.find_spec("mcp") is None:
        raise ToolMissing("porter mcp needs the package mcp", hint="`pip install porter[mcp]`")
    from porter.mcp.server import Tools, make_server

    make_server(Tools(folder, timeout)).run("stdio")
    return 0
