"""The two consoles: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console

_PLAIN_WIDTH = 200
"""Columns of the tables when the output is not a terminal, so that nothing is wrapped for a pipe."""


def _console(stream: TextIO) -> Console:
    return Console(
        file=stream, width=None if stream.isatty() else _PLAIN_WIDTH, soft_wrap=False, highlight=False
    )


def out() -> Console:
    return _console(sys.stdout)


def err() -> Console:
    return _console(sys.stderr)
