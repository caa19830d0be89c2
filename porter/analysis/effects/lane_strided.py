"""`for (i = first + lane; i < end; i += width) …`: what all lanes do together is the same for every width.

The licence: an iteration takes nothing from another. Variables that outlive it are sums (or other folds) of
what each iteration gives, it stores to elements that no other iteration touches, and it loads nothing that
another stores. Then the shares of all lanes of a group, put together, are every `i` from `first` to `end`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from porter.analysis.aliasing import may_be_one
from porter.analysis.effects.canonical import Canonical, nodes_of
from porter.analysis.effects.collectives import WAVEFRONT_SIZE, combined
from porter.analysis.effects.expressions import EXTREMA, in_memory
from porter.analysis.effects.loop_effects import loads_in, start_of, stored_in, through_memory, uses_result
from porter.analysis.effects.state import SUMMED
from porter.analysis.effects.terms import Term
from porter.analysis.effects.values import Active, Value, here, of_thread
from porter.analysis.walk import assigned_variables, definitions, reads, root_variable, walk
from porter.cuda.kir import (
    Assign,
    Binary,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    Index,
    Member,
    Return,
    Scalar,
    Variable,
    VarRef,
    While,
)
from porter.cuda.warp import WARP_SIZE

if TYPE_CHECKING:
    from porter.analysis.effects.execution import Execution


@dataclass(frozen=True)
class _Strided:
    """Lane `t % size` starts `each * lane` behind `first`, and goes on by `each * size`."""

    size: int
    each: int
    first: list[Term]


def lane_strided(on: Execution, stmt: For, active: Active) -> bool:
    """Runs the loop as its lanes' shares, if it is one of this kind. Raises Stop."""
    variable = _counter(stmt)
    if variable is None:
        return False
    folds = _folds(stmt, variable)
    strided = _lanes(on, stmt, variable, active) if folds is not None else None
    if folds is None or strided is None or not _iterations_are_apart(on, stmt, variable, active):
        return False
    from porter.analysis.effects.loops import outside

    on.state.loops += 1
    canonical = Canonical(on.state.functions)
    canonical.add(stmt.condition)
    canonical.add(stmt.body)
    inputs = outside(on, canonical, active, without=frozenset((variable, *folds)))
    shares = _shares(on, strided, canonical.text, inputs)
    memory = stored_in(on, stmt, active)
    on.state.stored.extend(memory.buffers)
    for place, op in folds.items():
        _fold(on, place, op, canonical.number(place), shares, strided, active)
    on.state.locals[variable] = on.pool.undefined_value()
    if memory.any:
        for t in here(active):
            guard = active[t]
            assert guard is not None
            what = (shares[t], str(strided.size), str(t % strided.size))
            on.state.record("lane's share", guard, what, stmt.span, counted=memory.has_atomics)
    return True


def _shares(on: Execution, strided: _Strided, text: str, inputs: list[Value]) -> list[Term]:
    """What the lanes of one group have in common."""
    what = (on.state.loops, text, strided.each)
    return [
        on.pool.make("range", what, (strided.first[t], *(of_thread(i, t) for i in inputs)))
        for t in range(on.threads)
    ]


def _fold(
    on: Execution,
    place: Variable,
    op: str,
    number: int,
    shares: list[Term],
    strided: _Strided,
    active: Active,
) -> None:
    before = on.evaluate(VarRef(place, place.type, place.span), active)
    out = []
    for t in range(on.threads):
        if active[t] is None:
            out.append(of_thread(before, t))
            continue
        whole = on.pool.total(shares[t], number, op, str(place.type))
        share = on.pool.lane_part(whole, strided.size, t % strided.size)
        out.append(combined(on.state, op, place.type, [of_thread(before, t), share]))
    on.state.locals[place] = out


# --- the form ------------------------------------------------------------------------------------------


def _counter(stmt: For) -> Variable | None:
    """`i` of `for (…; i < end; i += amount)`, where `end` does not change in the loop."""
    condition = stmt.condition
    step = stmt.step[0] if len(stmt.step) == 1 else None
    if not isinstance(condition, Binary) or condition.op not in ("<", "<=") or not isinstance(step, Assign):
        return None
    left = without_integer_casts(condition.left)
    if not isinstance(left, VarRef) or _amount(stmt, left.variable) is None:
        return None
    variable = left.variable
    changed = assigned_variables(stmt) | {n.variable for n in walk(stmt.body) if isinstance(n, Declare)}
    if (reads(condition.right) & (changed | {variable})) or variable in assigned_variables(stmt.body):
        return None
    leaves = any(isinstance(n, Break | Return) for n in _own_level(stmt))
    return None if leaves else variable


def _own_level(stmt: For) -> Iterator[object]:
    """What belongs to this loop: a `break` of an inner loop is its own matter, a `return` is not."""
    pending: list[object] = list(stmt.body)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, For | While):
            yield from (n for n in walk(node) if isinstance(n, Return))
        elif not isinstance(node, Continue):
            pending.extend(getattr(node, "then", ()))
            pending.extend(getattr(node, "otherwise", ()))


def _amount(stmt: For, variable: Variable) -> Expr | None:
    step = stmt.step[0]
    if (
        not isinstance(step, Assign)
        or not isinstance(step.target, VarRef)
        or step.target.variable is not variable
    ):
        return None
    value = without_integer_casts(step.value)
    if not isinstance(value, Binary) or value.op != "+":
        return None
    for own, amount in ((value.left, value.right), (value.right, value.left)):
        own = without_integer_casts(own)
        if isinstance(own, VarRef) and own.variable is variable:
            return amount
    return None


def without_integer_casts(expr: Expr) -> Expr:
    while isinstance(expr, Cast) and isinstance(expr.type, Scalar) and expr.type.kind in ("int", "uint"):
        expr = expr.operand
    return expr


def _lanes(on: Execution, stmt: For, variable: Variable, active: Active) -> _Strided | None:
    amount_expr = _amount(stmt, variable)
    assert amount_expr is not None
    if reads(amount_expr) & assigned_variables(stmt):
        return None
    amounts = on.evaluate(amount_expr, active)
    numbers = {on.pool.integer(of_thread(amounts, t)) for t in here(active)}
    amount = numbers.pop() if len(numbers) == 1 else None
    start = on.state.locals.get(variable)
    if amount is None or start is None:
        return None
    for size in (WAVEFRONT_SIZE, WARP_SIZE):
        if amount <= 0 or amount % size:
            continue
        each = amount // size
        first = [
            on.pool.plus(of_thread(start, t), on.pool.number(each * (t % size)), -1)
            for t in range(on.threads)
        ]
        if all(first[t] == first[t - t % size] for t in here(active)):
            return _Strided(size, each, first)
    return None


# --- what outlives an iteration --------------------------------------------------------------------------


def _folds(stmt: For, variable: Variable) -> dict[Variable, str] | None:
    """The operator of each variable that iterations are combined in; None where one is no fold."""
    declared = {n.variable for n in walk(stmt.body) if isinstance(n, Declare)}
    changed = {v for v in assigned_variables(stmt) - declared - {variable} if not in_memory(v)}
    folds: dict[Variable, str] = {}
    for place in changed:
        updates = [n for n in walk(stmt.body) if isinstance(n, Assign) and root_variable(n.target) is place]
        if not all(isinstance(u.target, VarRef) for u in updates):
            return None
        ops = {_update(u, place, changed) for u in updates}
        uses = sum(isinstance(n, VarRef) and n.variable is place for n in walk(stmt.body))
        # Each update names it twice: as what is assigned, and as what is added to.
        if len(ops) != 1 or None in ops or uses != 2 * len(updates):
            return None
        folds[place] = str(ops.pop())
    return folds


def _update(stmt: Assign, place: Variable, changed: set[Variable]) -> str | None:
    """`op` of `place = place op e`."""
    value = stmt.value
    op = ""
    sides: tuple[tuple[Expr, tuple[Expr, ...]], ...] = ()
    match value:
        case Binary(op="+" | "*" | "&" | "|" | "^" as op, left=left, right=right):
            sides = ((left, (right,)), (right, (left,)))
        case Binary(op="-", left=left, right=right):
            op, sides = "+", ((left, (right,)),)
        case Call(name=name, arguments=(left, right)) if name in EXTREMA:
            op, sides = EXTREMA[name], ((left, (right,)), (right, (left,)))
        case Call(name="fma", arguments=(left, right, last)):
            op, sides = "+", ((last, (left, right)),)
    for own, others in sides:
        is_own = isinstance(own, VarRef) and own.variable is place
        if is_own and not any(reads(o) & changed for o in others):
            return op
    return None


# --- memory ------------------------------------------------------------------------------------------------


def _iterations_are_apart(on: Execution, stmt: For, variable: Variable, active: Active) -> bool:
    """Whether no iteration stores where another loads or stores."""
    functions = on.state.functions
    if any(uses_result(n) for n in nodes_of(stmt, functions)):
        return False
    atomics = [
        n.call.name for n in nodes_of(stmt, functions) if isinstance(n, Evaluate) and isinstance(n.call, Call)
    ]
    if any(name not in SUMMED for name in atomics):
        return False
    everything = [
        n.target for n in nodes_of(stmt, functions) if isinstance(n, Assign) and through_memory(n.target)
    ]
    own = [n.target for n in walk(stmt.body) if isinstance(n, Assign) and through_memory(n.target)]
    if len(own) != len(everything):
        return False  # a function stores
    loads = [(_text(on, e), start_of(on, e, active)) for e in loads_in(on, stmt)]
    if atomics and any(may_be_one(None, buffer) and not _is_const(buffer) for _, buffer in loads):
        return False
    stores = [(_text(on, e), start_of(on, e, active)) for e in own]
    for target, (text, buffer) in zip(own, stores, strict=True):
        if not _is_injective(target, stmt, variable):
            return False
        if any(may_be_one(buffer, other) and text != same for same, other in (*stores, *loads)):
            return False
    return True


def _is_const(buffer: Variable | None) -> bool:
    return buffer is not None and bool(getattr(buffer.type, "is_const", False))


def _text(on: Execution, lvalue: Expr) -> str:
    """The lvalue, its variables told apart by identity."""
    canonical = Canonical(on.state.functions)
    canonical.add(lvalue)
    return canonical.text + str([id(v) for v in canonical.variables])


def _is_injective(target: Expr, stmt: For, variable: Variable) -> bool:
    """Whether different iterations store to different elements: one index grows with the counter."""
    while isinstance(target, Member):
        target = target.base
    if not isinstance(target, Index):
        return False
    inside = {variable} | assigned_variables(stmt)
    inside |= {n.variable for n in walk(stmt.body) if isinstance(n, Declare)}
    known = definitions(stmt.body)
    return not _names(target.base, known) & inside and _grows(target.index, variable, inside, known)


def _names(expr: Expr, known: dict[Variable, Expr]) -> set[Variable]:
    found: set[Variable] = set()
    for name in reads(expr):
        found |= _names(known[name], known) if name in known else {name}
    return found


def _grows(expr: Expr, variable: Variable, inside: set[Variable], known: dict[Variable, Expr]) -> bool:
    match expr:
        case VarRef(variable=own):
            return own is variable or (own in known and _grows(known[own], variable, inside, known))
        case Cast(operand=operand, type=Scalar(kind="int" | "uint", bits=32 | 64)):
            return _grows(operand, variable, inside, known)
        case Binary(op="+" | "-", left=left, right=right):
            return any(
                _grows(a, variable, inside, known) and not _names(b, known) & inside
                for a, b in ((left, right), (right, left))
            )
        case Binary(op="*", left=left, right=right):
            return any(
                _grows(a, variable, inside, known) and isinstance(b, Const) and bool(b.value)
                for a, b in ((left, right), (right, left))
            )
        case _:
            return False
