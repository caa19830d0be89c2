"""Operators: arithmetic, comparison, logic, assignment, increments, `?:` and the comma."""

from __future__ import annotations

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import (
    Cursor,
    Kind,
    TypeKind,
    binary_operator,
    canonical,
    children,
    evaluate,
    unary_operator,
)
from porter.cuda.kir import (
    BOOL,
    INT32,
    INT64,
    AddressOf,
    Assign,
    Binary,
    Call,
    Const,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    Lvalue,
    Member,
    Pointer,
    Scalar,
    Select,
    Stmt,
    Unary,
    VarRef,
    Void,
)
from porter.cuda.lower_context import Lowering, effect, expression
from porter.cuda.lower_expr import convert_value, lower_address, lower_dereference
from porter.cuda.lower_types import is_erased

_SHIFTS = ("<<", ">>")
_LOGIC = ("&&", "||")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_STEPS = {"p++": "+", "++p": "+", "p--": "-", "--p": "-"}


# --- binary ---


@expression(Kind.BINARY_OPERATOR)
def lower_binary(ctx: Lowering, cursor: Cursor) -> Expr:
    op = binary_operator(cursor)
    if op == "=":
        return _assignment_value(ctx, cursor)
    left, right = children(cursor)
    if op == ",":
        ctx.run(left)
        return ctx.value(right)
    folded = _folded(ctx, cursor)
    if folded is not None:
        return folded
    if op in _LOGIC:
        return _lower_logic(ctx, op, left, right, cursor)
    return arithmetic(ctx, op, ctx.value(left), ctx.value(right), cursor)


def _folded(ctx: Lowering, cursor: Cursor) -> Expr | None:
    if canonical(cursor.type).kind in (TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.POINTER):
        return None
    value = evaluate(cursor)
    if value is None:
        return None
    type_ = ctx.type_of(cursor.type, cursor)
    return build.constant(value, type_, ctx.span(cursor)) if isinstance(type_, Scalar) else None


def arithmetic(ctx: Lowering, op: str, left: Expr, right: Expr, at: Cursor) -> Expr:
    """A binary operation of the language on operands of which clang has already made one type."""
    span = ctx.span(at)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _pointer_arithmetic(ctx, op, left, right, at)
    if op in _COMPARISONS:
        return build.compare(op, left, build.cast(right, left.type), span)
    result = ctx.type_of(at.type, at) if at.kind == Kind.BINARY_OPERATOR else left.type
    if not isinstance(result, Scalar):
        raise ctx.decline("TIL015", f"`{op}` on {left.type}", at)
    return build.binary(op, build.cast(left, result), build.cast(right, result), result, span)


def _pointer_arithmetic(ctx: Lowering, op: str, left: Expr, right: Expr, at: Cursor) -> Expr:
    span = ctx.span(at)
    if op in _COMPARISONS:
        return build.compare(op, left, build.cast(right, left.type), span)
    if isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        return Binary("-", left, right, INT64, span)
    if isinstance(right.type, Pointer):
        left, right = right, left
    return offset_pointer(left, right, op, span)


def offset_pointer(pointer: Expr, count: Expr, op: str, span: Span) -> Expr:
    """`pointer ± count` in elements; of the address of an element, the address of the element further on."""
    if op == "-":
        count = build.negate(_signed(count), span)
    if isinstance(pointer, AddressOf):
        place = build.index(pointer, count, span)
        if isinstance(place, (VarRef, Index, Member)):
            return build.address_of(place, pointer.type, span)
    if isinstance(pointer, Binary) and pointer.op == "+":
        return Binary("+", pointer.left, build.add_index(pointer.right, count, span), pointer.type, span)
    return Binary("+", pointer, count, pointer.type, span)


def _signed(count: Expr) -> Expr:
    return build.cast(count, INT64) if isinstance(count.type, Scalar) and count.type.kind == "uint" else count


def _lower_logic(ctx: Lowering, op: str, left: Cursor, right: Cursor, cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    first = build.cast(ctx.value(left), BOOL)
    with ctx.block() as effects:
        second = build.cast(ctx.value(right), BOOL)
    if not effects:
        return _logic(op, first, second, span)
    return _guarded(ctx, op, first, second, effects, span)


def _logic(op: str, first: Expr, second: Expr, span: Span) -> Expr:
    if isinstance(first, Const):
        return second if bool(first.value) == (op == "&&") else first
    return Binary(op, first, second, BOOL, span)


def _guarded(ctx: Lowering, op: str, first: Expr, second: Expr, effects: list[Stmt], span: Span) -> Expr:
    """`a && f()` with an effect in `f`: `t = a; if (t) { …; t = f(); }`."""
    result = ctx.fresh("condition", BOOL, span)
    ctx.program.mutable.add(result)
    reference = VarRef(result, BOOL, span)
    ctx.emit(Declare(result, first, span))
    test = reference if op == "&&" else build.logical_not(reference, span)
    effects.append(Assign(reference, second, span))
    ctx.emit(If(test, tuple(effects), (), span))
    return reference


# --- assignment ---


def _assignment_value(ctx: Lowering, cursor: Cursor) -> Expr:
    """`a = b` used as a value: the store is emitted, the value is what was stored."""
    target, value = children(cursor)
    lowered = convert_value(ctx, ctx.value(value), ctx.type_of(target.type, target), cursor)
    place, lowered = _place_after(ctx, target, lowered)
    if not isinstance(place, VarRef):
        lowered = ctx.freeze(lowered, "value")
    ctx.assign(place, lowered, ctx.span(cursor))
    return place if isinstance(place, VarRef) else lowered


@effect(Kind.BINARY_OPERATOR)
def run_binary(ctx: Lowering, cursor: Cursor) -> None:
    op = binary_operator(cursor)
    left, right = children(cursor)
    if op == "=":
        _run_assignment(ctx, left, right, cursor)
    elif op == ",":
        ctx.run(left)
        ctx.run(right)
    elif op in _LOGIC:
        _run_guarded(ctx, op, left, right, cursor)
    else:
        ctx.value(left)
        ctx.value(right)


def _run_assignment(ctx: Lowering, target: Cursor, value: Cursor, cursor: Cursor) -> None:
    if is_erased(target.type):
        return
    comments = ctx.comments(cursor)
    lowered = convert_value(ctx, ctx.value(value), ctx.type_of(target.type, target), cursor)
    place, lowered = _place_after(ctx, target, lowered)
    ctx.assign(place, lowered, ctx.span(cursor), comments)


def _place_after(ctx: Lowering, target: Cursor, value: Expr) -> tuple[Lvalue, Expr]:
    """The place to store to; C++17 computes the value first, so what the place does must not change it."""
    position = len(ctx.out)
    place = ctx.lvalue(target)
    if len(ctx.out) == position or ctx.is_stable(value):
        return place, value
    held = ctx.fresh("value", value.type, value.span)
    ctx.out.insert(position, Declare(held, value, value.span))
    return place, VarRef(held, value.type, value.span)


def _run_guarded(ctx: Lowering, op: str, left: Cursor, right: Cursor, cursor: Cursor) -> None:
    condition = build.cast(ctx.value(left), BOOL)
    if op == "||":
        condition = build.logical_not(condition, ctx.span(cursor))
    body = ctx.body(right)
    if body:
        ctx.emit(If(condition, body, (), ctx.span(cursor), ctx.comments(cursor)))


@expression(Kind.COMPOUND_ASSIGNMENT_OPERATOR)
def lower_compound(ctx: Lowering, cursor: Cursor) -> Expr:
    return _compound(ctx, cursor, ())


@effect(Kind.COMPOUND_ASSIGNMENT_OPERATOR)
def run_compound(ctx: Lowering, cursor: Cursor) -> None:
    _compound(ctx, cursor, ctx.comments(cursor))


def _compound(ctx: Lowering, cursor: Cursor, comments: tuple[str, ...]) -> Lvalue:
    target, operand = children(cursor)
    op = binary_operator(cursor)[:-1]
    value = ctx.value(operand)
    place = ctx.freeze_place(ctx.lvalue(target), "target")
    ctx.emit(Assign(place, combined(ctx, op, place, value, cursor), ctx.span(cursor), comments))
    return place


def combined(ctx: Lowering, op: str, place: Lvalue, value: Expr, at: Cursor) -> Expr:
    """`place op value` computed in the common type and brought back to the place's type."""
    span = ctx.span(at)
    if isinstance(place.type, Pointer):
        return offset_pointer(place, value, op, span)
    if not isinstance(place.type, Scalar) or not isinstance(value.type, Scalar):
        raise ctx.decline("TIL015", f"`{op}=` on {place.type}", at)
    common = promoted(place.type) if op in _SHIFTS else common_type(place.type, value.type)
    result = build.binary(op, build.cast(place, common), build.cast(value, common), common, span)
    return build.cast(result, place.type, span)


def promoted(type_: Scalar) -> Scalar:
    """C's integer promotion."""
    return INT32 if type_.kind in ("bool", "int", "uint") and type_.bits < 32 else type_


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """C's usual arithmetic conversions."""
    floats = [t for t in (left, right) if t.kind in ("float", "bfloat")]
    if floats:
        return max(floats, key=lambda t: t.bits)
    a, b = promoted(left), promoted(right)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if a.kind == "uint" else b


# --- unary ---


@expression(Kind.UNARY_OPERATOR)
def lower_unary(ctx: Lowering, cursor: Cursor) -> Expr:
    op = unary_operator(cursor)
    (operand,) = children(cursor)
    if op == "*":
        return lower_dereference(ctx, operand, cursor)
    if op == "&":
        return lower_address(ctx, operand, cursor)
    if op in _STEPS:
        return _step_value(ctx, op, operand, cursor)
    folded = _folded(ctx, cursor)
    return folded if folded is not None else _plain_unary(ctx, op, operand, cursor)


def _plain_unary(ctx: Lowering, op: str, operand: Cursor, cursor: Cursor) -> Expr:
    value, span = ctx.value(operand), ctx.span(cursor)
    if op in ("+", "ext"):
        return value
    if op == "!":
        return build.logical_not(build.cast(value, BOOL), span)
    if op == "-":
        return build.negate(value, span)
    if op == "~":
        return Unary("~", value, value.type, span)
    raise ctx.decline("TIL015", f"the operator `{op}` is not supported", cursor)


def _step_value(ctx: Lowering, op: str, operand: Cursor, cursor: Cursor) -> Expr:
    place = ctx.freeze_place(ctx.lvalue(operand), "target")
    if op.startswith("p"):
        old = ctx.temporary(f"{_place_name(place)}_before", place, ctx.span(cursor))
        _emit_step(ctx, op, place, cursor, ())
        return old
    _emit_step(ctx, op, place, cursor, ())
    return place


def _place_name(place: Lvalue) -> str:
    return place.variable.name if isinstance(place, VarRef) else "value"


@effect(Kind.UNARY_OPERATOR)
def run_unary(ctx: Lowering, cursor: Cursor) -> None:
    op = unary_operator(cursor)
    (operand,) = children(cursor)
    if op in _STEPS:
        comments = ctx.comments(cursor)
        _emit_step(ctx, op, ctx.freeze_place(ctx.lvalue(operand), "target"), cursor, comments)
    else:
        ctx.run(operand)


def _emit_step(ctx: Lowering, op: str, place: Lvalue, cursor: Cursor, comments: tuple[str, ...]) -> None:
    one = build.int_constant(1, ctx.span(cursor))
    ctx.emit(Assign(place, combined(ctx, _STEPS[op], place, one, cursor), ctx.span(cursor), comments))


# --- conditional ---


@expression(Kind.CONDITIONAL_OPERATOR)
def lower_conditional(ctx: Lowering, cursor: Cursor) -> Expr:
    condition_cursor, then_cursor, else_cursor = children(cursor)
    condition = build.cast(ctx.value(condition_cursor), BOOL)
    if isinstance(condition, Const):
        return ctx.value(then_cursor if condition.value else else_cursor)
    with ctx.block() as then_effects:
        if_true = ctx.value(then_cursor)
    with ctx.block() as else_effects:
        if_false = ctx.value(else_cursor)
    span = ctx.span(cursor)
    if not then_effects and not else_effects:
        return Select(condition, if_true, build.cast(if_false, if_true.type), if_true.type, span)
    return _chosen(ctx, condition, (then_effects, if_true), (else_effects, if_false), span)


def _chosen(
    ctx: Lowering,
    condition: Expr,
    then: tuple[list[Stmt], Expr],
    otherwise: tuple[list[Stmt], Expr],
    span: Span,
) -> Expr:
    result = ctx.fresh("chosen", then[1].type, span)
    ctx.program.mutable.add(result)
    reference = VarRef(result, result.type, span)
    ctx.emit(Declare(result, None, span))
    branches = tuple((*effects, Assign(reference, value, span)) for effects, value in (then, otherwise))
    ctx.emit(If(condition, branches[0], branches[1], span))
    return reference


@effect(Kind.CONDITIONAL_OPERATOR)
def run_conditional(ctx: Lowering, cursor: Cursor) -> None:
    condition_cursor, then_cursor, else_cursor = children(cursor)
    condition = build.cast(ctx.value(condition_cursor), BOOL)
    failing = _assertion_failure(else_cursor)
    if failing is not None:
        call = Call("assert", (condition,), Void(), ctx.span(cursor))
        ctx.emit(Evaluate(call, ctx.span(cursor)))
        return
    then, otherwise = ctx.body(then_cursor), ctx.body(else_cursor)
    if then or otherwise:
        ctx.emit(If(condition, then, otherwise, ctx.span(cursor), ctx.comments(cursor)))


def _assertion_failure(cursor: Cursor) -> Cursor | None:
    is_failure = cursor.kind == Kind.CALL_EXPR and cursor.spelling == "__assert_fail"
    return cursor if is_failure else None
