"""What a kernel's text says of its parameters beyond their types."""

from __future__ import annotations

import re

from porter.cuda import kir
from porter.hip.tune.records import KernelView

_RESTRICT = frozenset(("restrict", "__restrict__", "__restrict"))
_VOLATILE = frozenset(("volatile", "__volatile__", "__volatile"))
_WORD = re.compile(r"[A-Za-z_]\w*")


def is_restrict(view: KernelView, parameter: kir.Variable) -> bool:
    return bool(_words(view, parameter) & _RESTRICT)


def is_volatile(view: KernelView, parameter: kir.Variable) -> bool:
    """Every access must happen as it is written."""
    return bool(_words(view, parameter) & _VOLATILE)


def first_volatile(view: KernelView) -> str | None:
    """The name of a parameter that is volatile."""
    return next((p.name for p in view.kernel.parameters if is_volatile(view, p)), None)


def says_volatile(text: str) -> bool:
    return bool(frozenset(_WORD.findall(text)) & _VOLATILE)


def _words(view: KernelView, parameter: kir.Variable) -> frozenset[str]:
    """The words of the parameter's declaration, its name left out."""
    declared = next(p.text for p in view.function.parameters if p.name == parameter.name)
    return frozenset(_WORD.findall(declared)) - {parameter.name}
