"""Calls that the module leaves out: they compute nothing, and Triton cannot do what they are for."""

from __future__ import annotations

from porter.analysis.expressions import evaluates, statements
from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.kir import Call, Kernel
from porter.tile.kept_patterns import place_in_source
from porter.tile.unused_functions import without_unused_functions

_CODE = "TIL064"
DROPPED = {
    "printf": "print what the kernel stores, from the host",
    "assert": "check the arguments before the launch",
    "__trap": "check the arguments before the launch",
    "__nanosleep": "",
}
"""The calls, and what can be done instead."""


def dropped_calls(kernel: Kernel) -> tuple[Diagnostic, ...]:
    """A note for each place in the kernel, or in a function that it uses, where a call is left out."""
    used = without_unused_functions(kernel)
    bodies = (used.body, *(function.body for function in used.functions.values()))
    calls = [evaluates(s) for body in bodies for s in statements(body)]
    return tuple(
        dict.fromkeys(
            Diagnostic(
                _CODE,
                Severity.NOTE,
                f"`{call.name}` is left out: a Triton program has nothing that does it on every GPU",
                place_in_source(call.span, kernel),
                DROPPED[call.name],
            )
            for call in calls
            if isinstance(call, Call) and call.name in DROPPED
        )
    )
