"""The proof that a changed kernel does what the original does, for every block that it is launched with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.analysis.effects.collectives import WAVEFRONT_SIZE
from porter.analysis.effects.compare import Differs, Reference, difference, reference_of
from porter.analysis.effects.state import BlockOf
from porter.core.span import Span
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.buffers import shared_buffers
from porter.hip.widen.groups import Candidate
from porter.hip.widen.host import (
    Block,
    HostChange,
    NoLaunch,
    blocks_of,
    twice_the_blocks,
    wider_blocks,
)
from porter.hip.widen.launched import unseen_launches
from porter.hip.widen.obstacles import conditional_text
from porter.hip.widen.records import Kept


class CannotWiden(Exception):
    """Why a kernel keeps its groups, whatever the edits."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(kept.reason)
        self.kept = kept


@dataclass(frozen=True)
class Original:
    """A kernel's instantiations, each with what a block of every size that it is launched with does.

    `hosts` are the ways to give it as many wavefronts as it had warps; None leaves its launches alone.
    """

    function: Function
    instances: tuple[tuple[Kernel, tuple[tuple[Block, Reference], ...]], ...]
    hosts: tuple[HostChange | None, ...]


def original_of(unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], candidate: Candidate) -> Original:
    """What has to stay. Raises CannotWiden."""
    function, name = candidate.function, candidate.name
    if sum(f.name == name for f in unit.kernels) > 1:
        raise CannotWiden(Kept(name, "several kernels of the file have this name", function.name_span))
    unseen = unseen_launches(unit, function)
    if unseen is not None:
        raise CannotWiden(unseen)
    if not any(x.kernel == name for x in unit.launches):
        return Original(function, (), (None,))  # never launched: it does nothing
    obstacle = conditional_text(unit, function, candidate.regions)
    if obstacle is not None:
        raise CannotWiden(obstacle)
    for item in lowered:
        if isinstance(item, NotLowered) and item.kernel_name == name:
            reason = f"it cannot be analysed: {item.diagnostic.message}"
            raise CannotWiden(Kept(name, reason, item.diagnostic.span))
    own = [k.kernel for k in lowered if isinstance(k, Lowered) and k.kernel.name == name]
    instances = tuple((kernel, _references(unit, function, kernel)) for kernel in own)
    aliased = shared_buffers(unit, function)
    if aliased is not None:
        raise CannotWiden(aliased)
    blocks = tuple(block for _, known in instances for block, _ in known)
    changes = (wider_blocks(unit, function, blocks), twice_the_blocks(unit, function))
    return Original(function, instances, (None, *(c for c in changes if c is not None)))


def _references(
    unit: TranslationUnit, function: Function, kernel: Kernel
) -> tuple[tuple[Block, Reference], ...]:
    try:
        blocks = blocks_of(unit, kernel)
    except NoLaunch as unknown:
        span = unknown.launch.span if unknown.launch else function.name_span
        raise CannotWiden(Kept(function.name, unknown.reason, span)) from None
    found: list[tuple[Block, Reference]] = []
    for block in blocks:
        reference = reference_of(kernel, BlockOf(block))
        if isinstance(reference, Differs):
            raise CannotWiden(Kept(function.name, reference.reason, reference.span))
        found.append((block, reference))
    return tuple(found)


@dataclass(frozen=True)
class NotProved:
    """`in_changed`: the place is in the changed text."""

    reason: str
    span: Span
    in_changed: bool


def proved(original: Original, changed: Iterable[LoweredKernel]) -> HostChange | NotProved | None:
    """The first of `original.hosts` with which the changed kernel does the same; else where it does not."""
    first: NotProved | None = None
    for host in original.hosts:
        wrong = _difference(original, tuple(changed), host)
        if wrong is None:
            return host
        first = first or wrong
    return first


def _difference(
    original: Original, changed: tuple[LoweredKernel, ...], host: HostChange | None
) -> NotProved | None:
    name = original.function.name
    own = [k.kernel for k in changed if isinstance(k, Lowered) and k.kernel.name == name]
    broken = next((k for k in changed if isinstance(k, NotLowered) and k.kernel_name == name), None)
    if not original.instances:
        return None
    if broken is not None:
        reason = f"with 64 lanes it cannot be analysed: {broken.diagnostic.message}"
        return NotProved(reason, broken.diagnostic.span, in_changed=True)
    if len(own) != len(original.instances):
        return NotProved("its instantiations would change", original.function.name_span, in_changed=False)
    for (_, known), other in zip(original.instances, own, strict=True):
        for block, reference in known:
            wrong = _of_block(original, block, reference, other, host)
            if wrong is not None:
                return wrong
    return None


def _of_block(
    original: Original, block: Block, reference: Reference, other: Kernel, host: HostChange | None
) -> NotProved | None:
    x, y, z = block
    grid, width = (host.grid_scale, host.block_scale) if host else (1, 1)
    if width * x * y * z % WAVEFRONT_SIZE:
        reason = f"blocks of {x * y * z} threads are no whole wavefronts"
        return NotProved(reason, original.function.name_span, in_changed=False)
    blocks = [BlockOf((width * x, y, z), grid, offset) for offset in range(grid)]
    differs = difference(reference, other, blocks)
    return None if differs is None else NotProved(differs.reason, differs.span, differs.in_other)
