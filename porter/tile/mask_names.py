"""What a condition is called in the generated code."""

from __future__ import annotations

from porter.analysis.walk import walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir

_WORDS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


def name_for(value: ir.Expr, source: kir.Expr) -> str:
    """`mask` for a bounds check, else what the comparison says: `x_gt_0`."""
    if not isinstance(value, ir.Infix):
        return "active"
    if value.op in ("<", "<=") and value.left.type.dtype.kind == "int" and isinstance(value.right, ir.Name):
        return "mask"
    if value.op in ("&", "|"):
        return "mask" if _is_bounds_check(source) else "active"
    sides = [_word(side) for side in (value.left, value.right)]
    if value.op in _WORDS and all(sides):
        return f"{sides[0]}_{_WORDS[value.op]}_{sides[1]}"
    return "active"


def _is_bounds_check(source: kir.Expr) -> bool:
    comparisons = [n for n in walk(source) if isinstance(n, kir.Binary) and n.op in c.COMPARISONS]
    return all(isinstance(n.left.type, kir.Scalar) and not c.is_float(n.left.type) for n in comparisons)


def _word(side: ir.Expr) -> str:
    if isinstance(side, ir.Name):
        return side.name
    if isinstance(side, ir.Literal) and float(side.value).is_integer() and 0 <= side.value < 1000:
        return str(int(side.value))
    return ""
