"""The kernels of a file on wavefronts of 64 lanes: an edited text, and the proof that it does the same.

For each kernel the constants and collectives that speak of a warp are changed. The changed file is then read anew,
and both versions of each kernel are executed for one block of every size it is launched with, on symbolic data:
only where every store and atomic is the same, whatever the data, is the change kept. So what an edit misses, or
changes for nothing, costs a widening and never a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from porter.analysis.effects.compare import Differs, compare_effects
from porter.analysis.effects.state import BlockOf
from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText, Span
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered
from porter.cuda.structure import Function
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hip.widen.collectives import mask_edits, shuffle_widths, votes
from porter.hip.widen.constants import marked
from porter.hip.widen.host import Block, HostChange, NoLaunch, all_launched, blocks_of, twice_the_blocks, wider_blocks
from porter.hip.widen.named import named_edits
from porter.hip.widen.records import Kept, WidenedKernel, Widening
from porter.hip.widen.regions import Region, regions_of, works_in_warps

Lower = Callable[[SourceText], tuple[LoweredKernel, ...]]
"""Reads a changed file: `lower_kernels` with what the compilation is given."""

_DECLARATIONS = (
    "__device__ inline unsigned long long porter_ballot_wavefront(int v) { return __ballot_sync(0xffffffffu, v); } "
    "__device__ inline int porter_any_wavefront(int v) { return __any_sync(0xffffffffu, v); } "
    "__device__ inline int porter_all_wavefront(int v) { return __all_sync(0xffffffffu, v); } "
)


@dataclass(frozen=True)
class _Candidate:
    function: Function
    regions: tuple[Region, ...]


@dataclass(frozen=True)
class _Change:
    """Edits of device code, and the definitions that they call."""

    edits: tuple[Edit, ...]
    shims: frozenset[str]


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
    candidates = [_Candidate(f, regions_of(unit, f)) for f in unit.kernels]
    candidates = [c for c in candidates if works_in_warps(c.regions)]
    kept: list[Kept] = []
    chosen: list[tuple[_Group, _Change, HostChange | None]] = []
    for group in _groups(candidates):
        names = [c.function.name for c in group]
        if not all(map(wanted, names)) or without.intersection(names):
            continue
        result = _widen_group(unit, known, lower, group)
        if isinstance(result, Kept):
            kept += [_for(c, result) for c in group]
        else:
            chosen.append((group, *result))
    edits = [e for _, change, host in chosen for e in (*change.edits, *(host.edits if host else ()))]
    text = apply_edits(unit.source.data, edits)
    return Widening(
        read_translation_unit(SourceText(unit.source.path, text)) if edits else unit,
        frozenset(s for _, change, _ in chosen for s in change.shims),
        tuple(_widened(c, host) for group, _, host in chosen for c in group),
        tuple(kept),
    )


_Group = tuple[_Candidate, ...]


def _groups(candidates: list[_Candidate]) -> list[_Group]:
    """Kernels that share a function or a macro with warp code change together."""
    groups: list[list[_Candidate]] = []
    for candidate in candidates:
        own = _shared(candidate)
        joined = [g for g in groups if any(own & _shared(c) for c in g)]
        rest = [g for g in groups if g not in joined]
        groups = [*rest, [c for g in joined for c in g] + [candidate]]
    return [tuple(sorted(g, key=lambda c: c.function.span)) for g in groups]


def _shared(candidate: _Candidate) -> set[int]:
    return {r.tokens[0].start for r in candidate.regions if r.tokens and works_in_warps((r,))}


def _for(candidate: _Candidate, kept: Kept) -> Kept:
    name = candidate.function.name
    if kept.kernel == name:
        return kept
    return Kept(name, f"it shares code with {kept.kernel}, which keeps them: {kept.reason}", candidate.function.name_span)


def _widened(candidate: _Candidate, host: HostChange | None) -> WidenedKernel:
    what = "shuffles, votes and lane arithmetic of 64 lanes" + (f", {host.summary}" if host else "")
    names = tuple(r.name for r in candidate.regions)
    return WidenedKernel(candidate.function.name, what, candidate.function.name_span, names)


# --- one group -------------------------------------------------------------------------------------------


def _widen_group(
    unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], lower: Lower, group: _Group
) -> tuple[_Change, HostChange | None] | Kept:
    """Tries the bolder edits first, and each way of giving the kernels as many warps as they had."""
    try:
        kernels = {c.function.name: _instances(unit, lowered, c) for c in group}
    except _CannotWiden as reason:
        return reason.kept
    first: Kept | None = None
    for bold in (True, False):
        change = _change(unit, group, bold=bold)
        if not change.edits:
            return Kept(group[0].function.name, "nothing in it is known to follow from the width of a warp", group[0].function.name_span)
        for scale, host in _hosts(unit, group, kernels):
            result = _proved(unit, lower, change, host, kernels, scale)
            if result is None:
                return change, host
            first = first or result
    assert first is not None
    return first


class _CannotWiden(Exception):
    def __init__(self, kept: Kept) -> None:
        super().__init__(kept.reason)
        self.kept = kept


_Instances = tuple[tuple[Kernel, tuple[Block, ...]], ...]


def _instances(unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], candidate: _Candidate) -> _Instances:
    """Each instantiation with the blocks that it is launched with. Raises _CannotWiden."""
    function = candidate.function
    name = function.name
    if sum(f.name == name for f in unit.kernels) > 1:
        raise _CannotWiden(Kept(name, "several kernels of the file have this name", function.name_span))
    for item in lowered:
        if isinstance(item, NotLowered) and item.kernel_name == name:
            raise _CannotWiden(Kept(name, f"it cannot be analysed: {item.diagnostic.message}", item.diagnostic.span))
    own = [k.kernel for k in lowered if isinstance(k, Lowered) and k.kernel.name == name]
    if not own or not all_launched(unit, function):
        reason = "not every launch of it is known: another file, or a use of its name, may launch it otherwise"
        raise _CannotWiden(Kept(name, reason, function.name_span))
    try:
        return tuple((kernel, blocks_of(unit, function, kernel)) for kernel in own)
    except NoLaunch as reason:
        span = reason.launch.span if reason.launch else function.name_span
        raise _CannotWiden(Kept(name, reason.reason, span)) from None


def _change(unit: TranslationUnit, group: _Group, *, bold: bool) -> _Change:
    regions = tuple({r.tokens[0].start: r for c in group for r in c.regions if r.tokens}.values())
    found = [marked(region, bold=bold) for region in regions]
    uses: dict[str, int] = {token.text: value for m in found for token, value in m.uses}
    voted = [vote for region in regions for vote in votes(region)]
    edits = [
        *(edit for m in found for edit in m.edits),
        *named_edits(unit, regions, uses),
        *(edit for region in regions for edit in shuffle_widths(region)),
        *(edit for edit, _ in voted),
        *mask_edits(regions),
    ]
    return _Change(_settled(edits), frozenset(shim for _, shim in voted))


def _settled(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Without those that lie in a larger one, as a mask that a vote drops."""
    kept: list[Edit] = []
    for edit in sorted(set(edits), key=lambda e: (e.start, -(e.end - e.start))):
        if kept and edit.start < kept[-1].end:
            continue
        kept.append(edit)
    return tuple(kept)


def _hosts(
    unit: TranslationUnit, group: _Group, kernels: dict[str, _Instances]
) -> Iterable[tuple[str, HostChange | None]]:
    yield "", None
    if len(group) > 1:
        return  # kernels of one group may need different launches; none is changed
    function = group[0].function
    wider = wider_blocks(unit, function, tuple(b for _, blocks in kernels[function.name] for b in blocks))
    if wider is not None:
        yield "block", wider
    more = twice_the_blocks(unit, function)
    if more is not None:
        yield "grid", more


def _proved(
    unit: TranslationUnit,
    lower: Lower,
    change: _Change,
    host: HostChange | None,
    kernels: dict[str, _Instances],
    scale: str,
) -> Kept | None:
    """None where the changed text does what the original does; else the first place where it does not."""
    edits = (*change.edits, *(host.edits if host else ()))
    text = _DECLARATIONS.encode() + apply_edits(unit.source.data, edits)
    changed = lower(SourceText(unit.source.path, text))
    for name, instances in kernels.items():
        own = [k.kernel for k in changed if isinstance(k, Lowered) and k.kernel.name == name]
        broken = next((k for k in changed if isinstance(k, NotLowered) and k.kernel_name == name), None)
        if broken is not None or len(own) != len(instances):
            span = _original(unit, edits, broken.diagnostic.span) if broken else instances[0][0].span
            reason = broken.diagnostic.message if broken else "its instantiations would change"
            return Kept(name, f"with 64 lanes it cannot be analysed: {reason}", span)
        for (kernel, blocks), other in zip(instances, own, strict=True):
            for block in blocks:
                differs = _compared(kernel, block, other, scale)
                if differs is not None:
                    span = _original(unit, edits, differs.span) if differs.in_other else differs.span
                    return Kept(name, differs.reason, span)
    return None


def _compared(kernel: Kernel, block: Block, other: Kernel, scale: str) -> Differs | None:
    x, y, z = block
    if scale == "block":
        blocks = [BlockOf((2 * x, y, z))]
    elif scale == "grid":
        blocks = [BlockOf(block, 2, 0), BlockOf(block, 2, 1)]
    else:
        blocks = [BlockOf(block)]
    if blocks[0].threads % 64:
        return Differs(f"blocks of {x * y * z} threads are no whole wavefronts", kernel.span, in_other=False)
    return compare_effects(kernel, BlockOf(block), other, blocks)


def _original(unit: TranslationUnit, edits: Iterable[Edit], span: Span) -> Span:
    """The place in the source of a place in the changed text."""
    if span.path != unit.source.path:
        return span
    start = span.start - len(_DECLARATIONS)
    for edit in sorted(edits):
        if edit.start >= start:
            break
        start -= len(edit.replacement) - (edit.end - edit.start)
        start = max(start, edit.start)
    start = max(0, min(start, len(unit.source.data) - 1))
    line = unit.source.position(start)[0]
    end = unit.source.text.find("\n", start)
    del line
    return unit.source.span(start, end if end > start else start + 1)


def tokens_of(regions: Iterable[Region]) -> tuple[Token, ...]:
    return tuple(t for r in regions for t in r.tokens)
