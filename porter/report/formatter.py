"""One result model, many formatters: each turns a Report into text."""

from __future__ import annotations

from typing import Protocol

from porter.core.result import Report


class Formatter(Protocol):
    def __call__(self, report: Report) -> str:
        """The whole document, without a trailing newline."""
        ...
