"""Device functions that a kernel still calls, itself or through others."""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import walk
from porter.cuda.kir import CallFunction, Kernel, Stmt


def without_unused_functions(kernel: Kernel) -> Kernel:
    """What was inlined everywhere may mention shared arrays that are gone."""
    used: set[str] = set()
    new = _called(kernel.body)
    while new:
        used |= new
        new = set[str]().union(*(_called(kernel.functions[name].body) for name in new)) - used
    functions = {name: f for name, f in kernel.functions.items() if name in used}
    return dataclasses.replace(kernel, functions=functions)


def _called(body: tuple[Stmt, ...]) -> set[str]:
    return {node.function for node in walk(body) if isinstance(node, CallFunction)}
