"""Tile IR to Python text: operator precedence, layout of statements, literals."""

from __future__ import annotations

import math
import struct

from porter.cuda.kir import FLOAT64, Scalar
from porter.tile import ir

INDENT = "    "
LINE_WIDTH = 100

_PRECEDENCE = {
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "is", "is not"), 4),
    "|": 5,
    "^": 6,
    "&": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "//": 10,
    "%": 10,
}
_LARGEST_FLOAT32 = (2 - 2**-23) * 2.0**127
_UNARY = 11
_ATOM = 13
_AUGMENTED = frozenset({"+", "-", "*", "/", "//", "%", "|", "&", "^", "<<", ">>"})
_ASSOCIATIVE = frozenset({"+", "*", "|", "&", "^", "and", "or"})


def dtype_name(scalar: Scalar) -> str:
    """Triton's name of an element type; C's `bool` is `int1` as a value."""
    if scalar.kind == "bool":
        return "tl.int1"
    if scalar.kind == "bfloat":
        return "tl.bfloat16"
    return f"tl.{scalar.kind}{scalar.bits}"


def print_expr(expr: ir.Expr) -> str:
    return _print(expr)[0]


def _print(expr: ir.Expr) -> tuple[str, int]:
    """The text and the precedence of its outermost operator."""
    match expr:
        case ir.Literal(value, type_):
            text = print_literal(value, single=type_.dtype.bits <= 32)
            return text, _UNARY if text.startswith("-") else _ATOM
        case ir.Name(name) | ir.Text(name):
            return name, _ATOM
        case ir.Prefix(op, operand):
            level = _PRECEDENCE["not"] if op == "not" else _UNARY
            space = " " if op == "not" else ""
            return f"{op}{space}{_operand(operand, level)}", level
        case ir.Infix(op, left, right):
            return _infix(op, left, right)
        case ir.Invoke(function, arguments, _, keywords):
            parts = [print_expr(a) for a in arguments] + [f"{k}={print_expr(v)}" for k, v in keywords]
            return f"{function}({', '.join(parts)})", _ATOM
        case ir.Suffix(operand, text):
            return f"{_operand(operand, _ATOM)}{text}", _ATOM
        case ir.Convert():
            return _convert(expr), _ATOM


def _infix(op: str, left: ir.Expr, right: ir.Expr) -> tuple[str, int]:
    level = _PRECEDENCE[op]
    comparison = level == _PRECEDENCE["<"]
    left_text = _operand(left, level + (1 if comparison else 0))
    right_level = level if op in _ASSOCIATIVE and _same_operator(right, op) else level + 1
    return f"{left_text} {op} {_operand(right, right_level)}", level


def _same_operator(expr: ir.Expr, op: str) -> bool:
    """Whether dropping the parentheses keeps the value: integers and masks only, floats keep their order."""
    return isinstance(expr, ir.Infix) and expr.op == op and expr.type.dtype.kind in ("int", "uint", "bool")


def _operand(expr: ir.Expr, level: int) -> str:
    text, own = _print(expr)
    return text if own >= level else f"({text})"


def _convert(expr: ir.Convert) -> str:
    dtype = dtype_name(expr.type.dtype)
    if expr.type.pointer:
        dtype = f"tl.pointer_type({dtype})"
    bits = ", bitcast=True" if expr.bitcast else ""
    if ir.is_weak(expr.operand) and expr.type.dtype == FLOAT64 and not bits:
        # `tl.cast` would take a Python float for a float32 first.
        return f"tl.full((), {print_expr(expr.operand)}, {dtype})"
    if ir.is_weak(expr.operand):
        return f"tl.cast({print_expr(expr.operand)}, {dtype}{bits})"
    return f"{_operand(expr.operand, _ATOM)}.to({dtype}{bits})"


def print_literal(value: int | float | bool, *, single: bool = False) -> str:
    """A Python literal; `single` allows the shortest decimal that rounds to the same float32."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return 'float("nan")'
        if math.isinf(value):
            return 'float("inf")' if value > 0 else '-float("inf")'
        # Formatters write an exponent without its plus sign.
        return (_short_float(value) if single else repr(value)).replace("e+", "e")
    return str(value)


def _short_float(value: float) -> str:
    """The shortest decimal that is the same float32, if the value is one; else the shortest float64."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        # A literal above the largest float32 would become a float64 in Triton.
        if _as_float32(float(text)) == value and abs(float(text)) <= _LARGEST_FLOAT32:
            return repr(float(text))
    return repr(value)


def _as_float32(value: float) -> float:

    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.inf


def print_block(body: tuple[ir.Stmt, ...], depth: int) -> list[str]:
    """The lines of a block; an empty one is `pass`."""
    lines: list[str] = []
    for statement in body:
        lines += _print_statement(statement, depth)
    code = [line for line in lines if not line.lstrip().startswith("#")]
    return lines if code else [*lines, INDENT * depth + "pass"]


def _print_statement(statement: ir.Stmt, depth: int) -> list[str]:
    pad = INDENT * depth
    match statement:
        case ir.Comment(lines):
            return [f"{pad}# {line}".rstrip() for line in lines]
        case ir.Leave():
            return [f"{pad}return"]
        case ir.Let(target, ir.Infix(op, ir.Name(name), right), comments) if (
            name == target and op in _AUGMENTED
        ):
            return _comments(comments, pad) + _wrap(f"{pad}{target} {op}= ", right, pad)
        case ir.Let(target, value, comments):
            return _comments(comments, pad) + _wrap(f"{pad}{target} = ", value, pad)
        case ir.Do(value, comments):
            return _comments(comments, pad) + _wrap(pad, value, pad)
        case ir.IfElse():
            return _if_else(statement, depth)
        case ir.ForRange():
            head = f"{pad}for {statement.variable} in {_range(statement)}:"
            return [*_comments(statement.comments, pad), head, *print_block(statement.body, depth + 1)]
        case ir.WhileLoop(condition, body, comments):
            head = f"{pad}while {print_expr(condition)}:"
            return [*_comments(comments, pad), head, *print_block(body, depth + 1)]


def _if_else(statement: ir.IfElse, depth: int) -> list[str]:
    pad = INDENT * depth
    lines = [*_comments(statement.comments, pad), f"{pad}if {print_expr(statement.condition)}:"]
    lines += print_block(statement.then, depth + 1)
    if statement.otherwise:
        lines += [f"{pad}else:", *print_block(statement.otherwise, depth + 1)]
    return lines


def _range(loop: ir.ForRange) -> str:
    parts = [print_expr(loop.start), print_expr(loop.stop)]
    if loop.step != ir.Literal(1, loop.step.type):
        parts.append(print_expr(loop.step))
    if loop.unroll == ir.WHOLE:
        return f"tl.static_range({', '.join(parts)})"
    if loop.unroll > 1:
        return f"tl.range({', '.join(parts)}, loop_unroll_factor={loop.unroll})"
    return f"range({', '.join(parts)})"


def _comments(comments: tuple[str, ...], pad: str) -> list[str]:
    return [f"{pad}# {line}".rstrip() for line in comments]


def _wrap(prefix: str, value: ir.Expr, pad: str) -> list[str]:
    """One line, or a call opened over several lines where one would be too long."""
    line = prefix + print_expr(value)
    if len(line) <= LINE_WIDTH:
        return [line]
    if isinstance(value, ir.Invoke):
        inner = [print_expr(a) for a in value.arguments]
        inner += [f"{k}={print_expr(v)}" for k, v in value.keywords]
        return [f"{prefix}{value.function}(", *(f"{pad}{INDENT}{part}," for part in inner), f"{pad})"]
    if isinstance(value, ir.Infix):
        return [f"{prefix}(", *_broken(value, pad + INDENT), f"{pad})"]
    return [line]


def _broken(value: ir.Infix, pad: str) -> list[str]:
    """`a op b` over two lines, the operator leading the second, as formatters do."""
    text_left, _ = _print(value.left)
    level = _PRECEDENCE[value.op]
    left = _operand(value.left, level)
    right = _operand(value.right, level + 1)
    if isinstance(value.left, ir.Infix) and left == text_left and len(pad + left) > LINE_WIDTH:
        return [*_broken(value.left, pad), f"{pad}{value.op} {right}"]
    return [f"{pad}{left}", f"{pad}{value.op} {right}"]
