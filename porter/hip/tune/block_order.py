"""Blocks that read the same memory on one die, so that it comes into that die's L2 once.

MI300 and MI350 have eight dies with an L2 each and deal consecutive blocks to them in turn. The licence: CUDA
gives blocks no order, so any permutation of them is the same kernel; every mention of `blockIdx` in the
kernel is renamed, and none may be in a function or macro. Kernels whose blocks can tell each other anything
(atomics, fences, volatile) keep their order: some wait for blocks with lower numbers, which hardware starts
first. It is offered only where a model of the L2s says
that less memory moves: each die runs its blocks in order, as many at a time as it has compute units, and
keeps the distinct parts of memory that these read.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porter.analysis.access_walk import AccessWalk
from porter.analysis.lane_values import LaneValue
from porter.analysis.sizes import size_bytes
from porter.analysis.walk import walk
from porter.core.edit import Edit
from porter.cuda import kir
from porter.hip.tune.qualifiers import says_volatile
from porter.hip.tune.records import ACROSS_DIES, Change, Fix, KernelView, Measure, NotApplicable, Proposal

_MOST_BLOCKS = 1 << 16
_WORTH = 0.9
"""The share of memory that may be left for the change to be worth a finding."""


def scattered_blocks(view: KernelView) -> Proposal | None:
    """A kernel whose blocks share what they read across dies, and more than they would in another order."""
    grid, dies = view.shape.grid, view.gpu.dies
    if grid is None or dies < 2 or not dies <= grid[0] * grid[1] <= _MOST_BLOCKS:
        return None
    shared = _shared_loads(view)
    if not shared:
        return None
    before, after = _parts(view, shared, in_turn=True), _parts(view, shared, in_turn=False)
    if after > _WORTH * before:
        return None
    names = ", ".join(dict.fromkeys(name for name, _, _ in shared))
    message = (
        f"blocks of {view.kernel.name} that read the same parts of {names} run on different dies: "
        f"{before} parts are read into the {dies} L2s where {after} would do"
    )
    return Proposal(
        ACROSS_DIES, view.kernel.name, message, view.function.name_span, _fix(view, before, after)
    )


_Load = tuple[str, bool, bool]
"""A buffer, and whether the part that a block reads changes with blockIdx.x and blockIdx.y."""


def _shared_loads(view: KernelView) -> tuple[_Load, ...]:
    """Loads that repeat in a loop and that blocks of one row or one column of the grid have in common."""
    walked = AccessWalk(view.kernel, view.shape)
    walked.run()
    found: dict[_Load, None] = {}
    for access in walked.accesses:
        if (
            access.operation != "load"
            or access.root.storage is not kir.Storage.PARAMETER
            or not access.in_loop
        ):
            continue
        if not isinstance(access.offset, LaneValue) or not size_bytes(access.type):
            continue
        names = {s.name for s in access.offset.symbols()}
        load = (access.root.name, "blockIdx.x" in names, "blockIdx.y" in names)
        if load[1] != load[2]:
            found[load] = None
    return tuple(found)


def _parts(view: KernelView, loads: tuple[_Load, ...], *, in_turn: bool) -> int:
    """How many parts all dies together read; a part is what one block reads of one buffer."""
    grid = view.shape.grid
    assert grid is not None
    columns, total, dies = grid[0], grid[0] * grid[1], view.gpu.dies
    at_once = max(view.gpu.compute_units // dies, 1)
    read = 0
    for die in range(dies):
        own = range(die, total, dies) if in_turn else _piece(die, dies, total)
        for start in range(0, len(own), at_once):
            blocks = own[start : start + at_once]
            read += _distinct(blocks, columns, loads)
    return read


def _piece(die: int, dies: int, total: int) -> range:
    """The blocks of a die in the new order, as `shims/xcd_block.h` gives them."""
    share, longer = divmod(total, dies)
    first = die * share + min(die, longer)
    return range(first, first + share + (die < longer))


def _distinct(blocks: Iterable[int], columns: int, loads: tuple[_Load, ...]) -> int:
    parts = {
        (name, block % columns if by_x else -1, block // columns if by_y else -1)
        for block in blocks
        for name, by_x, by_y in loads
    }
    return len(parts)


def _told_apart(view: KernelView) -> str | None:
    """How a block could learn what another one has done; None where it cannot."""
    bodies = (view.kernel.body, *(f.body for f in view.kernel.functions.values()))
    for node in (n for body in bodies for n in walk(body)):
        if isinstance(node, kir.Call) and node.name.startswith("atomic"):
            return f"line {node.span.line} has an atomic operation"
        if isinstance(node, kir.Barrier) and node.scope == "fence":
            return f"line {node.span.line} has a fence"
    spans = (view.function.span, *(f.span for f in view.kernel.functions.values()))
    for span in spans:
        if span.path != view.unit.source.path:
            return f"a function of {Path(span.path).name} may do more than is seen here"
        if says_volatile(view.text(span)):
            return "memory is volatile"
    return None


def _fix(view: KernelView, before: int, after: int) -> Fix:
    if view.instances > 1:
        return NotApplicable("the template has several instantiations")
    body = view.function.body
    assert body is not None
    if (told := _told_apart(view)) is not None:
        return NotApplicable(f"{told}: a block may wait for blocks with lower numbers")
    for function in view.kernel.functions.values():
        if any(isinstance(n, kir.Builtin) and n.name in ("blockIdx", "gridDim") for n in walk(function.body)):
            return NotApplicable(f"`{function.name}` uses the block's number itself")
    tokens = view.unit.tokenized.code
    first, last = (view.unit.tokenized.code_index(at) for at in (body.start, body.end))
    own = [t for t in tokens[first:last] if t.text == "blockIdx"]
    places = {n.span for n in walk(view.kernel.body) if isinstance(n, kir.Builtin) and n.name == "blockIdx"}
    if any(not any(t.start <= s.start < t.end for t in own) for s in places):
        return NotApplicable("a macro uses the block's number")
    start = body.start + 1
    text = f"\n  const uint3 porter_block = porter_xcd_block<{view.gpu.dies}>();"
    edits = [Edit(start, start, text.encode(), "neighbouring blocks on one die")]
    edits += [Edit(t.start, t.end, b"porter_block", "neighbouring blocks on one die") for t in own]
    return Change(
        tuple(edits),
        f"neighbouring blocks run on one of the {view.gpu.dies} dies",
        (Measure("parts of memory read into all L2s", before, after),),
        frozenset(("xcd_block",)),
    )
