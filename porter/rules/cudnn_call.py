"""A call of cuDNN.

What it finds: `cudnn…` functions; one finding for each in a function.

Why it matters: MIOpen has other names, other descriptors and other orders of arguments: no rename is right.

What porter does: rearranges the calls whose counterpart it knows, and refuses the others at their place.

Example: `cudnnSetTensor4dDescriptor(d, format, type, n, c, h, w)` is `miopenSet4dTensorDescriptor(d, type, n,
c, h, w)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import first_of_each, foreign_calls

_NAME = re.compile(r"^cudnn[A-Z]\w*$")


@rule("LIB009", "cudnn-call", answered=True)
def cudnn_call(unit: TranslationUnit) -> Iterator[Diagnostic]:
    names = frozenset(word for word in unit.words if _NAME.match(word))
    for call in first_of_each(unit, foreign_calls(unit, names)):
        message = f"{call.name.text} has no counterpart of the same form in MIOpen"
        hint = "keep the calls of the library behind functions of your own"
        yield Diagnostic("LIB009", Severity.NOTE, message, unit.span_of(call.name), hint)
