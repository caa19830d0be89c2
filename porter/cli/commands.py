"""Which subcommands there are, in the order of the help page; each is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
import typer.core

COMMANDS = {
    "translate": "Port one CUDA file and prove it: every kernel gets a verdict with its evidence.",
    "verify": "Run a CUDA program and a port of it on the same inputs and compare the numbers.",
    "inspect": "Say how each kernel accesses memory, what it assumes of warps and where it stands on"
    " the roofline.",
    "run": "Run a whole CUDA or HIP program on the CPU; the exit code is the program's.",
    "capture": "Record every kernel launch of a program: its arguments, and its memory before and after.",
    "replay": "Run every recorded launch again and compare its memory with what was captured.",
    "migrate": "Port a repository: its kernels with their proof, its host code, headers and build files.",
    "report": "Show what a run came to: in the terminal, as a page, or for other tools.",
    "status": "Say how far a run is: the one under way in this folder, else the last; also while it works.",
    "runs": "List the runs in this folder, the last one first: when, what, with which result, how large.",
    "clean": "Delete runs in this folder, and the cache.",
    "check": "Find what will not carry over to AMD GPUs, without building or running anything.",
    "rules": "List the rules on CUDA source: code, name, what they find; * where --fix can fix it.",
    "explain": "Explain a finding's code, or list all codes.",
    "doctor": "Show which tools were found on this machine and what evidence each adds.",
    "demo": "Port the project's CUDA programs to HIP and to Triton and print the table of verdicts.",
    "mcp": "Serve the Model Context Protocol, for assistants that call porter as a tool.",
}
"""The first sentence of each one's help, which the list of commands shows."""
_MODULES = {"status": "runs", "clean": "runs"}
"""Where a command's module is not called as the command is."""


class LazyCommands(typer.core.TyperGroup):
    """Lists commands by their first sentence alone, and makes the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load_command(str(command.name)), rest


def register(app: typer.Typer) -> None:
    """Names every command on `app`, whose class is LazyCommands; imports none."""
    for name, summary in COMMANDS.items():
        app.command(name, help=summary)(_not_loaded)


def load_command(name: str) -> Any:
    """The command with its options and its whole help."""
    module = import_module(f"porter.cli.{_MODULES.get(name, name)}")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(getattr(module, name))
    return typer.main.get_command(alone)


def _not_loaded() -> None: ...
