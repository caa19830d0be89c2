"""Counted loops: recognising them, and the part of a start value that all threads share."""

from __future__ import annotations

from dataclasses import dataclass

from porter.analysis.ranges import is_integer
from porter.analysis.walk import assigned_variables, root_variable, walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile.context import Context

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Counted:
    """`for (variable = first; variable < bound; variable += step)`, `inclusive` for `<=`."""

    variable: kir.Variable
    first: kir.Expr
    bound: kir.Expr
    inclusive: bool
    step: kir.Expr
    downward: bool


def as_counted(ctx: Context, loop: kir.For) -> Counted | None:
    """The loop as a counted one: its variable dies with it, only `step` changes it, the bound stays."""
    if len(loop.init) != 1 or len(loop.step) != 1 or not isinstance(loop.init[0], kir.Declare):
        return None
    variable, first = loop.init[0].variable, loop.init[0].value
    step = _step_of(loop.step[0], variable)
    bound = _bound_of(loop.condition, variable)
    if first is None or step is None or bound is None or not is_integer(variable.type):
        return None
    downward = step[1]
    limit, inclusive, upper = bound
    changed = assigned_variables(loop.body)
    moving = changed | {variable}
    if variable in changed or upper is downward:
        return None
    if not _stays(ctx, limit, moving, loop.body) or not _stays(ctx, step[0], moving, loop.body):
        return None
    if not _positive(step[0]) or ctx.axes(step[0]):
        return None
    if not _compares_as_counted(ctx, loop.condition, variable, first, downward=downward):
        return None
    if not _fits(ctx, variable, first, limit):
        return None
    return Counted(variable, first, limit, inclusive, step[0], downward)


def _compares_as_counted(
    ctx: Context, condition: kir.Expr, variable: kir.Variable, first: kir.Expr, *, downward: bool
) -> bool:
    """Whether the comparison is of the counter's own values: a negative one is a large unsigned number."""
    assert isinstance(condition, kir.Binary)
    assert isinstance(variable.type, kir.Scalar)
    sides = (condition.left, condition.right)
    compared = next(s.type for s in sides if root_variable(_uncast(s)) is variable)
    if not isinstance(compared, kir.Scalar) or compared.bits < variable.type.bits:
        return False
    if compared.kind == "uint" and variable.type.kind == "int":
        return not downward and ctx.ranges.of(first).low >= 0
    return True


def _step_of(step: kir.Stmt, variable: kir.Variable) -> tuple[kir.Expr, bool] | None:
    """(amount, downward) of `v = v + amount` or `v = v - amount`."""
    if not isinstance(step, kir.Assign) or root_variable(step.target) is not variable:
        return None
    value = _uncast(step.value)
    if not isinstance(value, kir.Binary) or value.op not in ("+", "-"):
        return None
    left, right = _uncast(value.left), value.right
    if isinstance(left, kir.VarRef) and left.variable is variable:
        return right, value.op == "-"
    if (
        value.op == "+"
        and isinstance(_uncast(right), kir.VarRef)
        and root_variable(_uncast(right)) is variable
    ):
        return value.left, False
    return None


def _bound_of(expr: kir.Expr, variable: kir.Variable) -> tuple[kir.Expr, bool, bool] | None:
    """(bound, inclusive, whether the variable must stay below it)."""
    if not isinstance(expr, kir.Binary) or expr.op not in _FLIPPED:
        return None
    op, left, right = expr.op, expr.left, expr.right
    if root_variable(_uncast(right)) is variable and isinstance(_uncast(right), kir.VarRef):
        op, left, right = _FLIPPED[op], right, left
    inner = _uncast(left)
    if not isinstance(inner, kir.VarRef) or inner.variable is not variable:
        return None
    return right, op in ("<=", ">="), op in ("<", "<=")


def _uncast(expr: kir.Expr) -> kir.Expr:
    while isinstance(expr, kir.Cast) and is_integer(expr.type) and is_integer(expr.operand.type):
        expr = expr.operand
    return expr


def _stays(ctx: Context, expr: kir.Expr, moving: set[kir.Variable], body: tuple[kir.Stmt, ...]) -> bool:
    """Whether `expr` has one value for the whole loop."""
    for node in walk(expr):
        if isinstance(node, kir.VarRef) and (node.variable in moving or node.variable in ctx.buffers):
            return False
        if isinstance(node, kir.Index):
            root = root_variable(node)
            constant = root is not None and isinstance(root.type, kir.Pointer) and root.type.is_const
            stored = _stored_types(body)
            # What is stored as another type is elsewhere; so is what others store, for a pointer to const.
            if None in stored or node.type in stored or (stored and not constant):
                return False
    return True


def _stored_types(body: tuple[kir.Stmt, ...]) -> set[kir.Type | None]:
    """The types that the statements store into memory; None for any, Void for what other threads store."""
    found: set[kir.Type | None] = set()
    for node in walk(body):
        if isinstance(node, kir.Assign) and not isinstance(node.target, kir.VarRef):
            found.add(node.target.type)
        elif isinstance(node, kir.Call) and node.name.startswith("atomic"):
            place = node.arguments[0].type
            found.add(place.pointee if isinstance(place, kir.Pointer) else None)
        elif isinstance(node, kir.CallFunction):
            found.add(None)
        elif isinstance(node, kir.Barrier):
            found.add(kir.Void())
    return found


def _positive(step: kir.Expr) -> bool:
    """A step of zero or below makes the C loop endless or undefined: a variable one counts as positive."""
    value = _uncast(step)
    return not isinstance(value, kir.Const) or int(value.value) > 0


def _fits(ctx: Context, variable: kir.Variable, first: kir.Expr, limit: kir.Expr) -> bool:
    """Whether an unsigned counter can be counted in Triton's signed range."""
    assert isinstance(variable.type, kir.Scalar)
    if variable.type.kind == "int":
        return True
    start = ctx.ranges.of(first)
    top = (1 << (variable.type.bits - 1)) - 1
    bound = ctx.ranges.of(limit)
    return start.within(0, top) and (bound.within(0, top) or _is_argument(limit))


def _is_argument(expr: kir.Expr) -> bool:
    value = _uncast(expr)
    return isinstance(value, kir.VarRef) and value.variable.storage is kir.Storage.PARAMETER


def split_uniform(ctx: Context, expr: kir.Expr) -> tuple[kir.Expr | None, kir.Expr | None]:
    """(what all threads share, each thread's own part) of a sum; None for a part that is not there."""
    shared: list[kir.Expr] = []
    own: list[kir.Expr] = []
    for term in _summands(ctx, expr):
        (own if ctx.axes(term) else shared).append(term)
    return _sum(shared), _sum(own)


def _summands(ctx: Context, expr: kir.Expr) -> list[kir.Expr]:
    inner = _uncast(expr)
    if isinstance(inner, kir.VarRef) and ctx.axes(inner) and inner.variable in ctx.ranges.definitions:
        definition = ctx.ranges.definitions[inner.variable]
        parts = _summands(ctx, definition)
        return parts if any(not ctx.axes(part) for part in parts) else [inner]
    if isinstance(inner, kir.Binary) and inner.op == "+" and not isinstance(inner.type, kir.Pointer):
        return [*_summands(ctx, inner.left), *_summands(ctx, inner.right)]
    return [inner]


def _sum(terms: list[kir.Expr]) -> kir.Expr | None:
    if not terms:
        return None
    result = terms[0]
    for term in terms[1:]:
        result = kir.Binary("+", result, term, kir.INT64 if _wide(result, term) else kir.INT32, term.span)
    return result


def _wide(left: kir.Expr, right: kir.Expr) -> bool:
    return any(isinstance(e.type, kir.Scalar) and e.type.bits > 32 for e in (left, right))


def counter_dtype(variable: kir.Variable) -> kir.Scalar:
    assert isinstance(variable.type, kir.Scalar)
    return c.signed(variable.type)
