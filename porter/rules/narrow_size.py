"""Sizes of memory that a function writes into variables of 32 bits.

What it finds: calls of `cudaMemGetInfo` and `cuMemGetInfo` with pointers to `int` or `unsigned int`.

Why it matters: both write `size_t` since CUDA 3.2, as HIP's does: such a call does not compile, and with a
cast it writes over what lies beside the variable.

What porter does: reports it.

Example: `unsigned int free; cuMemGetInfo(&free, &total);` wants `size_t free`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_WRITES_SIZES = frozenset(("cudaMemGetInfo", "cuMemGetInfo"))
_POINTER_TO_NARROW = re.compile(r"(unsigned( int)?|int|u?int32_t|uint) ?\*")
_NARROW = frozenset(("unsigned", "int", "uint", "int32_t", "uint32_t"))


@rule("API014", "narrow-size")
def narrow_size(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, _WRITES_SIZES):
        narrow = [n for n in (_variable(unit, call, i) for i in range(len(call.arguments))) if n]
        if narrow:
            message = f"{call.name.text} writes size_t, and {narrow[0]} has 32 bits"
            yield Diagnostic("API014", Severity.ERROR, message, call.span(unit), "declare it as size_t")


def _variable(unit: TranslationUnit, call: CallSite, index: int) -> str:
    """The variable of 32 bits that an argument points to, "" for anything else."""
    function = unit.function_at(call.name.start)
    first, last = call.arguments[index]
    tokens = call.stream.tokens[first:last]
    if function is None or not tokens or tokens[-1].kind is not Kind.IDENTIFIER:
        return ""
    name = tokens[-1].text
    if [t.text for t in tokens] == ["&", name]:
        return name if _is_declared_narrow(unit, function.span.start, call.name.start, name) else ""
    types = (p.type_text.strip() for p in function.parameters if p.name == name)
    return name if len(tokens) == 1 and any(_POINTER_TO_NARROW.fullmatch(t) for t in types) else ""


def _is_declared_narrow(unit: TranslationUnit, start: int, end: int, name: str) -> bool:
    code = unit.tokenized.code[unit.tokenized.code_index(start) : unit.tokenized.code_index(end)]
    return any(type_.text in _NARROW and after.text == name for type_, after in pairwise(code))
