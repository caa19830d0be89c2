"""Totals that a block only adds to one place: `t = block_sum(v); if (threadIdx.x == 0) atomicAdd(out, t);`.

The blocks' totals are added up there in any order, so that one total of several blocks does the same with
fewer atomic operations. The operation on the place has to be the one that made the total.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.expressions import variables, without_index_casts
from porter.analysis.ranges import is_integer
from porter.analysis.walk import mentioned_variables, walk
from porter.cuda import kir
from porter.tile.idioms import GroupReduce, Op

_COUNT = "__syncthreads_count"
_ATOMICS = {
    "atomicAdd": Op.SUM, "atomicMax": Op.MAX, "atomicMin": Op.MIN,
    "atomicAnd": Op.AND, "atomicOr": Op.OR, "atomicXor": Op.XOR,
}  # fmt: skip


@dataclass(frozen=True)
class Totals:
    """`made` are the operations that make totals, `handed_on` the branches that add them to their places."""

    made: frozenset[int]
    handed_on: frozenset[int]


def totals_of(body: tuple[kir.Stmt, ...]) -> Totals:
    """The totals on the level of the kernel's body that are used for nothing else."""
    made: set[int] = set()
    handed_on: set[int] = set()
    if any(isinstance(node, kir.Return) for node in walk(body)):
        return Totals(frozenset(), frozenset())  # the first thread may have left
    for position, statement in enumerate(body):
        found = _total(statement)
        if found is None:
            continue
        total, operation = found
        users = [s for k, s in enumerate(body) if k != position and total.variable in mentioned_variables(s)]
        if len(users) == 1 and _hands_on(users[0], total):
            made.add(id(operation))
            handed_on.add(id(users[0]))
    return Totals(frozenset(made), frozenset(handed_on))


@dataclass(frozen=True)
class _Total:
    """`is_count`: it is never below 0."""

    variable: kir.Variable
    op: Op
    is_count: bool = False


def _total(statement: kir.Stmt) -> tuple[_Total, object] | None:
    match statement:
        case GroupReduce(target=target, op=op, group=None, valid=None):
            return _Total(target, op), statement
        case kir.Declare(variable=variable, value=kir.Call(name=name) as call) if name == _COUNT:
            return _Total(variable, Op.SUM, is_count=True), call
    return None


def _hands_on(statement: kir.Stmt, total: _Total) -> bool:
    """`if (first thread && total > 0) atomic(place, total);` with one place for all blocks."""
    match statement:
        case kir.If(
            condition=condition,
            then=(kir.Evaluate(call=kir.Call(name=name, arguments=(place, value))),),
            otherwise=(),
        ) if _ATOMICS.get(name) is total.op:
            terms = list(_conjuncts(condition))
            first = {axis for term in terms if (axis := _first_along(term))}
            others = [term for term in terms if not _first_along(term)]
            is_total = _is_total(value, total)
            skips_nothing = all(_is_not_nothing(term, total) for term in others)
            return "x" in first and is_total and skips_nothing and _is_one_place(place)
    return False


def _is_total(value: kir.Expr, total: _Total) -> bool:
    """The total itself; its bits taken for another sign are the same sum, but no other extremum."""
    if isinstance(value, kir.Cast) and total.op not in (Op.MAX, Op.MIN):
        have, wanted = value.operand.type, value.type
        if isinstance(have, kir.Scalar) and isinstance(wanted, kir.Scalar):
            same_bits = is_integer(have) and is_integer(wanted) and have.bits == wanted.bits
            value = value.operand if same_bits else value
    return isinstance(value, kir.VarRef) and value.variable is total.variable


def _conjuncts(condition: kir.Expr) -> Iterator[kir.Expr]:
    if isinstance(condition, kir.Binary) and condition.op == "&&":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition


def _first_along(term: kir.Expr) -> str:
    """The axis along which `threadIdx.x == 0` takes one thread."""
    match term:
        case kir.Binary(op="==", left=left, right=kir.Const(value=0)):
            plain = without_index_casts(left)
            return plain.axis if isinstance(plain, kir.Builtin) and plain.name == "threadIdx" else ""
    return ""


def _is_not_nothing(term: kir.Expr, total: _Total) -> bool:
    """`total != 0`, for a count `> 0`: adding 0 and adding nothing are the same, to an integer."""
    match term:
        case kir.Binary(op=">" | "!=" as op, left=left, right=kir.Const(value=0)):
            plain = without_index_casts(left)
            is_total = isinstance(plain, kir.VarRef) and plain.variable is total.variable
            is_sum = total.op is Op.SUM and is_integer(total.variable.type)
            return is_total and is_sum and (op == "!=" or total.is_count)
    return False


def _is_one_place(place: kir.Expr) -> bool:
    """An address from the kernel's arguments alone, or a variable of the device."""
    varying = (kir.Builtin, kir.Call, kir.CallFunction)
    if any(isinstance(node, varying) for node in walk(place)):
        return False
    return all(v.storage in (kir.Storage.PARAMETER, kir.Storage.GLOBAL) for v in variables(place))
