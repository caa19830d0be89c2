"""Loops: `range` where the trip count is known at the entry, `while` otherwise; divergent ones run while
any thread is live, under the mask of those."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from porter.analysis.ranges import Interval, is_integer
from porter.analysis.walk import assigned_variables, root_variable, walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.builtins import block_constant
from porter.tile.context import Binding, Context
from porter.tile.expressions import condition, lower
from porter.tile.integers import as_type
from porter.tile.masks import Term, any_thread
from porter.tile.terms_of import thread_axes

LowerBody = Callable[[Context, tuple[kir.Stmt, ...]], None]
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


def lower_for(ctx: Context, loop: kir.For, lower_body: LowerBody) -> None:
    counted = as_counted(ctx, loop)
    if counted is None:
        _general_for(ctx, loop, lower_body)
    elif not ctx.axes(loop.condition):
        _uniform_range(ctx, loop, counted, lower_body)
    elif not counted.downward:
        _strided_range(ctx, loop, counted, lower_body)
    else:
        _general_for(ctx, loop, lower_body)


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
    if not _fits(ctx, variable, first, limit):
        return None
    return Counted(variable, first, limit, inclusive, step[0], downward)


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
            if not constant and _writes_memory(body):
                return False
    return True


def _writes_memory(body: tuple[kir.Stmt, ...]) -> bool:
    return any(
        (isinstance(n, kir.Assign) and not isinstance(n.target, kir.VarRef))
        or isinstance(n, (kir.Evaluate, kir.Barrier))
        for n in walk(body)
    )


def _positive(step: kir.Expr) -> bool:
    """A step of zero or below would make the C loop endless or undefined: a variable one counts as positive."""
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


# --- counted loops ---------------------------------------------------------------------------------


def _counter_dtype(variable: kir.Variable) -> kir.Scalar:
    assert isinstance(variable.type, kir.Scalar)
    return c.signed(variable.type)


def _uniform_range(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    dtype = _counter_dtype(counted.variable)
    name = ctx.names.fresh(counted.variable.name)
    start = as_type(ctx, counted.first, dtype)
    stop = _bound(ctx, counted, 1 if not counted.downward else -1)
    step = as_type(ctx, counted.step, dtype)
    if counted.downward:
        step = (
            c.literal(-int(step.value), dtype)
            if isinstance(step, ir.Literal)
            else ir.Prefix("-", step, step.type)
        )
    ctx.bindings[counted.variable] = Binding(name, ir.TileType(dtype), weak=True)
    _note_range(ctx, counted)
    with ctx.nested() as body, _loop_depth(ctx):
        lower_body(ctx, loop.body)
    ctx.release(body)
    ctx.names.taken.discard(name)
    ctx.emit(ir.ForRange(name, start, stop, step, tuple(body), loop.comments))


@contextmanager
def _loop_depth(ctx: Context) -> Iterator[None]:
    """Masks made inside the loop are placed inside it."""
    ctx.masks.push((), ctx.block)
    yield
    ctx.masks.pop()


def _bound(ctx: Context, counted: Counted, direction: int) -> ir.Expr:
    """The exclusive bound of the range."""
    bound = lower(ctx, counted.bound)
    if not counted.inclusive:
        return bound
    if isinstance(bound, ir.Literal):
        return c.literal(int(bound.value) + direction, bound.type.dtype)
    op = "+" if direction > 0 else "-"
    return ir.Infix(op, bound, c.literal(1, bound.type.dtype), bound.type)


def _note_range(ctx: Context, counted: Counted) -> None:
    first, bound = ctx.ranges.of(counted.first), ctx.ranges.of(counted.bound)
    edge = 0 if counted.inclusive else 1
    if counted.downward:
        ctx.ranges.known[counted.variable] = Interval(min(bound.low + edge, first.low), first.high)
    else:
        high = max(bound.high - edge, first.low)
        ctx.ranges.known[counted.variable] = Interval(first.low, high)


def _strided_range(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    """Threads start at different places or end at different places, but step together.

    `for start in range(common start, end, step): i = start + own offset; mask = i < end`. Where the
    starts have no common non-negative offset or the ends differ, the range covers the longest way.
    """
    common, own = split_uniform(ctx, counted.first)
    plain = own is not None and ctx.ranges.of(own).low >= 0 and not ctx.axes(counted.bound)
    if own is None or plain:
        _from_common_start(ctx, loop, counted, common, own, lower_body)
    else:
        _from_own_start(ctx, loop, counted, lower_body)


def _from_common_start(
    ctx: Context,
    loop: kir.For,
    counted: Counted,
    common: kir.Expr | None,
    own: kir.Expr | None,
    lower_body: LowerBody,
) -> None:
    dtype = _counter_dtype(counted.variable)
    start = c.literal(0, dtype) if common is None else as_type(ctx, common, dtype)
    bound = _bound(ctx, counted, 1)
    stop = _longest(ctx, bound)
    offset = as_type(ctx, own, dtype) if own is not None else None
    step = _stride(ctx, counted, dtype)
    name = ctx.names.fresh("start" if own is not None else counted.variable.name)
    counter = ir.Name(name, ir.TileType(dtype), weak=True)
    with ctx.nested() as body, _loop_depth(ctx):
        index: ir.Name = counter
        if offset is not None:
            axes = offset.type.axes
            index = ctx.let(counted.variable.name, ir.Infix("+", counter, offset, ir.TileType(dtype, axes)))
        # The thread with offset 0 is in the range whenever the loop gets there.
        first_thread = own is not None and ctx.ranges.of(own).low == 0 and bool(thread_axes(ctx, own))
        _masked_iteration(ctx, loop, counted, index, bound, lower_body, nonempty=first_thread)
    ctx.release(body)
    ctx.names.taken.discard(name)
    ctx.emit(ir.ForRange(name, start, stop, step, tuple(body), loop.comments))


def _stride(ctx: Context, counted: Counted, dtype: kir.Scalar) -> ir.Expr:
    step = as_type(ctx, counted.step, dtype)
    known = block_constant(ctx, int(step.value)) if isinstance(step, ir.Literal) else None
    return known or step


def _longest(ctx: Context, bound: ir.Expr) -> ir.Expr:
    """The largest bound of the active threads."""
    if not bound.type.axes:
        return bound
    mask = ctx.masks.full()
    if mask is not None:
        bound = c.select(mask, bound, c.literal(0, bound.type.dtype), bound.type.dtype)
    return ctx.let("longest", _max_of(ctx, bound))


def _max_of(ctx: Context, value: ir.Expr) -> ir.Expr:
    keywords = (("axis", ir.Text("0")),) if len(ctx.layout.axes) == 1 else ()
    return ir.Invoke("tl.max", (value,), ir.TileType(value.type.dtype), keywords)


def _from_own_start(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    dtype = _counter_dtype(counted.variable)
    first = _steady(ctx, as_type(ctx, counted.first, dtype), "first")
    bound = _steady(ctx, _bound(ctx, counted, 1), "end")
    axes = first.type.axes | bound.type.axes
    length = ir.Infix("-", bound, first, ir.TileType(dtype, axes))
    longest = _longest(ctx, length)
    step = as_type(ctx, counted.step, dtype)
    name = ctx.names.fresh("offset")
    counter = ir.Name(name, ir.TileType(dtype), weak=True)
    with ctx.nested() as body, _loop_depth(ctx):
        index = ctx.let(counted.variable.name, ir.Infix("+", first, counter, ir.TileType(dtype, axes)))
        _masked_iteration(ctx, loop, counted, index, bound, lower_body)
    ctx.release(body)
    ctx.names.taken.discard(name)
    ctx.emit(ir.ForRange(name, c.literal(0, dtype), longest, step, tuple(body), loop.comments))


def _steady(ctx: Context, value: ir.Expr, name: str) -> ir.Expr:
    return value if isinstance(value, (ir.Name, ir.Literal)) else ctx.let(name, value)


def _masked_iteration(
    ctx: Context,
    loop: kir.For,
    counted: Counted,
    index: ir.Name,
    bound: ir.Expr,
    lower_body: LowerBody,
    *,
    nonempty: bool = False,
) -> None:
    ctx.bindings[counted.variable] = Binding(index.name, index.type, index.weak)
    ctx.depth[counted.variable] = ctx.masks.depth
    _note_range(ctx, counted)
    inside = ctx.same("mask", c.compare("<", index, bound))
    ctx.masks.push((Term(inside, nonempty=nonempty),), ctx.block)
    lower_body(ctx, loop.body)
    ctx.masks.pop()


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


# --- other loops -----------------------------------------------------------------------------------


def _general_for(ctx: Context, loop: kir.For, lower_body: LowerBody) -> None:
    divergent = bool(ctx.axes(loop.condition))
    live = _Live(ctx)
    outer = ctx.masks.depth
    lower_body(ctx, loop.init)
    if divergent:
        # Variables of the loop belong to its live threads: nobody else sees them.
        for node in loop.init:
            if isinstance(node, kir.Declare):
                ctx.depth[node.variable] = outer + 1
    _while(ctx, loop.condition, (*loop.body, *loop.step), live, divergent, loop.comments, lower_body)


def lower_while(ctx: Context, loop: kir.While, lower_body: LowerBody) -> None:
    divergent = bool(ctx.axes(loop.condition))
    if loop.do_while:
        _do_while(ctx, loop, divergent, lower_body)
        return
    _while(ctx, loop.condition, loop.body, _Live(ctx), divergent, loop.comments, lower_body)


@dataclass
class _Live:
    """The name of the mask of live threads."""

    ctx: Context
    name: str = ""

    def start(self, value: ir.Expr) -> ir.Name:
        self.name = self.ctx.names.fresh("live")
        return self.put(value)

    def put(self, value: ir.Expr) -> ir.Name:
        axes = self.ctx.layout.all_axes
        shape = ir.Text(self.ctx.layout.shape(axes))
        if not axes <= value.type.axes:
            value = ir.Invoke("tl.broadcast_to", (value, shape), ir.TileType(kir.BOOL, axes))
        self.ctx.emit(ir.Let(self.name, value))
        return ir.Name(self.name, ir.TileType(kir.BOOL, axes))


def _while(
    ctx: Context,
    test: kir.Expr,
    body: tuple[kir.Stmt, ...],
    live: _Live,
    divergent: bool,
    comments: tuple[str, ...],
    lower_body: LowerBody,
) -> None:
    if not divergent:
        _uniform_while(ctx, test, body, comments, lower_body)
        return
    first = condition(ctx, test)
    outer = ctx.masks.full()
    mask = live.start(first if outer is None else c.logical("&", outer, first))
    with ctx.nested() as block:
        ctx.masks.push((Term(mask),), ctx.block)
        lower_body(ctx, body)
        ctx.loads.clear()
        live.put(c.logical("&", mask, condition(ctx, test)))
        ctx.masks.pop()
    ctx.release(block)
    ctx.emit(ir.WhileLoop(any_thread(ctx.layout, mask, ir.UNIFORM), tuple(block), comments))


def _uniform_while(
    ctx: Context,
    test: kir.Expr,
    body: tuple[kir.Stmt, ...],
    comments: tuple[str, ...],
    lower_body: LowerBody,
) -> None:
    ctx.inline_loads = True
    lowered = condition(ctx, test)
    ctx.inline_loads = False
    with ctx.nested() as block, _loop_depth(ctx):
        lower_body(ctx, body)
    ctx.release(block)
    ctx.emit(ir.WhileLoop(lowered, tuple(block), comments))


def _do_while(ctx: Context, loop: kir.While, divergent: bool, lower_body: LowerBody) -> None:
    """The body runs once for everyone, so the live mask starts as the mask at the entry."""
    name = ctx.names.fresh("again")
    if not divergent:
        ctx.emit(ir.Let(name, c.literal(True, kir.BOOL)))
        again = ir.Name(name, ir.TileType(kir.BOOL), weak=True)
        with ctx.nested() as block, _loop_depth(ctx):
            lower_body(ctx, loop.body)
            ctx.loads.clear()
            ctx.emit(ir.Let(name, condition(ctx, loop.condition)))
        ctx.release(block)
        ctx.emit(ir.WhileLoop(again, tuple(block), loop.comments))
        return
    live = _Live(ctx)
    outer = ctx.masks.full()
    shape = ir.Text(ctx.layout.shape(ctx.layout.all_axes))
    everyone = ir.Invoke(
        "tl.full", (shape, ir.Text("True"), ir.Text("tl.int1")), ir.TileType(kir.BOOL, ctx.layout.all_axes)
    )
    mask = live.start(everyone if outer is None else outer)
    with ctx.nested() as block:
        ctx.masks.push((Term(mask),), ctx.block)
        lower_body(ctx, loop.body)
        ctx.loads.clear()
        live.put(c.logical("&", mask, condition(ctx, loop.condition)))
        ctx.masks.pop()
    ctx.release(block)
    ctx.emit(ir.WhileLoop(any_thread(ctx.layout, mask, ir.UNIFORM), tuple(block), loop.comments))
