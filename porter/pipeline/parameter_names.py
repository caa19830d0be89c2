"""Buffers in a comparison under the names the user gave them: `out` instead of `a1`."""

from __future__ import annotations

import re
from dataclasses import replace

from porter.core.outcome import Comparison, Declined, Outcome
from porter.cuda.translation_unit import TranslationUnit

_POSITION = re.compile(r"a(\d+)(.*)", re.DOTALL)
_BUFFER = re.compile(r"(?<=buffer )a\d+")


def with_parameter_names(outcome: Outcome, unit: TranslationUnit) -> Outcome:
    """`outcome` with the kernel's parameter names in its mismatches."""
    if isinstance(outcome, Declined) or outcome.comparison is None:
        return outcome
    plain = outcome.kernel.rpartition("::")[2]
    own = [k for k in unit.kernels if k.name == plain]
    own.sort(key=lambda k: f"{k.scope}::{k.name}" != outcome.kernel)
    names = tuple(p.name for p in own[0].parameters) if own else ()
    return replace(outcome, comparison=_renamed(outcome.comparison, names))


def _renamed(comparison: Comparison, names: tuple[str, ...]) -> Comparison:
    mismatches = tuple(replace(m, buffer=_name(m.buffer, names)) for m in comparison.first_mismatches)
    smallest = comparison.smallest_failing
    if smallest is not None:
        first = replace(smallest.first, buffer=_name(smallest.first.buffer, names))
        smallest = replace(smallest, first=first)
    return replace(
        comparison,
        first_mismatches=mismatches,
        smallest_failing=smallest,
        not_raised=tuple(_BUFFER.sub(lambda m: _name(m[0], names), told) for told in comparison.not_raised),
    )


def _name(buffer: str, names: tuple[str, ...]) -> str:
    """`a1.8` (byte 8 of a struct) keeps its tail; what is no argument of the kernel keeps its name."""
    found = _POSITION.fullmatch(buffer)
    if found is None or int(found[1]) >= len(names):
        return buffer
    return names[int(found[1])] + found[2]
