"""The components of a vector in one access: `_load4(x_ptr + i * 4, mask)` for four loads next to each other.

Each of four loads of 4 bytes at a distance of 16 fetches every cache line anew; together they are one load
of 16 bytes a lane. The statements have to follow each other, so that nothing happens in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from porter.tile import ir
from porter.tile.layout import Layout

_WIDTHS = (4, 2)


@dataclass(frozen=True)
class Joined:
    """The kernel, and the module's functions it now calls."""

    kernel: ir.TileKernel
    functions: frozenset[str]


def join_accesses(kernel: ir.TileKernel, layout: Layout) -> Joined:
    """For threads along one axis or two; the components are one axis more."""
    if len(layout.axes) > 2:
        return Joined(kernel, frozenset())
    used: set[str] = set()
    body = _block(kernel.body, layout, used)
    return Joined(replace(kernel, body=body), frozenset(used))


def _block(body: tuple[ir.Stmt, ...], layout: Layout, used: set[str]) -> tuple[ir.Stmt, ...]:
    statements: list[ir.Stmt] = []
    position = 0
    while position < len(body):
        run, joined = _joined_at(body, position, layout)
        if joined is None:
            statements.append(ir.with_bodies(body[position], lambda inner: _block(inner, layout, used)))
        else:
            used.add(joined[0])
            statements.append(joined[1])
        position += run
    return tuple(statements)


def _joined_at(
    body: tuple[ir.Stmt, ...], position: int, layout: Layout
) -> tuple[int, tuple[str, ir.Stmt] | None]:
    """How many statements from here on are one access, and that access with the function it calls."""
    for width in _WIDTHS:
        run = body[position : position + width]
        joined = _load(run, width, layout) or _store(run, width, layout)
        if joined is not None:
            return width, joined
    return 1, None


def _load(run: Sequence[ir.Stmt], width: int, layout: Layout) -> tuple[str, ir.Stmt] | None:
    calls = [s.value for s in run if isinstance(s, ir.Let) and isinstance(s.value, ir.Invoke)]
    if len(calls) != width or not _are_components(calls, "tl.load", layout):
        return None
    names = [s.target for s in run if isinstance(s, ir.Let)]
    needed = {name for operand in ir.operands(calls[0]) for name in ir.names_in(operand)}
    if needed & set(names):
        return None  # one of them is needed to find the next
    keywords = dict(calls[0].keywords)
    mask, other = keywords.get("mask", ir.Text("None")), keywords.get("other")
    beyond = () if other is None else (("other", other),)
    function = _named(f"load{width}", layout)
    value = ir.Invoke(f"_{function}", (calls[0].arguments[0], mask), calls[0].type, beyond)
    return function, ir.Let(", ".join(names), value, _comments(run))


def _named(function: str, layout: Layout) -> str:
    return function if len(layout.axes) == 1 else f"{function}_rows"


def _store(run: Sequence[ir.Stmt], width: int, layout: Layout) -> tuple[str, ir.Stmt] | None:
    calls = [s.value for s in run if isinstance(s, ir.Do) and isinstance(s.value, ir.Invoke)]
    if len(calls) != width or not _are_components(calls, "tl.store", layout):
        return None
    values = [call.arguments[1] for call in calls]
    if any(v.type != values[0].type or v.type.axes != layout.all_axes or ir.is_weak(v) for v in values):
        return None
    if any(_mentions(value, "tl.load") for value in values):
        return None  # it may read what the store before it wrote
    mask = dict(calls[0].keywords).get("mask", ir.Text("None"))
    function = _named(f"store{width}", layout)
    value = ir.Invoke(f"_{function}", (calls[0].arguments[0], *values, mask), calls[0].type)
    return function, ir.Do(value, _comments(run))


def _are_components(calls: Sequence[ir.Invoke], function: str, layout: Layout) -> bool:
    """Of one kind at following places under one mask, with nothing else said of them."""
    first = calls[0]
    if any(call.function != function or call.keywords != first.keywords for call in calls):
        return False
    if not {keyword for keyword, _ in first.keywords} <= {"mask", "other"}:
        return False
    pointers = [call.arguments[0] for call in calls]
    if pointers[0].type.axes != layout.all_axes:
        return False
    return all(_is_further(pointer, pointers[0], k) for k, pointer in enumerate(pointers) if k)


def _is_further(pointer: ir.Expr, first: ir.Expr, distance: int) -> bool:
    """Whether it is `first + distance`, in whichever order the sum is taken."""
    match pointer:
        case ir.Infix(op="+", left=left, right=ir.Literal(value=value)) if value == distance:
            return left == first
        case ir.Infix(op="+", left=left, right=right) if isinstance(first, ir.Infix) and first.op == "+":
            return left == first.left and _is_further(right, first.right, distance)
    return False


def _mentions(expr: ir.Expr, function: str) -> bool:
    is_call = isinstance(expr, ir.Invoke) and expr.function == function
    return is_call or any(_mentions(operand, function) for operand in ir.operands(expr))


def _comments(run: Sequence[ir.Stmt]) -> tuple[str, ...]:
    return tuple(line for s in run if isinstance(s, (ir.Let, ir.Do)) for line in s.comments)
