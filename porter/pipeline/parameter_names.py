"""Comparisons under the names the user gave: the buffer `out` instead of `a1`, the case `n = 33` instead of
`argument 2 = 33`; and back, for a case that is asked for by its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from porter.core.outcome import Comparison, Declined, FailingCase, Mismatch, Outcome
from porter.cuda.translation_unit import TranslationUnit

_POSITION = re.compile(r"a(\d+)(.*)", re.DOTALL)
_BUFFER = re.compile(r"(?<=buffer )a\d+")
_ARGUMENT = re.compile(r"\bargument (\d+)(?= = | was not raised)")
_VALUE = re.compile(r"\b(\w+)(?= = -?\d)")


def with_parameter_names(outcome: Outcome, unit: TranslationUnit) -> Outcome:
    """`outcome` with the kernel's parameter names in its mismatches and cases."""
    if isinstance(outcome, Declined) or outcome.comparison is None:
        return outcome
    return replace(outcome, comparison=_renamed(outcome.comparison, _parameters(outcome.kernel, unit)))


def case_by_position(case: str, kernels: Sequence[str], unit: TranslationUnit) -> str:
    """The case `n = 33` of a report as the harness calls it, `argument 2 = 33`: the first of `kernels` (of
    all, where none is named) that has such a parameter tells its position."""
    of_each = [_parameters(name, unit) for name in kernels or [kernel.name for kernel in unit.all_kernels]]
    positions = {
        name: f"argument {position}"
        for names in reversed(of_each)
        for position, name in enumerate(names)
        if name
    }
    return _VALUE.sub(lambda m: positions.get(m[0], m[0]), case)


def _parameters(kernel: str, unit: TranslationUnit) -> tuple[str, ...]:
    own = [k for k in unit.all_kernels if k.name == kernel.rpartition("::")[2]]
    own.sort(key=lambda k: f"{k.scope}::{k.name}" != kernel)
    return tuple(p.name for p in own[0].parameters) if own else ()


def _renamed(comparison: Comparison, names: tuple[str, ...]) -> Comparison:
    def case(text: str) -> str:
        return _ARGUMENT.sub(lambda m: _named(m[0], int(m[1]), names), text)

    def mismatch(of: Mismatch) -> Mismatch:
        return replace(of, buffer=_buffer(of.buffer, names), case=case(of.case))

    def failing(of: FailingCase) -> FailingCase:
        return replace(of, case=case(of.case), first=mismatch(of.first))

    smallest = comparison.smallest_failing
    return replace(
        comparison,
        first_mismatches=tuple(map(mismatch, comparison.first_mismatches)),
        smallest_failing=smallest and failing(smallest),
        not_raised=tuple(
            case(_BUFFER.sub(lambda m: _buffer(m[0], names), told)) for told in comparison.not_raised
        ),
        by_case=tuple(replace(error, case=case(error.case)) for error in comparison.by_case),
    )


def _buffer(buffer: str, names: tuple[str, ...]) -> str:
    """`a1.8` (byte 8 of a struct) keeps its tail; what is no argument of the kernel keeps its name."""
    found = _POSITION.fullmatch(buffer)
    return buffer if found is None else _named(buffer, int(found[1]), names, found[2])


def _named(text: str, position: int, names: tuple[str, ...], tail: str = "") -> str:
    return names[position] + tail if position < len(names) and names[position] else text
