"""How a symbolic execution ends early: with a reason and a place."""

from __future__ import annotations

from porter.core.span import Span


class Stop(Exception):
    """What the execution cannot follow, and where it stands."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span
