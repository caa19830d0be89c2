"""Loops of an execution: run where the trips are known, else one term for all that they do.

- *Known trips*: iteration by iteration.
- *Lane-strided* (`for (i = first + lane; i < n; i += 32)`): each lane does a share, and the shares of all
  lanes of a group are the whole range, however many lanes there are (`lane_strided.py`).
- *Items* (`for (row = warp; row < rows; row += warps)` around shuffles or barriers): the body once, for the
  item that starts and steps so.
- *Own* loops of a thread, without other threads' help: a function of what they take from outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from porter.analysis.effects.canonical import Canonical, nodes_of
from porter.analysis.effects.collectives import is_collective
from porter.analysis.effects.expressions import in_memory, shared_place
from porter.analysis.effects.lane_strided import lane_strided, without_integer_casts
from porter.analysis.effects.loop_effects import stored_in, uses_result
from porter.analysis.effects.state import State
from porter.analysis.effects.terms import Term
from porter.analysis.effects.values import Active, Guard, Value, anyone, here, of_thread, restricted
from porter.analysis.stop import Stop
from porter.analysis.walk import assigned_variables, reads, root_variable, walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Array,
    Assign,
    Barrier,
    Binary,
    Declare,
    Expr,
    For,
    Return,
    Variable,
    VarRef,
    While,
)

if TYPE_CHECKING:
    from porter.analysis.effects.execution import Execution

MAX_TRIPS = 2048


def run(on: Execution, stmt: For | While, active: Active) -> Active:
    """Raises Stop."""
    from porter.analysis.effects.execution import Frame

    if isinstance(stmt, For):
        nobody: Active = [None] * on.threads
        on.run(stmt.init, active, Frame(list(nobody), list(nobody)))
    if isinstance(stmt, While) and stmt.do_while:
        return _do_while(on, stmt, active)
    first = on.evaluate(stmt.condition, active)
    if all(on.pool.value(of_thread(first, t)) is not None for t in here(active)):
        return _known_trips(on, stmt, active)
    return _unknown_trips(on, stmt, active)


def _do_while(on: Execution, stmt: While, active: Active) -> Active:
    """Known trips are found out by running the body; where they are not known nothing may have happened."""
    if _works_together(on, stmt):
        return _known_trips(on, stmt, active, tested=False)
    return _own_loop(on, stmt, active)


def _known_trips(on: Execution, stmt: For | While, live: Active, *, tested: bool = True) -> Active:
    from porter.analysis.effects.execution import Frame

    nobody: Active = [None] * on.threads
    frame = Frame(list(nobody), list(nobody), in_loop=True)
    left: Active = list(nobody)
    for _ in range(MAX_TRIPS):
        if tested:
            value = on.evaluate(stmt.condition, live)
            known = [on.pool.value(of_thread(value, t)) for t in range(on.threads)]
            if any(known[t] is None for t in here(live)):
                raise Stop("a loop whose end depends on data", stmt.condition.span)
            left = _either(left, restricted(live, lambda t, k=known: not k[t]))  # type: ignore[misc]
            live = restricted(live, lambda t, k=known: bool(k[t]))  # type: ignore[misc]
        tested = True
        if not anyone(live):
            break
        frame.continued = list(nobody)
        after = on.run(stmt.body, live, frame)
        live = _either(after, frame.continued)
        if isinstance(stmt, For) and anyone(live):
            live = on.run(stmt.step, live, Frame(list(nobody), list(nobody)))
    else:
        raise Stop(f"more than {MAX_TRIPS} iterations", stmt.span)
    return _either(left, frame.broken)


def _either(a: Active, b: Active) -> Active:
    return [x if x is not None else y for x, y in zip(a, b, strict=True)]


def _unknown_trips(on: Execution, stmt: For | While, active: Active) -> Active:
    if _works_together(on, stmt):
        return _items(on, stmt, active)
    if isinstance(stmt, For) and lane_strided(on, stmt, active):
        return active
    return _own_loop(on, stmt, active)


def _works_together(on: Execution, stmt: For | While) -> bool:
    """Whether other threads' work enters: collectives, barriers, stores to shared memory."""
    for node in nodes_of(stmt, on.state.functions):
        if is_collective(node) or (isinstance(node, Barrier) and node.scope != "fence"):
            return True
        if isinstance(node, Declare) and node.variable.storage in SHARED_STORAGE:
            return True
        if isinstance(node, VarRef) and node.variable.storage in SHARED_STORAGE:
            return True
    return any(_leads_to_shared(on.state, v) for v in reads(stmt) if isinstance(v, Variable))


def _leads_to_shared(state: State, variable: Variable) -> bool:
    value = state.locals.get(variable)
    terms = {value} if isinstance(value, int) else set(value or ())
    return any(shared_place(state, term) is not None for term in terms)


# --- a thread's own loop -------------------------------------------------------------------------------


def _own_loop(on: Execution, stmt: For | While, active: Active) -> Active:
    """What it leaves in variables and in memory is a function of what it takes from outside."""
    if any(isinstance(n, Return) for n in walk(stmt)):
        raise Stop("returns from within a loop", stmt.span)
    functions = on.state.functions
    if any(uses_result(n) for n in nodes_of(stmt, functions)):
        raise Stop("an atomic in a loop whose trips are not known", stmt.span)
    canonical = Canonical(functions)
    parts = (stmt.condition, stmt.body, stmt.step) if isinstance(stmt, For) else (stmt.condition, stmt.body)
    for part in parts:
        canonical.add(part)
    changed = [v for v in canonical.free if v in assigned_variables(stmt)]
    if any(isinstance(v.type, Array) for v in canonical.free if not in_memory(v)):
        raise Stop("an array of a thread in a loop whose trips are not known", stmt.span)
    on.state.loops += 1
    inputs = outside(on, canonical, active)
    keys: Value = [
        on.pool.make(
            "loop",
            (on.state.loops, type(stmt).__name__, canonical.text),
            tuple(of_thread(i, t) for i in inputs),
        )
        for t in range(on.threads)
    ]
    memory = stored_in(on, stmt, active)
    on.state.stored.extend(memory.buffers)
    for variable in changed:
        number = canonical.number(variable)
        results = [on.pool.make("after loop", (number,), (of_thread(keys, t),)) for t in range(on.threads)]
        on.state.locals[variable] = _blended(on, active, results, variable)
    if memory.any:
        for t in here(active):
            guard = active[t]
            assert guard is not None
            what = (of_thread(keys, t), f"thread {t}" if memory.has_atomics else "")
            on.state.record("loop", guard, what, stmt.span)
    return active


def _blended(on: Execution, active: Active, results: list[Term], variable: Variable) -> Value:
    old = on.state.locals.get(variable, on.pool.undefined_value())
    return [results[t] if g is not None else of_thread(old, t) for t, g in enumerate(active)]


def outside(
    on: Execution, canonical: Canonical, active: Active, *, without: frozenset[Variable] = frozenset()
) -> list[Value]:
    """The values that statements take from outside, in the order of their text."""
    values: list[Value] = [on.state.builtin(b) for b in canonical.builtins.values()]
    for variable in canonical.free:
        if variable in without:
            continue
        if in_memory(variable):
            values.append(on.pool.symbol("global", variable.name))
        else:
            values.append(on.evaluate(VarRef(variable, variable.type, variable.span), active))
    return values


# --- items -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Item:
    """The loop's variable in one iteration that is like any other."""

    variable: Variable
    start: Value
    step: Value
    number: int


def _items(on: Execution, stmt: For | While, active: Active) -> Active:
    """The body once, for an item of which only where the loop starts and how it steps is known."""
    variable, amount = _counted(stmt)
    changed = assigned_variables(stmt) - {variable}
    declared = {n.variable for n in walk(stmt) if isinstance(n, Declare)}
    carried = [v for v in changed - declared if v.storage not in SHARED_STORAGE]
    if carried:
        raise Stop(
            f"`{carried[0].name}` goes from one iteration to the next, around work of several lanes",
            stmt.span,
        )
    on.state.loops += 1
    start = on.state.locals[variable]
    step = on.evaluate(amount, active)
    number = on.state.loops
    item = _Item(variable, start, step, number)
    written = _trial(on, stmt, item, active)
    on.state.epoch += 1
    on.state.shared.forget(written, on.pool.undefined_value())
    _body(on, stmt, item, active)
    recorded = on.state.effects
    on.state.effects = type(recorded)()
    # The next iteration, for accesses that nothing orders.
    _body(on, stmt, replace(item, number=-number), active)
    recorded.touches.extend(on.state.effects.touches)
    on.state.effects = recorded
    on.state.shared.forget(written, on.pool.undefined_value())
    on.state.locals[variable] = on.pool.undefined_value()
    return active


def _counted(stmt: For | While) -> tuple[Variable, Expr]:
    """The loop's variable and what it grows by. Raises Stop."""
    step = stmt.step[0] if isinstance(stmt, For) and len(stmt.step) == 1 else None
    if isinstance(step, Assign) and isinstance(step.target, VarRef):
        variable = step.target.variable
        value = without_integer_casts(step.value)
        others = any(isinstance(n, Assign) and root_variable(n.target) is variable for n in walk(stmt.body))
        if isinstance(value, Binary) and value.op == "+" and not others:
            for own, amount in ((value.left, value.right), (value.right, value.left)):
                own = without_integer_casts(own)
                is_own = isinstance(own, VarRef) and own.variable is variable
                if is_own and not reads(amount) & assigned_variables(stmt):
                    return variable, amount
    raise Stop("a loop around work of several lanes whose trips are not known", stmt.span)


def _trial(
    on: Execution,
    stmt: For | While,
    item: _Item,
    active: Active,
) -> set[tuple[str, int]]:
    """The shared memory that the body writes, from a run that leaves no effects."""
    effects, loops, atomics = on.state.effects, on.state.loops, on.state.atomics
    on.state.effects = type(effects)()
    before, on.state.shared.written = on.state.shared.written, set()
    _body(on, stmt, item, active)
    written, on.state.shared.written = on.state.shared.written, before | on.state.shared.written
    on.state.effects, on.state.loops, on.state.atomics = effects, loops, atomics
    return written


def _body(
    on: Execution,
    stmt: For | While,
    item: _Item,
    active: Active,
) -> None:
    from porter.analysis.effects.execution import Frame

    on.state.locals[item.variable] = [
        on.pool.make("item", (item.number,), (of_thread(item.start, t), of_thread(item.step, t)))
        for t in range(on.threads)
    ]
    condition = on.evaluate(stmt.condition, active)
    inside: Active = [
        None if guard is None else guard | {of_thread(condition, t)} for t, guard in enumerate(active)
    ]
    nobody: list[Guard | None] = [None] * on.threads
    after = on.run(stmt.body, inside, Frame(list(nobody), list(nobody)))
    if after != inside:
        raise Stop("leaves an iteration early, around work of several lanes", stmt.span)
