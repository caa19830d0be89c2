"""The two consoles: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console

_PLAIN_WIDTH = 100_000
"""Columns when the output is not a terminal: no line is wrapped for a pipe."""


def _console(stream: TextIO) -> Console:
    """Text on a terminal is left to the terminal to wrap: a path or a command stays in one piece."""
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, width=width, soft_wrap=True, highlight=False)


def out() -> Console:
    return _console(sys.stdout)


def err() -> Console:
    return _console(sys.stderr)
