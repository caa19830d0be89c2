"""The operators of the symbolic execution on values that are all known, and the forms it recognises."""

from __future__ import annotations

from porter.analysis import concrete
from porter.analysis.expressions import key
from porter.analysis.terms import Number, Term, Votes, combine
from porter.cuda.kir import Binary, Call, Expr, Pointer, Scalar, Select, Unary


def compute(expr: Expr, numbers: list[concrete.Array]) -> concrete.Array | None:
    match expr:
        case Unary(op=op):
            return concrete.unary(op, numbers[0], expr.type)
        case Binary(op=op) if not isinstance(expr.type, Pointer):
            return concrete.binary(op, numbers[0], numbers[1], expr.type)
        case Call(name=name):
            return concrete.call(name, numbers, expr.type)
        case _:
            return None


def operator_of(expr: Expr) -> str:
    match expr:
        case Binary(op=op):
            return op
        case Call(name=name, arguments=(_, _)) if name in concrete.MAXIMA | concrete.MINIMA:
            return "max" if name in concrete.MAXIMA else "min"
        case _:
            return ""


def masked(left: Term, right: Term, warp_size: int, unit: Number) -> Term:
    """`&`: of a ballot and a number it selects votes."""
    if isinstance(right, Votes):
        left, right = right, left
    if isinstance(left, Votes) and isinstance(right, int) and not isinstance(right, bool):
        wanted = (right & ((1 << warp_size) - 1)) << left.first
        return Votes(left.site, left.first, left.lanes & wanted)
    return combine("&", left, right, unit)


def select_extremum(expr: Select) -> str | None:
    """`a > b ? a : b` on integers is `max`; on floats it is not, since it treats NaN by position."""
    condition = expr.condition
    if not isinstance(expr.type, Scalar) or expr.type.kind not in ("int", "uint"):
        return None
    if not isinstance(condition, Binary) or condition.op not in ("<", "<=", ">", ">="):
        return None
    sides, results = (key(condition.left), key(condition.right)), (key(expr.if_true), key(expr.if_false))
    if sides == results:
        return "max" if condition.op in (">", ">=") else "min"
    if sides == results[::-1]:
        return "min" if condition.op in (">", ">=") else "max"
    return None
