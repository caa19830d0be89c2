"""Calls whose arguments stand in other places in HIP's library: the tables' `[[call]]` entries.

The licence is the entry's `when`: the arguments it names must be those literals. A call that no entry serves
is an error at its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.name_table import Rearranged, load_tables
from porter.hip.step import Step, error, join, warning

OTHER_ARGUMENTS = "API009"

_PLACE = re.compile(r"\{(\d+)\}")


def rearrange_calls(unit: TranslationUnit) -> Step:
    """One edit a call: name and arguments as HIP's library wants them."""
    entries = load_tables().calls
    return join(_call(unit, call, entries[call.name.text]) for call in calls(unit, frozenset(entries)))


def rearranged_names(unit: TranslationUnit) -> frozenset[int]:
    """Where the names of such calls start, and the names in arguments that the ported call leaves out."""
    entries = load_tables().calls
    settled: set[int] = set()
    for call in calls(unit, frozenset(entries)):
        served = next((e for e in entries[call.name.text] if _serves(unit, call, e)), None)
        if served is not None or call.name.text not in load_tables().mapped:
            settled.add(call.name.start)
        if served is not None:
            settled.update(_left_out(call, served))
    return frozenset(settled)


def _left_out(call: CallSite, entry: Rearranged) -> Iterator[int]:
    placed = {int(place) for place in _PLACE.findall(entry.hip)}
    for index, (start, end) in enumerate(call.arguments):
        if index not in placed:
            yield from (token.start for token in call.stream.tokens[start:end])


def _call(unit: TranslationUnit, call: CallSite, entries: tuple[Rearranged, ...]) -> Step:
    entry = next((e for e in entries if _serves(unit, call, e)), None)
    if entry is None and call.name.text in load_tables().mapped:
        return Step()  # the other forms keep their arguments
    if entry is None:
        return Step(findings=(_refused(unit, call, entries),))
    text = _PLACE.sub(lambda place: _ported(unit, call, int(place.group(1))), entry.hip)
    end = call.stream.tokens[call.close].end
    edit = Edit(call.name.start, end, text.encode("latin-1"), "the arguments stand otherwise")
    return Step((edit,), tuple(_warned(unit, call, entry)))


def _serves(unit: TranslationUnit, call: CallSite, entry: Rearranged) -> bool:
    if len(call.arguments) != entry.arguments:
        return False
    return all(call.argument(unit, index) in values for index, values in entry.when)


def _ported(unit: TranslationUnit, call: CallSite, index: int) -> str:
    """The text of an argument with its names in HIP's spelling."""
    start, end = call.arguments[index]
    tokens = call.stream.tokens[start:end]
    pieces: list[str] = []
    at = tokens[0].start
    for token in tokens:
        hip = load_tables().hip_name(token.text) if token.kind is Kind.IDENTIFIER else None
        pieces.append(unit.source.text[at : token.start] + (hip or token.text))
        at = token.end
    return "".join(pieces)


def _warned(unit: TranslationUnit, call: CallSite, entry: Rearranged) -> Iterator[Diagnostic]:
    if entry.warning:
        message = f"{call.name.text} is {entry.name}: {entry.warning}"
        yield warning(OTHER_ARGUMENTS, message, call.name_span(unit))


def _refused(unit: TranslationUnit, call: CallSite, entries: tuple[Rearranged, ...]) -> Diagnostic:
    wanted = "; or ".join(
        ", ".join(f"argument {index + 1} {' or '.join(values)}" for index, values in entry.when)
        or f"{entry.arguments} arguments"
        for entry in entries
    )
    near = " or ".join(dict.fromkeys(entry.name for entry in entries))
    message = f"{call.name.text} has a counterpart only with {wanted}"
    return error(OTHER_ARGUMENTS, message, call.span(unit), f"write the call of {near} out")
