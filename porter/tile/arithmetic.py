"""C's arithmetic on Triton values: widths, signs, truncating division, conversions.

An unsigned value that provably fits the signed type of its width is kept signed, because that is what
Triton's ids and ranges are, and what a Triton author would write. Python numbers (`weak` values) are
converted before an operation whose result would differ: Python floors where C truncates.
"""

from __future__ import annotations

from porter.cuda.kir import BFLOAT16, BOOL, FLOAT32, INT32, Scalar
from porter.tile import ir

_FLOATS = ("float", "bfloat")
WEAK = (INT32, FLOAT32, BOOL)
"""What a Python number is to Triton, if it is small enough."""
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def is_float(dtype: Scalar) -> bool:
    return dtype.kind in _FLOATS


def signed(dtype: Scalar) -> Scalar:
    return Scalar("int", dtype.bits) if dtype.kind == "uint" else dtype


def literal(value: int | float | bool, dtype: Scalar) -> ir.Literal:
    return ir.Literal(value, ir.TileType(dtype))


def convert(expr: ir.Expr, dtype: Scalar) -> ir.Expr:
    """The value in another element type, with C's conversion; nothing is emitted when it has it already."""
    source = expr.type.dtype
    if source == dtype:
        return expr
    if isinstance(expr, ir.Literal):
        return _convert_literal(expr, dtype)
    if _is_there_and_back(expr, dtype):
        assert isinstance(expr, ir.Convert)
        return expr.operand
    if dtype == BOOL and isinstance(expr, ir.Convert) and expr.operand.type.dtype == BOOL:
        return expr.operand
    if dtype == BOOL:
        zero = literal(0.0 if is_float(source) else 0, source)
        return ir.Infix("!=", expr, zero, ir.TileType(BOOL, expr.type.axes))
    return ir.Convert(expr, ir.TileType(dtype, expr.type.axes))


def _is_there_and_back(expr: ir.Expr, dtype: Scalar) -> bool:
    """An integer taken for unsigned, or signed, and now for what it was: the same bits."""
    if not isinstance(expr, ir.Convert) or expr.bitcast or expr.operand.type.dtype != dtype:
        return False
    through = expr.type.dtype
    return {through.kind, dtype.kind} == {"int", "uint"} and through.bits == dtype.bits


def _convert_literal(expr: ir.Literal, dtype: Scalar) -> ir.Expr:
    target = ir.TileType(dtype)
    if dtype == BOOL:
        return ir.Literal(bool(expr.value), target)
    if is_float(dtype):
        return ir.Literal(float(expr.value), target)
    if isinstance(expr.value, float):
        return ir.Convert(expr, target)
    return ir.Literal(wrap(int(expr.value), dtype), target)


def named(value: ir.Expr) -> ir.Expr:
    """The value as something that may get a name.

    Compiled, a name of a Python number stands for a tensor of 32 bits; interpreted, for the number itself.
    """
    if ir.is_weak(value) and value.type.dtype not in WEAK:
        return ir.Convert(value, value.type)
    return value


def wrap(value: int, dtype: Scalar) -> int:
    """`value` modulo the width of `dtype`, in its range."""
    value &= (1 << dtype.bits) - 1
    return value - (1 << dtype.bits) if dtype.kind == "int" and value >> (dtype.bits - 1) else value


def binary(op: str, left: ir.Expr, right: ir.Expr, dtype: Scalar, *, nonnegative: bool = False) -> ir.Expr:
    """`left op right` for operands that already have `dtype` (shift counts aside).

    `nonnegative`: neither operand is ever negative, so flooring and truncating division agree.
    """
    result = ir.TileType(dtype, left.type.axes | right.type.axes)
    if dtype == BFLOAT16:
        wide = [convert(side, FLOAT32) for side in (left, right)]
        return ir.Convert(binary(op, wide[0], wide[1], FLOAT32), result)
    if isinstance(left, ir.Literal) and isinstance(right, ir.Literal) and not is_float(dtype):
        folded = fold_integers(op, int(left.value), int(right.value))
        if folded is not None:
            return literal(wrap(folded, dtype), dtype)
    left, right = _widened_once(op, left, right, dtype)
    if op == "/" and not is_float(dtype):
        left = left if nonnegative else strengthened(left, right)
        return ir.Infix("//", left, right, result)
    if op == "%" and not nonnegative:
        left = strengthened(left, right)
    return ir.Infix(op, left, right, result)


def fold_integers(op: str, a: int, b: int) -> int | None:
    """C's integer arithmetic on mathematical integers; None where C leaves it undefined."""
    if op in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - b * quotient
    if op in ("<<", ">>"):
        return None if not 0 <= b < 64 else (a << b if op == "<<" else a >> b)
    return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}.get(op)


def _widened_once(op: str, left: ir.Expr, right: ir.Expr, dtype: Scalar) -> tuple[ir.Expr, ir.Expr]:
    """Triton widens the other side of an int64 operation by itself."""
    if dtype.kind != "int" or dtype.bits != 64 or op in ("<<", ">>"):
        return left, right
    if not ir.is_weak(left) and _is_widening(right):
        return left, right.operand  # type: ignore[union-attr]
    if not ir.is_weak(right) and _is_widening(left):
        return left.operand, right  # type: ignore[union-attr]
    return left, right


def _is_widening(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Convert) and not expr.bitcast and expr.operand.type.dtype == INT32


def strengthened(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`left` as a Triton value if otherwise two Python numbers would meet."""
    return ir.Convert(left, left.type) if ir.is_weak(left) and ir.is_weak(right) else left


def compare(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if BFLOAT16 in (left.type.dtype, right.type.dtype):
        left, right = convert(left, FLOAT32), convert(right, FLOAT32)
    return ir.Infix(op, left, right, ir.TileType(BOOL, left.type.axes | right.type.axes))


def negate(condition: ir.Expr) -> ir.Expr:
    """The logical complement: the opposite comparison where that is exact (not for floats: NaN)."""
    if (
        isinstance(condition, ir.Infix)
        and condition.op in NEGATED
        and not is_float(condition.left.type.dtype)
    ):
        return ir.Infix(NEGATED[condition.op], condition.left, condition.right, condition.type)
    if isinstance(condition, ir.Prefix) and condition.op in ("not", "~"):
        return condition.operand
    if isinstance(condition, ir.Literal):
        return literal(not condition.value, BOOL)
    op = "~" if condition.type.axes else "not"
    return ir.Prefix(op, condition, condition.type)


def logical(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`op` is "&" or "|". Two scalars use Python's words, which also hold for Python's own bools.

    Triton's interpreter cannot combine the comparison of two scalars, or a bool of Python, with a mask; such
    a scalar chooses between the mask and a constant instead.
    """
    axes = left.type.axes | right.type.axes
    for one, other in ((left, right), (right, left)):
        if other.type.axes and not one.type.axes and _is_no_mask(one):
            truth = ir.TileType(BOOL, axes)
            if op == "&":
                return ir.Invoke("tl.where", (one, other, literal(False, BOOL)), truth)
            return ir.Invoke("tl.where", (one, literal(True, BOOL), other), truth)
    word = {"&": "and", "|": "or"}[op]
    return ir.Infix(op if axes else word, left, right, ir.TileType(BOOL, axes))


def _is_no_mask(condition: ir.Expr) -> bool:
    if ir.is_weak(condition):
        return True
    if isinstance(condition, ir.Infix) and condition.op in COMPARISONS:
        return True
    if isinstance(condition, ir.Name):
        return True
    return any(_is_no_mask(o) for o in ir.operands(condition) if o.type.dtype == BOOL)


def select(condition: ir.Expr, if_true: ir.Expr, if_false: ir.Expr, dtype: Scalar) -> ir.Expr:
    axes = condition.type.axes | if_true.type.axes | if_false.type.axes
    arguments = (condition, if_true, if_false)
    if ir.is_weak(if_true) and ir.is_weak(if_false) and dtype not in (FLOAT32, INT32):
        arguments = (condition, ir.Convert(if_true, ir.TileType(dtype)), if_false)
    return ir.Invoke("tl.where", arguments, ir.TileType(dtype, axes))
