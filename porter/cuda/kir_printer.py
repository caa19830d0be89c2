"""Readable text of KIR for goldens and debugging: one statement a line, types where they are declared."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from porter.cuda.kir import (
    AddressOf,
    Assign,
    Barrier,
    Binary,
    Bitcast,
    Break,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Pointer,
    Return,
    Scalar,
    Select,
    Stmt,
    Storage,
    Unary,
    Variable,
    VarRef,
    While,
)

_PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_POSTFIX = 12
_PREFIX = 11


def print_kernel(kernel: Kernel) -> str:
    """The kernel, its globals and its functions, each ending with a newline."""
    lines = [_global(v) for v in kernel.globals]
    for function in kernel.functions.values():
        lines += [*_function(function), ""]
    arguments = f"<{', '.join(kernel.template_arguments)}>" if kernel.template_arguments else ""
    bounds = f" launch_bounds({', '.join(map(str, kernel.launch_bounds))})" if kernel.launch_bounds else ""
    lines += [f"# {c}" for c in kernel.comments]
    lines.append(f"kernel {kernel.name}{arguments}({_parameters(kernel.parameters)}){bounds} {{")
    lines += [f"  {line}" for line in print_statements(kernel.body)]
    return "\n".join([*lines, "}"]) + "\n"


def _function(function: Function) -> list[str]:
    head = f"function {function.name}({_parameters(function.parameters)}) -> {function.returns} {{"
    comments = [f"# {c}" for c in function.comments]
    return [*comments, head, *(f"  {line}" for line in print_statements(function.body)), "}"]


def _parameters(parameters: Iterable[Variable]) -> str:
    return ", ".join(f"{v.name}: {v.type}" for v in parameters)


def _global(variable: Variable) -> str:
    return f"{variable.storage.value} {variable.name}: {variable.type}{_initial(variable)}"


def _initial(variable: Variable) -> str:
    if variable.initial is None:
        return ""
    shown = ", ".join(format_number(v) for v in variable.initial[:16])
    return f" = {{{shown}{', …' if len(variable.initial) > 16 else ''}}}"


# --- statements ---


def print_statements(body: Iterable[Stmt]) -> Iterator[str]:
    """The lines of a statement list, without indentation of its own."""
    for statement in body:
        for comment in getattr(statement, "comments", ()):
            yield f"# {comment}"
        yield from _statement(statement)


def _statement(statement: Stmt) -> Iterator[str]:
    if isinstance(statement, If):
        yield from _if(statement)
    elif isinstance(statement, For):
        yield from _for(statement)
    elif isinstance(statement, While):
        yield from _while(statement)
    else:
        yield _simple(statement)


def _simple(statement: Stmt) -> str:
    if isinstance(statement, Declare):
        return _declare(statement)
    if isinstance(statement, Assign):
        return f"{print_expression(statement.target)} = {print_expression(statement.value)}"
    if isinstance(statement, Evaluate):
        return print_expression(statement.call)
    if isinstance(statement, Barrier):
        return f"barrier {statement.scope}"
    if isinstance(statement, Return):
        return "return" if statement.value is None else f"return {print_expression(statement.value)}"
    return {Break: "break", Continue: "continue"}[type(statement)]


def _declare(statement: Declare) -> str:
    variable = statement.variable
    storage = "" if variable.storage is Storage.LOCAL else f"{variable.storage.value} "
    value = "" if statement.value is None else f" = {print_expression(statement.value)}"
    return f"{storage}{variable.name}: {variable.type}{value}{_initial(variable)}"


def _if(statement: If) -> Iterator[str]:
    yield f"if {print_expression(statement.condition)} {{"
    yield from _indented(statement.then)
    while len(statement.otherwise) == 1 and isinstance(statement.otherwise[0], If):
        statement = statement.otherwise[0]
        yield f"}} else if {print_expression(statement.condition)} {{"
        yield from _indented(statement.then)
    if statement.otherwise:
        yield "} else {"
        yield from _indented(statement.otherwise)
    yield "}"


def _for(statement: For) -> Iterator[str]:
    init = ", ".join(print_statements(statement.init))
    step = ", ".join(print_statements(statement.step))
    yield f"for {init}; {print_expression(statement.condition)}; {step} {{"
    yield from _indented(statement.body)
    yield "}"


def _while(statement: While) -> Iterator[str]:
    condition = print_expression(statement.condition)
    yield "do {" if statement.do_while else f"while {condition} {{"
    yield from _indented(statement.body)
    yield f"}} while {condition}" if statement.do_while else "}"


def _indented(body: Iterable[Stmt]) -> Iterator[str]:
    for line in print_statements(body):
        yield f"  {line}"


# --- expressions ---


def print_expression(expr: Expr, above: int = 0) -> str:
    """C-like text; `above` is the precedence of what surrounds it."""
    text, own = _expression(expr)
    return f"({text})" if own < above else text


def _expression(expr: Expr) -> tuple[str, int]:
    if isinstance(expr, Binary):
        own = _PRECEDENCE[expr.op]
        left, right = print_expression(expr.left, own), print_expression(expr.right, own + 1)
        return f"{left} {expr.op} {right}", own
    if isinstance(expr, Unary):
        return f"{expr.op}{print_expression(expr.operand, _PREFIX)}", _PREFIX
    if isinstance(expr, Select):
        parts = [print_expression(e, 1) for e in (expr.condition, expr.if_true, expr.if_false)]
        return f"{parts[0]} ? {parts[1]} : {parts[2]}", 0
    if isinstance(expr, AddressOf):
        return f"&{print_expression(expr.lvalue, _PREFIX)}", _PREFIX
    return _postfix(expr), _POSTFIX


def _postfix(expr: Expr) -> str:
    if isinstance(expr, Const):
        return _constant(expr)
    if isinstance(expr, VarRef):
        return expr.variable.name
    if isinstance(expr, Builtin):
        return f"{expr.name}.{expr.axis}" if expr.axis else expr.name
    if isinstance(expr, Index):
        return f"{print_expression(expr.base, _POSTFIX)}[{print_expression(expr.index)}]"
    if isinstance(expr, Member):
        return f"{print_expression(expr.base, _POSTFIX)}.{expr.field}"
    if isinstance(expr, Cast):
        return f"{expr.type}({print_expression(expr.operand)})"
    if isinstance(expr, Bitcast):
        return f"bits_as_{expr.type}({print_expression(expr.operand)})"
    if isinstance(expr, MakeVector):
        return f"{expr.type}{{{', '.join(print_expression(e) for e in expr.elements)}}}"
    assert isinstance(expr, (Call, CallFunction))
    name = expr.name if isinstance(expr, Call) else f"@{expr.function}"
    return f"{name}({', '.join(print_expression(a) for a in expr.arguments)})"


_SUFFIXES = {"int64": "l", "uint32": "u", "uint64": "ul", "float32": "f", "float16": "h", "bfloat16": "b"}


def _constant(expr: Const) -> str:
    if isinstance(expr.type, Pointer):
        return "null"
    if isinstance(expr.value, bool):
        return "true" if expr.value else "false"
    is_single = isinstance(expr.type, Scalar) and expr.type == Scalar("float", 32)
    shown = shortest_float32(expr.value) if is_single else format_number(expr.value)
    return shown + _SUFFIXES.get(str(expr.type), "")


def format_number(value: int | float) -> str:
    return repr(value)


def shortest_float32(value: float) -> str:
    """The fewest digits that give the same single-precision number."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        try:
            same = struct.unpack("f", struct.pack("f", float(text)))[0] == value
        except OverflowError:
            continue
        if same:
            return repr(float(text))
    return repr(float(value))
