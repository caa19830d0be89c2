"""Overloads for two CUDA types that are one type in HIP: `f(cudaError_t)` and `f(CUresult)`.

Each definition goes between `#ifndef` and `#endif` on a marker that it sets: the first one that is compiled
stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.edit import Edit
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.includes import newline
from porter.hip.name_table import load_tables
from porter.hip.step import Step, insert


def merge_overloads(unit: TranslationUnit) -> Step:
    """Guards each definition whose parameters become those of another one that they were not before."""
    groups: dict[tuple[str, tuple[str, ...]], list[Function]] = {}
    for function in unit.functions:
        if function.body is not None and not function.scope:
            key = (function.name, _ported_types(function))
            groups.setdefault(key, []).append(function)
    clashing = (g for g in groups.values() if len({_types(f) for f in g}) > 1)
    return Step(tuple(edit for group in clashing for edit in _guarded(unit, group)))


def _types(function: Function) -> tuple[str, ...]:
    return tuple(p.type_text.strip() for p in function.parameters)


def _ported_types(function: Function) -> tuple[str, ...]:
    table = load_tables()
    return tuple(" ".join(table.hip_name(w) or w for w in t.split()) for t in _types(function))


def _guarded(unit: TranslationUnit, group: list[Function]) -> Iterator[Edit]:
    text, end_of_line = unit.source.text, newline(unit)
    types = "_".join(w for t in _ported_types(group[0]) for w in t.split() if w.isidentifier())
    marker = f"PORTER_{group[0].name.strip('_')}_{types}".upper()
    reason = "both types are one in HIP"
    for function in group:
        start = text.rfind("\n", 0, _first_token(unit, function)) + 1
        end = text.find("\n", function.span.end)
        opening = f"#ifndef {marker}  // {reason}{end_of_line}#define {marker}{end_of_line}"
        yield insert(start, opening, reason)
        yield insert(end + 1 if end >= 0 else len(text), f"#endif{end_of_line}", reason)


def _first_token(unit: TranslationUnit, function: Function) -> int:
    """Where the declaration begins: behind the last `;`, `}` or directive before the name."""
    tokens = unit.tokenized.code
    at = unit.tokenized.code_index(function.name_span.start)
    directive_end = max(
        (d.end for d in unit.tokenized.directives if d.end <= function.name_span.start), default=0
    )
    while at > 0 and tokens[at - 1].text not in (";", "}") and tokens[at - 1].start >= directive_end:
        at -= 1
    while tokens[at].kind is Kind.COMMENT:
        at += 1
    return tokens[at].start
