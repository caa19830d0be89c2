"""Calls of the program's own device functions: by name where the IR can say it, else in place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import (
    Cursor,
    Kind,
    as_written,
    children,
    declaration_key,
    evaluate,
    template_arguments,
)
from porter.cuda.kir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Call,
    CallFunction,
    Const,
    Declare,
    Evaluate,
    Expr,
    Function,
    Index,
    Member,
    Pointer,
    Return,
    Scalar,
    Stmt,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    Void,
)
from porter.cuda.kir_effects import is_effect_call
from porter.cuda.kir_walk import expressions, statements, subexpressions
from porter.cuda.lower_context import Decline, Lowering
from porter.cuda.lower_expr import convert_value
from porter.cuda.lower_objects import initialise_fields
from porter.cuda.lower_references import referred
from porter.cuda.lower_types import is_erased, is_mutable_reference, is_reference, strip_reference
from porter.cuda.structure_exits import has_exit, return_exits, structure_exits

_MAX_INLINED = 2000


def parameters_of(function: Cursor) -> list[Cursor]:
    return [c for c in children(function) if c.kind == Kind.PARM_DECL]


def body_of(function: Cursor) -> Cursor | None:
    bodies = [c for c in children(function) if c.kind == Kind.COMPOUND_STMT]
    return bodies[-1] if bodies else None


def definition_of(ctx: Lowering, function: Cursor, at: Cursor) -> Cursor:
    """The (instantiated) function with its body."""
    if body_of(function) is not None:
        return function
    definition = function.get_definition()
    if definition is None or body_of(definition) is None:
        raise ctx.decline(
            "TIL011",
            f"the body of `{function.spelling}` is not known",
            at,
            "give the include directory that has it, or write the operation out",
        )
    return definition


def call_user_function(
    ctx: Lowering, function: Cursor, arguments: list[Cursor], cursor: Cursor, this: Expr | None = None
) -> Expr:
    definition = definition_of(ctx, function, cursor)
    key = declaration_key(definition)
    if key in ctx.program.active:
        raise ctx.decline("TIL004", f"`{function.spelling}` calls itself", cursor)
    check_parsed(ctx, definition)
    if this is not None or _must_inline(ctx, definition, arguments):
        return inline_call(ctx, definition, arguments, cursor, this)
    return _call_by_name(ctx, definition, arguments, cursor)


@contextmanager
def _inside(ctx: Lowering, function: Cursor) -> Iterator[None]:
    """While the body of `function` is lowered: a call of it there is a recursion. Arguments are outside."""
    ctx.program.active.append(declaration_key(function))
    try:
        yield
    finally:
        ctx.program.active.pop()


def check_parsed(ctx: Lowering, function: Cursor) -> None:
    """Declines when the front end objected to something inside `function`."""
    errors = ctx.unit.errors_within(ctx.unit.span(function))
    if errors:
        raise Decline(Diagnostic("TIL001", Severity.ERROR, errors[0].message, errors[0].span))


# --- by name or in place? ---


def _must_inline(ctx: Lowering, function: Cursor, arguments: list[Cursor]) -> bool:
    """References to write through, addresses of locals and erased objects cannot be passed by value."""
    if is_reference(function.result_type) or (function.kind == Kind.CXX_METHOD and _is_closure(function)):
        return True
    for parameter in parameters_of(function):
        if is_mutable_reference(parameter.type) or is_erased(parameter.type):
            return True
        if is_reference(parameter.type):
            target = ctx.type_of(parameter.type, parameter)
            if isinstance(target, (Struct, Array, Pointer)):
                return True
    return any(_is_local_address(ctx, a) for a in arguments)


def _is_closure(function: Cursor) -> bool:
    return "(lambda" in str(function.semantic_parent.type.spelling)


def _is_local_address(ctx: Lowering, argument: Cursor) -> bool:
    """`&x` or an array, of a variable of the thread."""
    while argument.kind in (Kind.PAREN_EXPR, Kind.UNEXPOSED_EXPR, Kind.CSTYLE_CAST_EXPR) or (
        argument.kind in (Kind.UNARY_OPERATOR, Kind.ARRAY_SUBSCRIPT_EXPR, Kind.MEMBER_REF_EXPR)
        and "&" not in argument.type.spelling
    ):
        inner = [c for c in children(argument) if c.kind.is_expression()]
        if not inner:
            return False
        argument = inner[0]
    if argument.kind != Kind.DECL_REF_EXPR or argument.referenced is None:
        return False
    bound = ctx.bindings.get(declaration_key(argument.referenced))
    while isinstance(bound, (AddressOf, Index, Member)):
        bound = bound.lvalue if isinstance(bound, AddressOf) else bound.base
    return isinstance(bound, VarRef) and bound.variable.storage is Storage.LOCAL and _is_memory(bound.type)


def _is_memory(type_: Type) -> bool:
    return isinstance(type_, (Array, Struct))


# --- by name ---


def _call_by_name(ctx: Lowering, function: Cursor, arguments: list[Cursor], cursor: Cursor) -> Expr:
    parameters = parameters_of(function)
    values = []
    for parameter, argument in zip(parameters, arguments, strict=False):
        type_ = ctx.type_of(parameter.type, parameter)
        values.append(convert_value(ctx, argument_value(ctx, argument, parameter), type_, argument))
    name = _lowered_function(ctx, function)
    returns = ctx.program.functions[name].returns
    call = CallFunction(name, tuple(values), returns, ctx.span(cursor))
    if isinstance(returns, Void) or name in ctx.program.impure_functions:
        return ctx.effect_call(call, f"{function_name(function)}_result")
    return call


def argument_value(ctx: Lowering, argument: Cursor, parameter: Cursor) -> Expr:
    """The argument, or the parameter's default where the call leaves it out."""
    is_default = argument.kind == Kind.UNEXPOSED_EXPR and not children(argument)
    if is_default and evaluate(argument) is None:
        defaults = [c for c in children(parameter) if c.kind.is_expression()]
        if defaults:
            return ctx.value(defaults[-1])
    return ctx.value(argument)


def _lowered_function(ctx: Lowering, function: Cursor) -> str:
    key = declaration_key(function)
    known = ctx.program.function_names.get(key)
    if known is not None:
        return known
    name = _unique_name(ctx, function)
    frame = Lowering(ctx.program, {}, ctx.program.assigned_in(function), in_kernel=False)
    parameters = tuple(bind_parameter(frame, p) for p in parameters_of(function))
    returns = ctx.type_of(function.result_type, function)
    body_cursor = body_of(function)
    assert body_cursor is not None
    with _inside(ctx, function):
        body = frame.body(body_cursor)
    ctx.program.function_names[key] = name
    ctx.program.functions[name] = Function(
        name, parameters, returns, body, ctx.span(function), ctx.comments(as_written(function))
    )
    if has_effects(body, ctx.program.impure_functions):
        ctx.program.impure_functions.add(name)
    return name


def _unique_name(ctx: Lowering, function: Cursor) -> str:
    arguments = template_arguments(function)
    name = function_name(function) + (f"<{', '.join(arguments)}>" if arguments else "")
    taken = ctx.program.taken_names  # also of functions around this one, whose bodies are not done
    unique = name if name not in taken else f"{name}#{len(taken)}"
    taken.add(unique)
    return unique


_OPERATOR_NAMES = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "<": "less",
    ">": "greater",
    "<=": "at_most", ">=": "at_least", "==": "equal", "!=": "differ", "&": "and", "|": "or", "^": "xor",
    "<<": "shift_left", ">>": "shift_right", "!": "not", "~": "invert", "()": "call", "[]": "at",
}  # fmt: skip


def function_name(function: Cursor) -> str:
    """The function's name as an identifier: `operator+` is `operator_add`."""
    name = str(function.spelling)
    symbol = name.removeprefix("operator").strip()
    return name if name.isidentifier() else f"operator_{_OPERATOR_NAMES.get(symbol, 'call')}"


def bind_parameter(frame: Lowering, parameter: Cursor, *, restrict: bool = False) -> Variable:
    """`restrict`: whether the qualifier counts, as it does for a kernel's parameters."""
    type_ = _decayed(frame, parameter, frame.type_of(parameter.type, parameter))
    span = frame.span(parameter)
    is_alone = restrict and bool(parameter.type.is_restrict_qualified())
    variable = Variable(parameter.spelling, type_, Storage.PARAMETER, span, restrict=is_alone)
    frame.bind(parameter, VarRef(variable, type_, span))
    return variable


def _decayed(ctx: Lowering, parameter: Cursor, type_: Type) -> Type:
    """A parameter that is written as an array is a pointer to its first element."""
    if not isinstance(type_, Array) or is_reference(parameter.type):
        return type_
    return Pointer(build.element_type(VarRef(_placeholder(type_), type_, ctx.span(parameter))))


def _placeholder(type_: Type) -> Variable:
    return Variable("", type_, Storage.LOCAL, Span("", 0, 0, 1, 1))


def has_effects(body: tuple[Stmt, ...], impure: set[str]) -> bool:
    """Whether running `body` can be seen from outside: stores through pointers, barriers, effect calls."""
    for statement in statements(body):
        if isinstance(statement, (Evaluate, Barrier)):
            return True
        if isinstance(statement, Assign) and _writes_memory(statement.target):
            return True
    return any(
        (isinstance(e, Call) and is_effect_call(e.name))
        or (isinstance(e, CallFunction) and e.function in impure)
        for e in expressions(body)
    )


def _writes_memory(target: Expr) -> bool:
    while isinstance(target, (Index, Member)):
        if isinstance(target, Index) and isinstance(target.base.type, Pointer):
            return True
        target = target.base
    return isinstance(target, VarRef) and target.variable.storage not in (Storage.LOCAL, Storage.PARAMETER)


# --- in place ---


def inline_call(
    ctx: Lowering, function: Cursor, arguments: list[Cursor], cursor: Cursor, this: Expr | None
) -> Expr:
    """Lowers the body of `function` at the call; its value is an expression or a result variable."""
    ctx.program.n_inlined += 1
    if ctx.program.n_inlined > _MAX_INLINED:
        raise ctx.decline("TIL016", "the kernel is too large once its functions are inlined", cursor)
    frame = ctx.inner_frame(function, this, ctx.span(cursor))
    parameters = parameters_of(function)
    bound = [
        _bound_argument(ctx, frame, parameter, argument)
        for parameter, argument in zip(parameters, arguments, strict=False)
    ]
    for parameter, value in zip(parameters, bound, strict=False):
        if value is not None:
            frame.bind(parameter, value)
    return _body_in(ctx, frame, function, cursor)


def call_with_values(
    ctx: Lowering, function: Cursor, values: list[Expr], cursor: Cursor, this: Expr | None
) -> Expr:
    """Like `inline_call`, for arguments that are values already."""
    definition = definition_of(ctx, function, cursor)
    check_parsed(ctx, definition)
    frame = ctx.inner_frame(definition, this, ctx.span(cursor))
    for parameter, value in zip(parameters_of(definition), values, strict=False):
        unchanged = declaration_key(parameter) not in frame.assigned
        if not (unchanged and isinstance(value, VarRef)):
            value = ctx.temporary(parameter.spelling, value, value.span)
        frame.bind(parameter, value)
    return _body_in(ctx, frame, definition, cursor)


def _body_in(ctx: Lowering, frame: Lowering, function: Cursor, cursor: Cursor) -> Expr:
    """The function's body, lowered in `frame` and spliced in at the call."""
    body_cursor = body_of(function)
    assert body_cursor is not None
    with _inside(ctx, function), ctx.block() as statements_:
        frame.out = statements_
        frame.run(body_cursor)
    return _spliced(ctx, function, tuple(statements_), cursor)


def _bound_argument(ctx: Lowering, frame: Lowering, parameter: Cursor, argument: Cursor) -> Expr | None:
    """What stands for a parameter inside the body; None for one without a value."""
    if is_erased(parameter.type):
        return None
    if is_reference(parameter.type):
        target = ctx.type_of(parameter.type, parameter)
        if is_mutable_reference(parameter.type) or not isinstance(target, Scalar):
            return referred(ctx, argument, parameter)
    type_ = _decayed(ctx, parameter, ctx.type_of(strip_reference(parameter.type), parameter))
    value = convert_value(ctx, argument_value(ctx, argument, parameter), type_, argument)
    if declaration_key(parameter) not in frame.assigned and _binds_directly(frame, value):
        return value
    variable = Variable(parameter.spelling, type_, Storage.LOCAL, ctx.span(parameter))
    ctx.emit(Declare(variable, ctx.direct(value), ctx.span(argument)))
    return VarRef(variable, type_, ctx.span(argument))


def _binds_directly(frame: Lowering, value: Expr) -> bool:
    """Names, constants and addresses may stand for a parameter; longer expressions would be repeated."""
    is_short = isinstance(value, (VarRef, Const, AddressOf)) or not any(
        True for e in subexpressions(value) if e is not value
    )
    return is_short and frame.is_stable(value)


def _spliced(ctx: Lowering, function: Cursor, body: tuple[Stmt, ...], cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    last = body[-1] if body else None
    exits = return_exits(None)
    if isinstance(last, Return) and not has_exit(body[:-1], exits):
        for statement in body[:-1]:
            ctx.emit(statement)
        return _result(ctx, function, last.value, body[:-1], span)
    if is_reference(function.result_type) and has_exit(body, exits):
        raise ctx.decline("TIL017", f"`{function.spelling}` returns one of several references", cursor)
    returns = ctx.type_of(function.result_type, function)
    if isinstance(returns, Void) or not has_exit(body, exits):
        for statement in structure_exits(body, return_exits(None), f"{function_name(function)}_done", span):
            ctx.emit(statement)
        return Const(0, Void(), span)
    result = ctx.fresh(f"{function_name(function)}_result", returns, span)
    ctx.program.mutable.add(result)
    ctx.emit(Declare(result, None, span))
    for statement in structure_exits(body, return_exits(result), f"{function_name(function)}_done", span):
        ctx.emit(statement)
    return VarRef(result, returns, span)


def _result(ctx: Lowering, function: Cursor, value: Expr | None, body: tuple[Stmt, ...], span: Span) -> Expr:
    if value is None:
        return Const(0, Void(), span)
    if is_reference(function.result_type) or not _may_change_later(ctx, value, body):
        return value
    return ctx.temporary(f"{function_name(function)}_result", value, span)


def _may_change_later(ctx: Lowering, value: Expr, body: tuple[Stmt, ...]) -> bool:
    """A body that stores can, run again in the same expression, change what the value reads."""
    stores = any(isinstance(s, (Assign, Evaluate)) for s in statements(body))
    own = {s.variable for s in statements(body) if isinstance(s, Declare)}
    reads = [e for e in subexpressions(value) if isinstance(e, (VarRef, Index))]
    outside = any(isinstance(e, Index) or (isinstance(e, VarRef) and e.variable not in own) for e in reads)
    return stores and outside and not ctx.is_stable(value)


def inline_constructor(
    ctx: Lowering, constructor: Cursor, this: VarRef, arguments: list[Cursor], cursor: Cursor
) -> None:
    """Runs a constructor on the object at `this`."""
    frame = ctx.inner_frame(constructor, this, ctx.span(cursor))
    parameters = parameters_of(constructor)
    for parameter, argument in zip(parameters, arguments, strict=False):
        value = _bound_argument(ctx, frame, parameter, argument)
        if value is not None:
            frame.bind(parameter, value)
    with ctx.block() as statements_:
        frame.out = statements_
        initialise_fields(frame, constructor, this)
        body_cursor = body_of(constructor)
        if body_cursor is not None:
            frame.run(body_cursor)
    for statement in structure_exits(tuple(statements_), return_exits(None), "constructed", ctx.span(cursor)):
        ctx.emit(statement)
