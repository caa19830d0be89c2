"""Accesses whose neighbouring lanes are in different lines of memory, and what LDS can do about them."""

from __future__ import annotations

from porter.analysis.memory_access import Coalescing, GlobalAccess, Pattern
from porter.hip.tune.records import UNCOALESCED, Change, Fix, KernelView, NotApplicable, Proposal
from porter.hip.tune.stage_records import staged_records
from porter.hip.tune.stage_transposed import transposed_access

_MOST_WASTEFUL = 0.5
"""Half of what moves is used at most: tiles of 16 floats in rows of their own are no finding."""


def uncoalesced_accesses(view: KernelView) -> Proposal | None:
    """The kernel's wasteful accesses as one finding at the worst of them."""
    wasteful = [a for a in view.accesses.global_accesses if _is_wasteful(a)]
    if not wasteful:
        return None
    worst = min(wasteful, key=_efficiency)
    names = ", ".join(dict.fromkeys(a.buffer for a in wasteful))
    found = worst.coalescing
    assert isinstance(found, Coalescing)
    apart = f", lanes {found.stride_bytes} bytes apart" if found.stride_bytes and not worst.pitch else ""
    if worst.pitch:
        apart = f", lanes a pitch ({', '.join(worst.pitch)}) apart"
    message = (
        f"accesses to {names} use {100 * found.efficiency:.0f} % of the bytes that they move{apart}: "
        f"{found.moved_bytes} bytes a block for {found.useful_bytes}"
    )
    return Proposal(UNCOALESCED, view.kernel.name, message, worst.span, _fix(view, tuple(wasteful)))


def _is_wasteful(access: GlobalAccess) -> bool:
    found = access.coalescing
    return (
        isinstance(found, Coalescing)
        and found.pattern in (Pattern.STRIDED, Pattern.SCATTERED)
        and found.efficiency < _MOST_WASTEFUL
        and abs(found.stride_bytes or 0) > access.bytes_per_lane
    )


def _efficiency(access: GlobalAccess) -> float:
    return access.coalescing.efficiency if isinstance(access.coalescing, Coalescing) else 1.0


def _fix(view: KernelView, wasteful: tuple[GlobalAccess, ...]) -> Fix:
    if view.shape.block[1] > 1:
        return transposed_access(view, tuple(a.span for a in wasteful))
    records = staged_records(view)
    if isinstance(records, Change) or not any(a.pitch for a in wasteful):
        return records
    return NotApplicable("the pitch is not known: exchange the roles of the indices, or change the layout")
