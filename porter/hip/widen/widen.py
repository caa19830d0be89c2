"""The kernels of a file on wavefronts of 64 lanes: an edited text, and the proof that it does the same.

For each kernel the constants and collectives that speak of a warp are changed. The changed file is then read
anew, and both versions of each kernel are executed for one block of every size that it is launched with, on
symbolic data: only where every store and atomic is the same, whatever the data, is the change kept. So what
an edit misses, or changes for nothing, costs a widening and never a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText, Span
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hip.widen.change import Change, change_of
from porter.hip.widen.groups import Candidate, Group, groups_of
from porter.hip.widen.host import HostChange
from porter.hip.widen.obstacles import lanes_alone, outside
from porter.hip.widen.proof import CannotWiden, NotProved, Original, original_of, proved
from porter.hip.widen.records import Kept, WidenedKernel, Widening

Lower = Callable[[SourceText], tuple[LoweredKernel, ...]]
"""Reads a changed file: `lower_kernels` with what the compilation is given."""

_DECLARATIONS = (
    "__device__ inline unsigned long long porter_ballot_wavefront(int v) "
    "{ return __ballot_sync(0xffffffffu, v); } "
    "__device__ inline int porter_any_wavefront(int v) { return __any_sync(0xffffffffu, v); } "
    "__device__ inline int porter_all_wavefront(int v) { return __all_sync(0xffffffffu, v); }\n"
)


@dataclass
class _Work:
    """A group on its way: what it has to do, and what was found out so far."""

    group: Group
    originals: dict[str, Original]
    reason: Kept | None = None
    change: Change | None = None
    hosts: dict[str, HostChange | None] | None = None


def widen(
    unit: TranslationUnit,
    lowered: Iterable[LoweredKernel],
    lower: Lower,
    *,
    wanted: Callable[[str], bool] = lambda _: True,
    without: frozenset[str] = frozenset(),
) -> Widening:
    """The file with every kernel widened that provably can be, apart from those in `without`."""
    known = tuple(lowered)
    groups = groups_of(unit)
    chosen = [g for g in groups if all(wanted(c.name) and c.name not in without for c in g)]
    others = {c.name for g in groups for c in g} | without
    work = [_begun(unit, known, group) for group in chosen]
    for bold in (True, False):
        _attempt(unit, lower, [w for w in work if w.originals and w.hosts is None], bold=bold)
    done = [w for w in work if w.hosts is not None]
    edits = [edit for w in done for edit in _edits(w)]
    text = apply_edits(unit.source.data, edits)
    return Widening(
        read_translation_unit(SourceText(unit.source.path, text)) if edits else unit,
        frozenset(s for w in done if w.change for s in w.change.shims),
        tuple(_widened(c, (w.hosts or {}).get(c.name)) for w in done for c in w.group),
        (
            *(_kept(c, w.reason) for w in work if w.hosts is None and w.reason for c in w.group),
            *(k for k in lanes_alone(unit) if wanted(k.kernel) and k.kernel not in others),
        ),
    )


def _begun(unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], group: Group) -> _Work:
    try:
        originals = {c.name: original_of(unit, lowered, c) for c in group}
    except CannotWiden as known:
        return _Work(group, {}, known.kept)
    function = group[0].function
    if not any(o.instances for o in originals.values()):
        return _Work(group, {}, Kept(function.name, "it is never launched", function.name_span))
    reason = "nothing in it is known to follow from the width of a warp"
    return _Work(group, originals, Kept(function.name, reason, function.name_span))


def _attempt(unit: TranslationUnit, lower: Lower, work: list[_Work], *, bold: bool) -> None:
    """Changes all groups at once, since none has a part of another's text, and proves each on its own."""
    tried: list[tuple[_Work, Change]] = []
    for item in work:
        change = change_of(unit, item.group, bold=bold)
        if not change.edits or change == item.change:
            continue
        obstacle = outside(unit, [c.function for c in item.group], change.edits)
        if obstacle is None:
            tried.append((item, change))
        elif item.change is None:
            item.reason = obstacle
    if not tried:
        return
    edits = tuple(edit for _, change in tried for edit in change.edits)
    text = _DECLARATIONS.encode() + apply_edits(unit.source.data, edits)
    changed = lower(SourceText(unit.source.path, text))
    for item, change in tried:
        result = _proved(unit, item, changed, edits)
        if not isinstance(result, Kept):
            item.hosts, item.change = result, change
            continue
        item.reason = item.reason if item.change is not None else result
        item.change = item.change or change


def _proved(
    unit: TranslationUnit, item: _Work, changed: tuple[LoweredKernel, ...], edits: tuple[Edit, ...]
) -> dict[str, HostChange | None] | Kept:
    """What the launches of each kernel of a group need, or the first place where one does something else."""
    hosts: dict[str, HostChange | None] = {}
    for name, original in item.originals.items():
        result = proved(original, changed)
        if isinstance(result, NotProved):
            span = _original(unit, edits, result.span) if result.in_changed else result.span
            return Kept(name, result.reason, span)
        hosts[name] = result
    return hosts


def _edits(item: _Work) -> list[Edit]:
    assert item.change is not None
    hosts = (item.hosts or {}).values()
    return [*item.change.edits, *(edit for host in hosts if host is not None for edit in host.edits)]


def _kept(candidate: Candidate, kept: Kept) -> Kept:
    if kept.kernel == candidate.name:
        return kept
    reason = f"it shares code with {kept.kernel}, which keeps them: {kept.reason}"
    return Kept(candidate.name, reason, candidate.function.name_span)


def _widened(candidate: Candidate, host: HostChange | None) -> WidenedKernel:
    what = "shuffles, votes and lane arithmetic of 64 lanes" + (f", {host.summary}" if host else "")
    names = tuple(r.name for r in candidate.regions)
    scale = host.grid_scale if host else 1
    return WidenedKernel(candidate.name, what, candidate.function.name_span, names, scale)


def _original(unit: TranslationUnit, edits: Iterable[Edit], span: Span) -> Span:
    """The line, from there on, of a place in the changed text."""
    if span.path != unit.source.path:
        return span
    start = span.start - len(_DECLARATIONS)
    for edit in sorted(edits):
        if edit.start >= start:
            break
        start = max(start - len(edit.replacement) + edit.end - edit.start, edit.start)
    start = max(0, min(start, len(unit.source.data) - 1))
    end = unit.source.text.find("\n", start)
    return unit.source.span(start, end if end > start else start + 1)
