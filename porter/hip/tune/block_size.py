"""Blocks that fill whole wavefronts, for elementwise kernels.

The licence: in an elementwise kernel with a bound the size of a block decides only which thread does an
element, as long as the grid covers the elements. The grid must therefore be the bound
divided by the block, rounded up, or the kernel a grid-stride loop; block and grid then change together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.analysis.elementwise import NotElementwise
from porter.analysis.expressions import without_casts
from porter.core.edit import Edit
from porter.cuda import kir
from porter.cuda.constants import fold, lookup_in
from porter.cuda.launch import LaunchSite
from porter.cuda.tokens import Kind, Token, split_arguments
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
    tokens = view.unit.tokenized.code
    first, last = (view.unit.tokenized.code_index(at) for at in (launch.span.start, launch.span.end))
    start = next((i for i in range(first, last) if tokens[i].text == "<<<"), None)
    stop = next((i for i in range(first, last) if tokens[i].text == ">>>"), None)
    if start is None or stop is None:
        return None
    parts = [tokens[a:b] for a, b in split_arguments(tokens, start + 1, stop)]
    grid, block = (*parts, (), ())[:2]
    if [t.text for t in block] != [str(old)]:
        return None
    rounded = _rounding_up(grid, old)
    if rounded is not None and not _is_loop(view):
        bound = "".join(t.text for t in grid[1 : rounded.bound_ends])
        rounded = rounded if _is_bound(view, launch, bound) else None
    if rounded is None and not _is_loop(view):
        return None
    numbers = (block[0],) if rounded is None else (*rounded.numbers, block[0])
    wanted = {str(old): str(new), str(old - 1): str(new - 1)}
    return tuple(Edit(t.start, t.end, wanted[t.text].encode(), "whole wavefronts") for t in numbers)


@dataclass(frozen=True)
class _RoundingUp:
    """`(bound + 95) / 96` or `(bound + 96 - 1) / 96`: where the bound's tokens end, and the numbers."""

    bound_ends: int
    numbers: tuple[Token, Token]


def _rounding_up(grid: tuple[Token, ...], old: int) -> _RoundingUp | None:
    words = [t.text for t in grid]
    for term in ([str(old - 1)], [str(old), "-", "1"]):
        tail = ["+", *term, ")", "/", str(old)]
        if words[:1] == ["("] and len(words) > len(tail) + 1 and words[-len(tail) :] == tail:
            ends = len(words) - len(tail)
            return _RoundingUp(ends, (grid[ends + 1], grid[-1]))
    return None


def _is_loop(view: KernelView) -> bool:
    """A grid-stride loop needs no particular grid."""
    return not isinstance(view.form, NotElementwise) and view.form.loop is not None


def _is_bound(view: KernelView, launch: LaunchSite, text: str) -> bool:
    """Whether `text` is what the launch passes for the kernel's bound."""
    assert not isinstance(view.form, NotElementwise)
    bound = None if view.form.bound is None else without_casts(view.form.bound)
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
    """Every mention of the constant is its definition, the launch's block and grid, or the value of the
    grid's name. A kernel that takes it as an argument would compute with another number."""
    grid = launch.grid.strip()
    value = dict(launch.resolved).get(grid, "")
    if value and _mentions(view, grid) != 2:
        return False
    return _mentions(view, name) == 2 + _words(launch.grid, name) + _words(value, name)


def _mentions(view: KernelView, name: str) -> int:
    return sum(t.text == name for t in view.unit.references)


def _words(text: str, name: str) -> int:
    return len(re.findall(rf"\b{re.escape(name)}\b", text))
