"""The double-precision reference: the user's `float` compiled as `double`."""

from __future__ import annotations

from porter.core.errors import PorterError
from porter.core.span import Span
from porter.simulator.rewrite import Rewritten, rewrite


class WideUnsupported(PorterError):
    """The program would not keep its meaning with float promoted to double; `span` is the place that shows it."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(f"{span}: {reason}")
        self.reason = reason
        self.span = span


def rewrite_wide(data: bytes) -> Rewritten:
    return rewrite(data)
