"""What the proof does not see: other text that an edit changes, and other ways to compile a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porter.analysis.warp_assumptions import warp_assumptions
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.records import Kept
from porter.hip.widen.regions import Region, regions_of, works_in_warps

_OPENING = frozenset(("if", "ifdef", "ifndef"))


def conditional_text(unit: TranslationUnit, function: Function, regions: Iterable[Region]) -> Kept | None:
    """Text under `#if`: only the branch that was read is proved, and the port may take another."""
    ranges = _conditional_ranges(unit)
    for region in regions:
        if not region.tokens:
            continue
        start, end = region.tokens[0].start, region.tokens[-1].end
        at = next((a for a, b in ranges if a < end and start < b), None)
        if at is not None:
            reason = (
                f"`{region.name}` has text under a preprocessor condition, which may be another in the port"
            )
            return Kept(function.name, reason, unit.source.span(at, at + 1))
    return None


def _conditional_ranges(unit: TranslationUnit) -> list[tuple[int, int]]:
    """From each `#if` to its `#endif`, apart from a guard around the whole file."""
    found: list[tuple[int, int]] = []
    open_: list[int] = []
    for directive in unit.tokenized.directives:
        if directive.name in _OPENING:
            open_.append(directive.start)
        elif directive.name == "endif" and open_:
            found.append((open_.pop(), directive.end))
    code = unit.tokenized.code
    whole = (code[0].start, code[-1].end) if code else (0, 0)
    return [(a, b) for a, b in found if not (a < whole[0] and whole[1] <= b)]


def outside(unit: TranslationUnit, group: Iterable[Function], edits: Iterable[Edit]) -> Kept | None:
    """An edit of what another kernel or the host runs as well."""
    own = tuple(group)
    places = [(e.start, max(e.end, e.start + 1)) for e in edits]
    first = own[0]
    for function in unit.functions:
        if function.body is None or not _touches(function.span, places):
            continue
        if function.kind in (FunctionKind.HOST_DEVICE, FunctionKind.HOST):
            reason = f"it works with `{function.name}`, which runs on the host as well"
            return Kept(first.name, reason, function.name_span)
    for kernel in unit.kernels:
        if kernel in own:
            continue
        for region in regions_of(unit, kernel):
            span = unit.source.span(region.tokens[0].start, region.tokens[-1].end) if region.tokens else None
            if span is not None and _touches(span, places):
                reason = f"it shares `{region.name}` with {kernel.name}, which has no work of warps to follow"
                return Kept(first.name, reason, first.name_span)
    return None


def lanes_alone(unit: TranslationUnit) -> Iterator[Kept]:
    """Kernels that count lanes or warps of 32 without an operation of warps."""
    assumed = warp_assumptions(unit)
    for kernel in unit.kernels:
        regions = regions_of(unit, kernel)
        spans = [(r.tokens[0].start, r.tokens[-1].end) for r in regions if r.tokens]
        found = next((a for a in assumed if any(s <= a.span.start < e for s, e in spans)), None)
        if found is not None and not works_in_warps(regions):
            reason = f"`{found.text}` counts lanes, but no shuffle, vote or tile makes a warp of them"
            yield Kept(kernel.name, reason, found.span)


def _touches(span: Span, places: Iterable[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in places)
