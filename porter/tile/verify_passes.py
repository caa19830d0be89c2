"""Checks the kernel IR after each pass of the compiler, where a switch in the environment asks for it.

It finds a pass's mistake where it is made, not passes later. The checks take part of the compiler's time, so
the tests turn them on and users do without.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Concatenate, ParamSpec

from porter.cuda.kir import Kernel, Variable
from porter.cuda.kir_verifier import InvalidKernel, verify_kernel
from porter.tile.api import Declined

FAULT_CODE = "TIL059"
SWITCH = "PORTER_VERIFY_PASSES"
"""The environment variable: `1` turns the checks on."""

_Options = ParamSpec("_Options")


def run_pass(
    change: Callable[Concatenate[Kernel, _Options], Kernel],
    kernel: Kernel,
    /,
    *options: _Options.args,
    **named: _Options.kwargs,
) -> Kernel:
    """The kernel that the pass makes of `kernel`, checked."""
    changed = change(kernel, *options, **named)
    if changed is not kernel:
        check_after(change.__name__, changed)
    return changed


def check_after(name: str, kernel: Kernel, versions: Collection[Variable] = ()) -> None:
    """Declines with TIL059 where the kernel that the pass `name` left breaks an invariant.

    `versions` are the variables that `split_variables` made.
    """
    if os.environ.get(SWITCH) != "1":
        return
    try:
        verify_kernel(kernel, versions)
    except InvalidKernel as invalid:
        what = f"the pass {name} left a kernel that is not valid: {invalid}"
        raise Declined(FAULT_CODE, what, invalid.span, "this is a fault of porter: report it") from None
