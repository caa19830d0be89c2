"""Local simplifications of KIR that keep every value: constants folded, detours through addresses removed."""

from __future__ import annotations

from typing import cast

from porter.analysis.ranges import is_integer
from porter.analysis.walk import Node, rewrite
from porter.cuda import kir
from porter.tile.arithmetic import fold_integers, wrap


def simplify(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    return rewrite(body, simplified)


def simplified(node: Node) -> Node:
    """One node whose operands are simplified already."""
    match node:
        case kir.Index(kir.AddressOf(lvalue), kir.Const(0)):
            return lvalue
        case kir.Index(kir.AddressOf(kir.Index(base, kir.Const(0))), index) if _same_step(node, base):
            return kir.Index(base, index, node.type, node.span)
        case kir.AddressOf(kir.Index(base, kir.Const(0))) if isinstance(base.type, kir.Pointer):
            return base
        case kir.Cast(operand, type_) if operand.type == type_:
            return operand
        case kir.Cast(kir.Const(value), kir.Scalar() as type_):
            return _cast_constant(node, value, type_)
        case kir.Binary(_, kir.Const(), kir.Const()):
            return _fold(node)
        case kir.Binary("+" | "-", left, kir.Const(0)) if is_integer(node.type) and left.type == node.type:
            return left
        case kir.Binary("+", kir.Const(0), right) if is_integer(node.type) and right.type == node.type:
            return right
        case kir.Binary("*", left, kir.Const(1)) if is_integer(node.type) and left.type == node.type:
            return left
        case kir.Member(kir.MakeVector(elements, type_), field):
            return _component(node, elements, type_, field)
        case kir.Select(kir.Const(value), if_true, if_false):
            return if_true if value else if_false
        case _:
            return node


def _same_step(node: kir.Index, base: kir.Expr) -> bool:
    """An array that decayed to a pointer and is indexed again: `(&a[0])[i]` is `a[i]`."""
    return isinstance(base.type, (kir.Array, kir.Pointer)) and not isinstance(node.type, kir.Array)


def _cast_constant(node: kir.Cast, value: int | float | bool, type_: kir.Scalar) -> kir.Expr:
    if type_.kind == "bool":
        return kir.Const(bool(value), type_, node.span)
    if type_.kind in ("int", "uint") and not isinstance(value, float):
        return kir.Const(wrap(int(value), type_), type_, node.span)
    if type_.kind == "float" and type_.bits == 64:
        return kir.Const(float(value), type_, node.span)
    if type_.kind == "float" and abs(value) < 1 << 24 and float(value).is_integer() and type_.bits == 32:
        return kir.Const(float(value), type_, node.span)
    return node


def _fold(node: kir.Binary) -> kir.Expr:
    """Integer arithmetic on constants; floats keep their operations, whose rounding is the target's."""
    left, right = cast(kir.Const, node.left), cast(kir.Const, node.right)
    if not is_integer(left.type) or not is_integer(right.type):
        return node
    a, b = int(left.value), int(right.value)
    value = _integer(node.op, a, b)
    if value is None or not isinstance(node.type, kir.Scalar):
        return node
    if node.type.kind == "bool":
        return kir.Const(bool(value), node.type, node.span)
    return kir.Const(wrap(value, node.type), node.type, node.span)


def _integer(op: str, a: int, b: int) -> int | None:
    table = {
        "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b,
        "&&": bool(a) and bool(b), "||": bool(a) or bool(b),
    }  # fmt: skip
    return int(table[op]) if op in table else fold_integers(op, a, b)


def _component(node: kir.Member, elements: tuple[kir.Expr, ...], type_: kir.Type, field: str) -> kir.Expr:
    if isinstance(type_, kir.Vector):
        return elements["xyzw".index(field)]
    if isinstance(type_, kir.Struct):
        return elements[[name for name, _ in type_.fields].index(field)]
    return node
