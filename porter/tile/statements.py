"""KIR statements to Tile IR: branches become masks, uniform control stays control."""

from __future__ import annotations

from porter.analysis.walk import root_variable, walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.addresses import address
from porter.tile.api import Declined
from porter.tile.assign import assign_variable, bind_mutable, comment, held, shaped
from porter.tile.context import Binding, Context
from porter.tile.effects import is_effect, lower_effect
from porter.tile.expressions import condition, lower
from porter.tile.idiom_lowering import lower_idiom
from porter.tile.integers import as_type, scalar_type, settled
from porter.tile.loops import lower_for
from porter.tile.memory import load, store
from porter.tile.terms_of import terms_of
from porter.tile.while_loops import lower_while


def lower_body(ctx: Context, body: tuple[kir.Stmt, ...]) -> None:
    for position, statement in enumerate(body):
        ctx.loads.clear()
        if isinstance(statement, kir.Declare):
            _declare(ctx, statement, body[position + 1 :])
        else:
            lower_statement(ctx, statement)


def lower_statement(ctx: Context, statement: kir.Stmt) -> None:
    match statement:
        case kir.Assign():
            _assign(ctx, statement)
        case kir.Evaluate(call, span, comments):
            if isinstance(call, kir.CallFunction):
                raise Declined("TIL052", f"the call of `{call.function}` could not be inlined", span)
            comment(ctx, comments)
            lower_effect(ctx, call, used=False)
        case kir.If():
            _if(ctx, statement)
        case kir.For():
            lower_for(ctx, statement, lower_body)
        case kir.While():
            lower_while(ctx, statement, lower_body)
        case kir.Barrier():
            _barrier(ctx, statement)
        case kir.Extension():
            lower_idiom(ctx, statement, lower_body)
        case kir.Return(_, span):
            raise Declined("TIL053", "a `return` that is no guard", span)
        case kir.Break(span) | kir.Continue(span):
            raise Declined("TIL053", "an exit from a loop that has no structured form", span)
        case kir.Declare():
            _declare(ctx, statement, ())


def _barrier(ctx: Context, statement: kir.Barrier) -> None:
    """Only memory needs it: values of a program are tensors that no thread gets ahead of."""
    if ctx.shares_memory:
        comment(ctx, statement.comments)
        ctx.emit(ir.Do(ir.Invoke("tl.debug_barrier", (), ir.TileType(kir.INT32))))


# --- declarations and assignments ------------------------------------------------------------------


def _declare(ctx: Context, node: kir.Declare, rest: tuple[kir.Stmt, ...]) -> None:
    variable = node.variable
    if variable in ctx.buffers or variable.storage in kir.SHARED_STORAGE:
        comment(ctx, node.comments)  # shared memory without a buffer is used nowhere
        return
    if isinstance(variable.type, kir.Array):
        raise Declined(
            "TIL054", f"the array `{variable.name}` is indexed in a way that needs memory", node.span
        )
    ctx.depth[variable] = ctx.masks.depth
    if variable in ctx.mutable:
        _declare_mutable(ctx, node, rest)
    elif node.value is not None:
        _declare_once(ctx, node, node.value)


def _declare_once(ctx: Context, node: kir.Declare, value: kir.Expr) -> None:
    """A variable with one value is a name for it, in the width that value has."""
    name = node.variable.name
    lowered = _named_load(ctx, value, name) or settled(ctx, _wide_bits(ctx, value))
    if isinstance(node.variable.type, kir.Scalar) and not _same_kind(lowered, node.variable.type):
        lowered = c.convert(lowered, node.variable.type)
    if _is_new(ctx, lowered) or _is_alias(ctx, lowered, name):
        _add_comments(ctx, node.comments)
        bound = lowered
    else:
        lowered = c.named(lowered)
        bound = ir.Name(ctx.names.fresh(name), lowered.type, ir.is_weak(lowered))
        assert isinstance(bound, ir.Name)
        ctx.emit(ir.Let(bound.name, lowered, node.comments))
    assert isinstance(bound, ir.Name)
    ctx.bindings[node.variable] = Binding(bound.name, bound.type, bound.weak)


def _wide_bits(ctx: Context, value: kir.Expr) -> ir.Expr:
    """A `size_t` is held as int64: the same bits, and what Triton's offsets are."""
    if value.type == kir.UINT64 and isinstance(value, (kir.Binary, kir.Cast)):
        return as_type(ctx, value, kir.INT64)
    return _right_side(ctx, value)


def _same_kind(lowered: ir.Expr, wanted: kir.Scalar) -> bool:
    """An unsigned value may be held signed when its range allows; the lowering saw to that."""
    have = lowered.type.dtype
    return have == wanted or (wanted.kind == "uint" and have.kind == "int" and have.bits <= wanted.bits)


def _is_alias(ctx: Context, lowered: ir.Expr, name: str) -> bool:
    """Whether the variable can be the other name: ids keep the source's name, see `clean_up`."""
    if not isinstance(lowered, ir.Name) or ctx.holds_variable(lowered):
        return False
    return lowered.name == name or not (lowered.name in ctx.prologue or lowered.weak)


def _is_new(ctx: Context, lowered: ir.Expr) -> bool:
    """Whether the last statement just made this name, so that the variable can have it.

    The name of a variable that changes later is its own.
    """
    last = ctx.block[-1] if ctx.block else None
    if not isinstance(last, ir.Let) or not isinstance(lowered, ir.Name) or ctx.holds_variable(lowered):
        return False
    return last.target == lowered.name


def _add_comments(ctx: Context, comments: tuple[str, ...]) -> None:
    if not comments:
        return
    last = ctx.block[-1] if ctx.block else None
    if isinstance(last, ir.Let):
        ctx.block[-1] = ir.Let(last.target, last.value, (*comments, *last.comments))
    else:
        ctx.emit(ir.Comment(comments))


def _named_load(ctx: Context, value: kir.Expr, name: str) -> ir.Expr | None:
    """`T v = p[i];` loads straight into `v`."""
    if not isinstance(value, (kir.Index, kir.Member)) or value.type == kir.BOOL:
        return None
    place = address(ctx, value)
    ctx.wanted_name = name
    result = load(ctx, place, value)
    ctx.wanted_name = ""
    return result


def _right_side(ctx: Context, value: kir.Expr) -> ir.Expr:
    if isinstance(value, kir.Call) and is_effect(value):
        return lower_effect(ctx, value, used=True)
    return lower(ctx, value)


def _declare_mutable(ctx: Context, node: kir.Declare, rest: tuple[kir.Stmt, ...]) -> None:
    binding = bind_mutable(ctx, node.variable)
    if node.value is not None:
        value = shaped(ctx, _right_side(ctx, node.value), binding)
        ctx.emit(ir.Let(binding.name, value, node.comments))
    elif _needs_start_value(node.variable, rest):
        ctx.emit(ir.Let(binding.name, shaped(ctx, _zero(node.variable), binding), node.comments))
    else:
        comment(ctx, node.comments)


def _zero(variable: kir.Variable) -> ir.Expr:
    dtype = held(variable)
    return c.literal(0.0 if c.is_float(dtype) else 0, dtype) if dtype != kir.BOOL else c.literal(False, dtype)


def _needs_start_value(variable: kir.Variable, rest: tuple[kir.Stmt, ...]) -> bool:
    """Whether the first mention is anything but a plain assignment on the same level."""
    for statement in rest:
        if any(isinstance(node, kir.VarRef) and node.variable is variable for node in walk(statement)):
            if not isinstance(statement, kir.Assign) or not isinstance(statement.target, kir.VarRef):
                return True
            return _mentions(statement.value, variable)
        if getattr(statement, "target", None) is variable:
            return False
    return False


def _mentions(expr: kir.Expr, variable: kir.Variable) -> bool:
    return any(isinstance(node, kir.VarRef) and node.variable is variable for node in walk(expr))


def _assign(ctx: Context, node: kir.Assign) -> None:
    variable = node.target.variable if isinstance(node.target, kir.VarRef) else root_variable(node.target)
    if isinstance(node.target, kir.VarRef) and variable not in ctx.buffers:
        assert variable is not None
        assign_variable(ctx, variable, _right_side(ctx, node.value), node.comments)
        return
    value = settled(ctx, c.convert(_right_side(ctx, node.value), scalar_type(node.value.type, node.value)))
    store(ctx, address(ctx, node.target), value, node.comments)


# --- branches --------------------------------------------------------------------------------------


def _if(ctx: Context, node: kir.If) -> None:
    if isinstance(node.condition, kir.Const):
        comment(ctx, node.comments)
        lower_body(ctx, node.then if node.condition.value else node.otherwise)
    elif not ctx.axes(node.condition):
        _uniform_if(ctx, node)
    elif (nested := _uniform_part_first(ctx, node)) is not None:
        _if(ctx, nested)
    elif (merged := _as_select(ctx, node)) is not None:
        _assign(ctx, merged)
    else:
        _masked_if(ctx, node)


def _uniform_part_first(ctx: Context, node: kir.If) -> kir.If | None:
    """`if (uniform && divergent)` as two branches: the outer one stays a branch of the program."""
    condition_ = node.condition
    if node.otherwise or not isinstance(condition_, kir.Binary) or condition_.op != "&&":
        return None
    if node.then and isinstance(node.then[-1], kir.Return):
        return None
    left, right = condition_.left, condition_.right
    if ctx.axes(left):
        left, right = right, left
        if any(isinstance(n, kir.Index) for n in walk(left)):
            return None
    if ctx.axes(left):
        return None
    inner = kir.If(right, node.then, (), node.span)
    return kir.If(left, (inner,), (), node.span, node.comments)


def _uniform_if(ctx: Context, node: kir.If) -> None:
    leaves = bool(node.then) and isinstance(node.then[-1], kir.Return)
    lowered = condition(ctx, node.condition)
    with ctx.nested() as then:
        lower_body(ctx, node.then[:-1] if leaves else node.then)
        if leaves:
            ctx.emit(ir.Leave())
    with ctx.nested() as otherwise:
        lower_body(ctx, node.otherwise)
    if not (isinstance(lowered, ir.Infix) and lowered.op in ("is", "is not")):
        ctx.release(then, otherwise)  # a branch that Triton decides as it compiles is no scope of its own
    if not _has_code(then):
        if _has_code(otherwise):
            ctx.emit(ir.IfElse(c.negate(lowered), tuple(otherwise), (), node.comments))
        return
    ctx.emit(ir.IfElse(lowered, tuple(then), tuple(otherwise), node.comments))


def _has_code(block: list[ir.Stmt]) -> bool:
    return any(not isinstance(statement, ir.Comment) for statement in block)


def _as_select(ctx: Context, node: kir.If) -> kir.Assign | None:
    """`if (c) v = a; else v = b;` as `v = c ? a : b`, which is one `tl.where`."""
    then, otherwise = _single_assignment(ctx, node.then), _single_assignment(ctx, node.otherwise)
    if then is None or (node.otherwise and otherwise is None):
        return None
    if otherwise is not None and otherwise.target.variable is not then.target.variable:  # type: ignore[union-attr]
        return None
    if_false = otherwise.value if otherwise is not None else then.target
    comments = (*node.comments, *then.comments, *(otherwise.comments if otherwise is not None else ()))
    chosen = kir.Select(node.condition, then.value, if_false, then.value.type, node.span)
    return kir.Assign(then.target, chosen, then.span, comments)


def _single_assignment(ctx: Context, body: tuple[kir.Stmt, ...]) -> kir.Assign | None:
    if len(body) != 1 or not isinstance(body[0], kir.Assign) or not isinstance(body[0].target, kir.VarRef):
        return None
    assign = body[0]
    variable = root_variable(assign.target)
    if variable in ctx.buffers or (isinstance(assign.value, kir.Call) and is_effect(assign.value)):
        return None
    return assign


def _masked_if(ctx: Context, node: kir.If) -> None:
    comment(ctx, node.comments)
    leaves = bool(node.then) and isinstance(node.then[-1], kir.Return)
    terms, negated = terms_of(ctx, node.condition, both=bool(node.otherwise) or leaves)
    then = node.then[:-1] if leaves else node.then
    if then:
        ctx.masks.push(terms, ctx.block)
        lower_body(ctx, then)
        ctx.masks.pop()
    if node.otherwise:
        ctx.masks.push(negated, ctx.block)
        lower_body(ctx, node.otherwise)
        ctx.masks.pop()
    if leaves:
        ctx.masks.push(negated, ctx.block, leaves=True)
