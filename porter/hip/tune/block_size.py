"""Blocks that fill whole wavefronts, for elementwise kernels.

The licence: in an elementwise kernel with a bound the size of a block decides only which thread does an
element, as long as the grid covers the elements. The grid must therefore be the bound
divided by the block, rounded up, or the kernel a grid-stride loop; block and grid then change together.
"""

from __future__ import annotations

import re

from porter.analysis.elementwise import NotElementwise
from porter.core.edit import Edit
from porter.cuda import kir
from porter.cuda.constants import fold, lookup_in
from porter.cuda.launch import LaunchSite
from porter.cuda.tokens import Kind
from porter.hip.tune.records import IDLE_LANES, Change, Fix, KernelView, Measure, NotApplicable, Proposal


def idle_lanes(view: KernelView) -> Proposal | None:
    """A launch whose block is no multiple of the wavefront."""
    wave = view.gpu.compute.wavefront_size
    for launch in view.launches:
        if launch.block_dim is None:
            continue
        x, y, z = launch.block_dim
        threads = x * y * z
        if threads % wave:
            idle = -threads % wave
            message = f"blocks of {threads} threads leave {idle} lanes of a wavefront of {wave} idle"
            return Proposal(IDLE_LANES, view.kernel.name, message, launch.span, _fix(view, launch, threads))
    return None


def _fix(view: KernelView, launch: LaunchSite, threads: int) -> Fix:
    wave = view.gpu.compute.wavefront_size
    if isinstance(view.form, NotElementwise):
        return NotApplicable(f"the block's size is part of what the kernel computes: {view.form.reason}")
    if view.form.bound is None:
        return NotApplicable("the kernel does not test its index, so the grid must match exactly")
    if len(view.launches) > 1 or not view.whole_program:
        return NotApplicable("the kernel is launched from several places")
    if launch.block_dim is None or launch.block_dim[1:] != (1, 1):
        return NotApplicable("the block has several dimensions")
    if view.kernel.launch_bounds and view.kernel.launch_bounds[0] < _rounded(threads, wave):
        return NotApplicable("the launch bound allows no larger block")
    new = _rounded(threads, wave)
    edits = _literals(view, launch, threads, new) or _definition(view, launch, threads, new)
    if isinstance(edits, NotApplicable):
        return edits
    return Change(
        edits,
        f"blocks of {new} threads instead of {threads}, in the launch and all uses",
        (
            Measure("lanes in use", 100 * threads / new, 100, "%"),
            Measure("wavefronts for 1,000,000 elements", *_wavefronts(threads, wave)),
        ),
    )


def _wavefronts(threads: int, wave: int) -> tuple[float, float]:
    new = _rounded(threads, wave)
    return -(-1_000_000 // threads) * (new // wave), -(-1_000_000 // new) * (new // wave)


def _rounded(threads: int, wave: int) -> int:
    return -(-threads // wave) * wave


def _literals(view: KernelView, launch: LaunchSite, old: int, new: int) -> tuple[Edit, ...] | None:
    """`<<<(n + 95) / 96, 96>>>`: the numbers in the launch itself; None where they are not all there."""
    plain = re.sub(r"\s+", "", launch.grid)
    covers = re.fullmatch(rf"\((.+)\+(?:{old - 1}|{old}-1)\)/{old}", plain)
    follows = _is_loop(view) or (covers is not None and _is_bound(view, launch, covers[1]))
    if launch.block.strip() != str(old) or not follows:
        return None
    tokens = view.unit.tokenized.code
    first, last = (view.unit.tokenized.code_index(at) for at in (launch.span.start, launch.span.end))
    start = next(i for i in range(first, last) if tokens[i].text == "<<<")
    stop = next(i for i in range(start, last) if tokens[i].text == ">>>")
    wanted = {str(old): str(new), str(old - 1): str(new - 1)}
    return tuple(
        Edit(t.start, t.end, wanted[t.text].encode(), "whole wavefronts")
        for t in tokens[start:stop]
        if t.text in wanted
    )


def _is_loop(view: KernelView) -> bool:
    """A grid-stride loop needs no particular grid."""
    return not isinstance(view.form, NotElementwise) and view.form.loop is not None


def _is_bound(view: KernelView, launch: LaunchSite, text: str) -> bool:
    """Whether `text` is what the launch passes for the kernel's bound."""
    assert not isinstance(view.form, NotElementwise)
    bound = view.form.bound
    while isinstance(bound, kir.Cast):
        bound = bound.operand
    if not isinstance(bound, kir.VarRef):
        return False
    names = [p.name for p in view.kernel.parameters]
    at = names.index(bound.variable.name)
    return at < len(launch.arguments) and re.sub(r"\s+", "", launch.arguments[at]) == text


def _definition(view: KernelView, launch: LaunchSite, old: int, new: int) -> tuple[Edit, ...] | NotApplicable:
    """The one literal that both block and grid are computed from."""
    name = launch.block.strip()
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        return NotApplicable("the block's size is no constant that the grid is computed from")
    if not _is_loop(view) and not _grid_follows(view, launch, name):
        return NotApplicable(f"the grid is not the bound divided by `{name}`, rounded up")
    if not _used_in_launch_only(view, launch, name):
        return NotApplicable(f"`{name}` is used for more than this launch")
    tokens = [t for t in view.unit.tokenized.tokens if t.kind is not Kind.COMMENT]
    found = []
    for at, token in enumerate(tokens[:-2]):
        is_definition = tokens[at + 1].text == "=" or (at and tokens[at - 1].text == "define")
        literal = tokens[at + 2] if tokens[at + 1].text == "=" else tokens[at + 1]
        if token.text == name and is_definition and fold(literal.text, lookup_in()) == old:
            found.append(literal)
    if len(found) != 1:
        return NotApplicable(f"the definition of `{name}` is not one literal")
    return (Edit(found[0].start, found[0].end, str(new).encode(), "whole wavefronts"),)


def _grid_follows(view: KernelView, launch: LaunchSite, name: str) -> bool:
    """`(n + B - 1) / B` in the launch or as the value of the grid's name."""
    text = dict(launch.resolved).get(launch.grid.strip(), launch.grid)
    plain = re.sub(r"\s+", "", text)
    covers = re.fullmatch(rf"\((.+)\+{re.escape(name)}-1\)/{re.escape(name)}", plain)
    return covers is not None and _is_bound(view, launch, covers[1])


def _used_in_launch_only(view: KernelView, launch: LaunchSite, name: str) -> bool:
    """Every mention of the constant is its definition, the launch, or the value of the launch's grid."""
    grid = launch.grid.strip()
    value = dict(launch.resolved).get(grid, "")
    launched = view.text(launch.span)
    if value and _mentions(view, grid) != 1 + _words(launched, grid):
        return False
    return _mentions(view, name) == 1 + _words(launched, name) + _words(value, name)


def _mentions(view: KernelView, name: str) -> int:
    return sum(t.text == name for t in view.unit.references)


def _words(text: str, name: str) -> int:
    return len(re.findall(rf"\b{re.escape(name)}\b", text))
