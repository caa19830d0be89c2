"""Named constants: the definition changes where every use follows, else the uses do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from porter.core.edit import Edit
from porter.cuda.constants import fold
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.constants import WIDENED, rescaled
from porter.hip.widen.regions import Region

_VENDORS = re.compile(r"cu|cooperative_groups|device_|driver_|vector_|math_")
_REASON = "the wavefront's 64 lanes"


@dataclass(frozen=True)
class _Definition:
    """Where a name is defined; `literal` is its value where that is one number; `value` all of it."""

    name: Token
    literal: Token | None
    value: tuple[Token, ...]


def named_edits(
    unit: TranslationUnit, regions: Iterable[Region], uses: Mapping[str, int]
) -> tuple[Edit, ...]:
    """`uses` are the names that stand for a width somewhere in `regions`, with their values."""
    inside = [t for region in regions for t in region.tokens if t.text in uses and t.kind is Kind.IDENTIFIER]
    places = {t.start for t in inside}
    definitions = {name: _definitions(unit, name) for name in uses}
    followed = _followed(unit, definitions, places)
    edits: dict[int, Edit] = {}
    for name in followed:
        (definition,) = definitions[name]
        if definition.literal is not None:
            token = definition.literal
            edits[token.start] = Edit(
                token.start, token.end, rescaled(token.text, uses[name]).encode(), _REASON
            )
    named = {d.name.start for found in definitions.values() for d in found}
    for token in inside:
        if token.text not in followed and token.start not in named:
            edits[token.start] = Edit(
                token.start, token.end, str(WIDENED[uses[token.text]]).encode(), _REASON
            )
    return tuple(edits.values())


def _followed(
    unit: TranslationUnit,
    definitions: Mapping[str, list[_Definition]],
    places: set[int],
) -> set[str]:
    """The names whose definition can change: each mention is in the regions or defines another such name."""
    followed = {name for name, found in definitions.items() if len(found) == 1}
    if any(not i.is_system and not _VENDORS.match(i.target) for i in unit.includes):
        return set()  # a header of the program may use the name too
    while True:
        values = {t.start for name in followed for t in definitions[name][0].value}
        own = {definitions[name][0].name.start for name in followed}
        kept = set()
        for name in followed:
            mentions = {t.start for t in unit.references if t.text == name}
            definition = definitions[name][0]
            derived = definition.literal is not None or any(t.text in followed for t in definition.value)
            if derived and mentions <= places | values | own:
                kept.add(name)
        if kept == followed:
            return kept
        followed = kept


def _definitions(unit: TranslationUnit, name: str) -> list[_Definition]:
    """`#define N 32`, `N = 32` with a type or in an enumeration."""
    found = []
    for macro in unit.macros:
        if macro.name == name and macro.parameters is None:
            own = next(t for t in unit.references if t.start == macro.name_span.start)
            found.append(_definition(own, macro.tokens))
    code = unit.tokenized.code
    for i in range(1, len(code) - 2):
        declares = code[i - 1].kind is Kind.IDENTIFIER or code[i - 1].text in ("{", ",")
        if code[i].text == name and code[i + 1].text == "=" and declares and code[i - 1].text != "return":
            end = i + 2
            while end < len(code) and code[end].text not in (";", ",", "}"):
                end += 1
            found.append(_definition(code[i], code[i + 2 : end]))
    return found


def _definition(name: Token, value: tuple[Token, ...]) -> _Definition:
    own = tuple(t for t in value if t.text not in ("(", ")"))
    is_literal = len(own) == 1 and own[0].kind is Kind.NUMBER
    literal = own[0] if is_literal and fold(own[0].text, lambda _: None) in WIDENED else None
    return _Definition(name, literal, value)
