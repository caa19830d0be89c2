"""Calls: what is called decides how – a constructor, a method, an intrinsic, or a function of the program."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, TypeKind, canonical, children, evaluate
from porter.cuda.clang_launches import CONFIGURATION_CALLS, is_kernel
from porter.cuda.kir import Call, CallFunction, Const, Evaluate, Expr, Pointer, Scalar, Void
from porter.cuda.kir_effects import is_effect_call
from porter.cuda.lower_construct import copy_assignment, lower_construction
from porter.cuda.lower_context import Lowering, effect, expression
from porter.cuda.lower_expr import lower_erased, this_object
from porter.cuda.lower_functions import body_of, call_user_function
from porter.cuda.lower_groups import group_function, group_method
from porter.cuda.lower_intrinsics import IntrinsicCall, intrinsic_named
from porter.cuda.lower_objects import arguments_of, this_place
from porter.cuda.lower_types import group_of, is_closure, is_erased
from porter.cuda.lower_vectors import vector_operator

# Declared without a body for the states of XORWOW alone.
_JUMPS_OF_XORWOW = frozenset(("curand_init", "skipahead", "skipahead_sequence"))


@expression(Kind.CALL_EXPR)
def lower_call(ctx: Lowering, cursor: Cursor) -> Expr:
    callee = cursor.referenced or _substituted_function(cursor)
    if callee is None:
        raise _unresolved(ctx, cursor)
    if callee.kind == Kind.CONSTRUCTOR:
        return lower_construction(ctx, cursor)
    if callee.kind in (Kind.CXX_METHOD, Kind.CONVERSION_FUNCTION):
        return _lower_method(ctx, callee, cursor)
    if callee.kind == Kind.FUNCTION_DECL:
        return _lower_function(ctx, callee, cursor)
    if callee.kind == Kind.DESTRUCTOR:
        return Const(0, Void(), ctx.span(cursor))
    raise ctx.decline("TIL003", f"`{cursor.spelling}` is called through a pointer", cursor)


def _substituted_function(cursor: Cursor) -> Cursor | None:
    """The function a template parameter of function type stands for."""
    parts = children(cursor)
    current = parts[0] if parts else None
    while current is not None:
        if current.kind == Kind.DECL_REF_EXPR and current.referenced is not None:
            target = current.referenced
            return target if target.kind == Kind.FUNCTION_DECL else None
        inner = [c for c in children(current) if c.kind.is_expression()]
        current = inner[0] if len(inner) == 1 else None
    return None


def _unresolved(ctx: Lowering, cursor: Cursor) -> Exception:
    if any(c.kind == Kind.CALL_EXPR and c.spelling in CONFIGURATION_CALLS for c in children(cursor)):
        return ctx.decline("TIL009", "a kernel is launched from device code", cursor)
    return ctx.decline("TIL003", "what is called here is not known", cursor)


@effect(Kind.CALL_EXPR)
def run_call(ctx: Lowering, cursor: Cursor) -> None:
    """A call whose value is dropped."""
    comments, before = ctx.comments(cursor), len(ctx.out)
    value = ctx.direct(ctx.value(cursor))
    if isinstance(value, (Call, CallFunction)) and len(ctx.out) >= before and not _is_pure(ctx, value):
        ctx.emit(Evaluate(value, ctx.span(cursor)))
    if comments and len(ctx.out) > before:
        ctx.comment(before, comments)


def _is_pure(ctx: Lowering, call: Call | CallFunction) -> bool:
    if isinstance(call, Call):
        return not is_effect_call(call.name)
    return call.function not in ctx.program.impure_functions


# --- functions ---


def _lower_function(ctx: Lowering, callee: Cursor, cursor: Cursor) -> Expr:
    if is_kernel(callee):
        raise _unresolved(ctx, cursor)
    arguments = arguments_of(cursor)
    constant = _constant(ctx, cursor)
    if constant is not None:
        return constant
    if not ctx.unit.is_porters_own(callee) and not callee.spelling.startswith("__builtin_"):
        return call_user_function(ctx, callee, arguments, cursor)
    if _in_namespace(callee, "cooperative_groups") and body_of(callee.get_definition() or callee) is None:
        return group_function(ctx, callee, arguments, cursor)
    if callee.spelling.startswith("operator"):
        return vector_operator(ctx, callee, arguments, cursor)
    handler = intrinsic_named(callee.spelling, in_std=_in_namespace(callee, "std"))
    if handler is not None:
        return handler(IntrinsicCall(ctx, callee.spelling, arguments, cursor))
    if body_of(callee.get_definition() or callee) is not None:
        return call_user_function(ctx, callee, arguments, cursor)
    message = f"`{callee.spelling}` has no counterpart in device code"
    raise ctx.decline("TIL011", message, cursor, _hint(callee.spelling))


def _hint(function: str) -> str:
    """What to write instead of a function that porter's headers only declare."""
    if function in _JUMPS_OF_XORWOW:
        return "make the state a `curandStatePhilox4_32_10_t`, or seed it with the CUDA kernel"
    return ""


def _constant(ctx: Lowering, cursor: Cursor) -> Expr | None:
    if canonical(cursor.type).kind in (TypeKind.VOID, TypeKind.POINTER, TypeKind.RECORD):
        return None
    value = evaluate(cursor)
    if value is None:
        return None
    type_ = ctx.type_of(cursor.type, cursor)
    return build.constant(value, type_, ctx.span(cursor)) if isinstance(type_, Scalar) else None


def _in_namespace(declaration: Cursor, name: str) -> bool:
    parent = declaration.semantic_parent
    while parent is not None and parent.kind != Kind.TRANSLATION_UNIT:
        if parent.kind == Kind.NAMESPACE and parent.spelling == name:
            return True
        parent = parent.semantic_parent
    return False


# --- methods ---


def _lower_method(ctx: Lowering, callee: Cursor, cursor: Cursor) -> Expr:
    obj, arguments = _object_and_arguments(callee, cursor)
    parent = callee.semantic_parent
    is_group = ctx.unit.is_porters_own(callee) and group_of(parent.type) is not None
    if is_group and body_of(callee.get_definition() or callee) is None:
        return group_method(ctx, callee, obj, arguments, cursor)
    if callee.is_static_method():
        constant = _constant(ctx, cursor)
        return constant if constant is not None else call_user_function(ctx, callee, arguments, cursor)
    if callee.is_virtual_method():
        raise ctx.decline("TIL006", f"`{callee.spelling}` is virtual", cursor)
    if callee.spelling == "operator=" and callee.get_definition() is None and obj is not None:
        return copy_assignment(ctx, obj, arguments[0], cursor)
    if callee.spelling == "operator=" and callee.is_default_method() and obj is not None:
        return copy_assignment(ctx, obj, arguments[0], cursor)
    return call_user_function(ctx, callee, arguments, cursor, _this(ctx, obj, cursor))


def _object_and_arguments(callee: Cursor, cursor: Cursor) -> tuple[Cursor | None, list[Cursor]]:
    """The object's expression (None for an implicit `this`) and the arguments proper."""
    arguments = arguments_of(cursor)
    first = children(cursor)[0] if children(cursor) else None
    if first is not None and first.kind == Kind.MEMBER_REF_EXPR and first.spelling == callee.spelling:
        inner = [c for c in children(first) if c.kind.is_expression()]
        return (inner[0] if inner else None), arguments
    if callee.spelling.startswith("operator") and callee.kind == Kind.CXX_METHOD and arguments:
        return arguments[0], arguments[1:]
    return None, arguments


def _this(ctx: Lowering, obj: Cursor | None, cursor: Cursor) -> Expr:
    if obj is None:
        return this_object(ctx, cursor)
    if is_erased(obj.type) or is_closure(obj.type):
        return lower_erased(ctx, obj)
    value = ctx.value(obj)
    if isinstance(value.type, Pointer):
        value = build.index(value, build.int_constant(0, value.span), value.span)
    return this_place(ctx, value, cursor)
