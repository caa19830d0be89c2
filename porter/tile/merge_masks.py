"""Local rewrites of Tile IR that an author would make: `other=` on a load, conditions used once in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from porter.cuda.kir import BOOL
from porter.tile import ir

_PLAIN_MASK = "mask"


def merge_masks(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """`x = load(p, mask=m); y = where(m, x, 0)` is `y = load(p, mask=m, other=0)`; and see above."""
    return _inline_conditions(_blocks(body, _merge_other))


def count_uses(body: tuple[ir.Stmt, ...]) -> Counter[str]:
    """How often each name is read anywhere."""
    return Counter(
        name
        for statement in ir.all_statements(body)
        for expr in ir.own_expressions(statement)
        for name in ir.names_in(expr)
    )


Block = tuple[ir.Stmt, ...]


def _blocks(body: Block, change: Callable[[Block], Block]) -> Block:
    """`change` on every block, inner ones first."""
    return change(tuple(ir.with_bodies(s, lambda inner: _blocks(inner, change)) for s in body))


# --- other= ----------------------------------------------------------------------------------------


def _merge_other(block: Block) -> Block:
    uses = count_uses(block)  # a name made in a block is not read outside of it
    out: list[ir.Stmt] = []
    for statement in block:
        merged = _merged(statement, out, uses)
        if merged is not None:
            position, new_load, changed = merged
            if isinstance(changed, ir.Let) and changed.value == ir.Name(new_load.target, changed.value.type):
                del out[position]
                changed = ir.Let(changed.target, new_load.value, changed.comments)
            else:
                out[position] = new_load
            statement = changed
        out.append(statement)
    return tuple(out)


def _merged(
    statement: ir.Stmt, before: list[ir.Stmt], uses: Counter[str]
) -> tuple[int, ir.Let, ir.Stmt] | None:
    """The position of a load, the load with `other`, and the statement with the loaded name alone."""
    if not isinstance(statement, (ir.Let, ir.Do)):
        return None
    for select in _selects(statement.value):
        mask, value, other = select.arguments
        if not isinstance(value, ir.Name) or not isinstance(other, ir.Literal) or uses[value.name] != 1:
            continue
        for position in range(len(before) - 1, -1, -1):
            load = before[position]
            if not isinstance(load, ir.Let):
                break
            if load.target == value.name and _is_load(load.value, mask) and not load.comments:
                assert isinstance(load.value, ir.Invoke)
                keywords = (*load.value.keywords, ("other", other))
                changed = replace(statement, value=_replaced(statement.value, select, value))
                return position, ir.Let(load.target, replace(load.value, keywords=keywords)), changed
    return None


def _selects(expr: ir.Expr) -> list[ir.Invoke]:
    found = [expr] if isinstance(expr, ir.Invoke) and expr.function == "tl.where" else []
    return found + [select for operand in ir.operands(expr) for select in _selects(operand)]


def _is_load(expr: ir.Expr, mask: ir.Expr) -> bool:
    return isinstance(expr, ir.Invoke) and expr.function == "tl.load" and expr.keywords == (("mask", mask),)


def _replaced(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    if expr is old:
        return new
    operands = ir.operands(expr)
    return ir.with_operands(expr, tuple(_replaced(o, old, new) for o in operands)) if operands else expr


# --- conditions used once --------------------------------------------------------------------------


def _inline_conditions(body: Block) -> Block:
    return _blocks(body, _inlined)


def _inlined(block: Block) -> Block:
    uses = count_uses(block)
    out: list[ir.Stmt] = []
    pending: dict[str, ir.Expr] = {}
    for statement in block:
        own = " ".join(name for e in ir.own_expressions(statement) for name in ir.names_in(e)).split()
        if pending:
            used = {name: pending.pop(name) for name in own if name in pending}
            if used and not ir.bodies(statement):
                statement = ir.map_expressions(statement, lambda e: _in_place(e, used))  # noqa: B023
            elif used:
                out += [ir.Let(name, value) for name, value in used.items()]
        if _is_single_condition(statement, uses) and not _reassigned(statement, block):
            assert isinstance(statement, ir.Let)
            pending[statement.target] = _with_values(statement.value, pending)
            continue
        if ir.bodies(statement) or _assigns(statement, pending):
            out += [ir.Let(name, value) for name, value in pending.items()]
            pending = {}
        out.append(statement)
    return (*out, *(ir.Let(name, value) for name, value in pending.items()))


def _is_single_condition(statement: ir.Stmt, uses: Counter[str]) -> bool:
    return (
        isinstance(statement, ir.Let)
        and not statement.comments
        and statement.target != _PLAIN_MASK
        and uses[statement.target] == 1
        and statement.value.type.dtype == BOOL
        and _is_simple(statement.value, 0)
    )


def _is_simple(expr: ir.Expr, depth: int) -> bool:
    """A comparison or a conjunction of few names: short enough to read inside a call."""
    if isinstance(expr, (ir.Name, ir.Literal)):
        return True
    if isinstance(expr, ir.Prefix):
        return _is_simple(expr.operand, depth)
    return (
        isinstance(expr, ir.Infix)
        and depth < 2
        and all(_is_simple(side, depth + 1) for side in (expr.left, expr.right))
    )


def _reassigned(statement: ir.Stmt, block: Block) -> bool:
    """Whether the name or one it is made of is set more than once, so that the place matters."""
    assert isinstance(statement, ir.Let)
    names = {statement.target, *ir.names_in(statement.value)}
    targets = Counter(s.target for s in ir.all_statements(block) if isinstance(s, ir.Let))
    return any(targets[name] > 1 for name in names)


def _assigns(statement: ir.Stmt, pending: dict[str, ir.Expr]) -> bool:
    if not isinstance(statement, ir.Let):
        return False
    return any(statement.target in ir.names_in(value) for value in pending.values())


def _with_values(expr: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    return ir.map_expr(expr, lambda inner: _in_place(inner, values))


def _in_place(expr: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    return values[expr.name] if isinstance(expr, ir.Name) and expr.name in values else expr
