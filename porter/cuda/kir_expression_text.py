"""The text of KIR expressions: C's operators with as few parentheses as C needs."""

from __future__ import annotations

from collections.abc import Mapping

from porter.cuda.kir import (
    AddressOf,
    Binary,
    Bitcast,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Expr,
    Index,
    MakeVector,
    Member,
    Pointer,
    Scalar,
    Select,
    Unary,
    Variable,
    VarRef,
)
from porter.cuda.kir_build import same_type
from porter.cuda.kir_names import TypeNames, format_constant, quoted, quoted_function
from porter.cuda.kir_results import usual_call_type

PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_POSTFIX = 12
_PREFIX = 11


class ExpressionText:
    """`names` is how the visible variables are written; another one stands by its own name."""

    def __init__(self, types: TypeNames, names: Mapping[Variable, str]) -> None:
        self.types = types
        self.names = names

    def of(self, expr: Expr, above: int = 0) -> str:
        """C-like text; `above` is the precedence of what surrounds it."""
        text, own = self._expression(expr)
        return f"({text})" if own < above else text

    def _expression(self, expr: Expr) -> tuple[str, int]:
        if isinstance(expr, Binary):
            own = PRECEDENCE[expr.op]
            right = "null" if _is_null_of(expr.right, expr.left) else self.of(expr.right, own + 1)
            return f"{self.of(expr.left, own)} {expr.op} {right}", own
        if isinstance(expr, Unary):
            return self._unary(expr), _PREFIX
        if isinstance(expr, Select):
            parts = [self.of(e, 1) for e in (expr.condition, expr.if_true, expr.if_false)]
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", 0
        if isinstance(expr, AddressOf):
            return f"&{self.of(expr.lvalue, _PREFIX)}", _PREFIX
        return self._postfix(expr), _POSTFIX

    def _unary(self, expr: Unary) -> str:
        """A minus before a number belongs to the number, so that of an operation keeps its distance."""
        operand = self.of(expr.operand, _PREFIX)
        is_number = expr.op == "-" and isinstance(expr.operand, Const) and not operand.startswith("-")
        return f"{expr.op}({operand})" if is_number else f"{expr.op}{operand}"

    def _postfix(self, expr: Expr) -> str:
        if isinstance(expr, Const):
            return self._constant(expr)
        if isinstance(expr, VarRef):
            return self.names.get(expr.variable) or quoted(expr.variable.name)
        if isinstance(expr, Builtin):
            return f"{expr.name}.{expr.axis}" if expr.axis else expr.name
        if isinstance(expr, Index):
            return f"{self.of(expr.base, _POSTFIX)}[{self.of(expr.index)}]"
        if isinstance(expr, Member):
            return f"{self.of(expr.base, _POSTFIX)}.{quoted(expr.field)}"
        if isinstance(expr, Cast):
            return f"{self.types.text(expr.type)}({self.of(expr.operand)})"
        if isinstance(expr, Bitcast):
            return f"bits_as_{self.types.text(expr.type)}({self.of(expr.operand)})"
        if isinstance(expr, MakeVector):
            return f"{self.types.text(expr.type)}{{{self._list(expr.elements)}}}"
        assert isinstance(expr, (Call, CallFunction))
        return f"{self._callee(expr)}({self._list(expr.arguments)})"

    def _list(self, exprs: tuple[Expr, ...]) -> str:
        return ", ".join(self.of(e) for e in exprs)

    def _callee(self, expr: Call | CallFunction) -> str:
        """The result's type in angle brackets where the operands' types do not tell it."""
        if isinstance(expr, CallFunction):
            return f"@{quoted_function(expr.function)}"
        usual = expr.type == usual_call_type(expr.name, expr.arguments)
        return expr.name if usual else f"{expr.name}<{self.types.text(expr.type)}>"

    def _constant(self, expr: Const) -> str:
        """A number; a pointer's or an aggregate's zero says its type."""
        if isinstance(expr.type, Scalar):
            return format_constant(expr.value, expr.type)
        return f"{self.types.text(expr.type)}({'null' if isinstance(expr.type, Pointer) else '0'})"


def _is_null_of(right: Expr, left: Expr) -> bool:
    """A null pointer behind an operator has the type of what stands before it."""
    is_null = isinstance(right, Const) and isinstance(right.type, Pointer)
    return is_null and same_type(right.type, left.type)
