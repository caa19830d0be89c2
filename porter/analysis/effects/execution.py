"""Runs a kernel for all threads of a block at once, data left symbolic, and records its effects on memory.

Conditions that are known send each thread its way; others are followed on both sides, and what is done there
is done under that condition (`Guard`). Loops whose trips are known are run; for others see `loops.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from porter.analysis.effects import loops
from porter.analysis.effects.collectives import collective, is_collective
from porter.analysis.effects.expressions import (
    address,
    buffer_of,
    buffers_of,
    evaluate,
    field_names,
    in_memory,
    known_place,
    local_element,
    member_of,
    shared_place,
)
from porter.analysis.effects.shared_cells import Access, Unordered
from porter.analysis.effects.state import SUMMED, BlockOf, Place, State
from porter.analysis.effects.terms import Pool, Term
from porter.analysis.effects.values import (
    Active,
    Guard,
    Value,
    anyone,
    blend,
    here,
    of_thread,
    restricted,
    threadwise,
)
from porter.analysis.sizes import size_bytes
from porter.analysis.stop import Stop
from porter.analysis.walk import root_variable
from porter.cuda.kir import (
    SHARED_STORAGE,
    Array,
    Assign,
    Barrier,
    Break,
    Call,
    CallFunction,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    Lvalue,
    Member,
    Return,
    Stmt,
    VarRef,
    While,
)


@dataclass
class Frame:
    """The loop or function that `break`, `continue` and `return` leave."""

    broken: list[Guard | None]
    continued: list[Guard | None]
    returned: dict[int, list[tuple[Guard, Term]]] = field(default_factory=dict)
    is_kernel: bool = False
    in_loop: bool = False


def effects_of(pool: Pool, kernel: Kernel, launch: BlockOf) -> State:
    """What one block of `kernel` does. Raises Stop where that cannot be followed."""
    execution = Execution(pool, kernel, launch)
    nobody: list[Guard | None] = [None] * launch.threads
    frame = Frame(list(nobody), list(nobody), is_kernel=True)
    execution.run(kernel.body, [frozenset()] * launch.threads, frame)
    return execution.state


class Execution:
    """The statements of a kernel. Every `run` gives back which threads go on, and under which conditions."""

    def __init__(self, pool: Pool, kernel: Kernel, launch: BlockOf) -> None:
        self.pool = pool
        self.state = State(pool, launch, kernel.functions, self.call)
        self.state.parameters = {p.name: p for p in kernel.parameters}
        for parameter in kernel.parameters:
            self.state.locals[parameter] = pool.symbol("parameter", parameter.name)

    @property
    def threads(self) -> int:
        return self.state.launch.threads

    def run(self, block: Iterable[Stmt], active: Active, frame: Frame) -> Active:
        for stmt in block:
            if not anyone(active):
                break
            self.state.count(self.threads, stmt.span)
            active = self._execute(stmt, active, frame)
        return active

    def _execute(self, stmt: Stmt, active: Active, frame: Frame) -> Active:
        match stmt:
            case Declare():
                self._declare(stmt, active)
            case Assign(target=target, value=value):
                self.assign(target, self.right_hand_side(value, active), active)
            case Evaluate(call=call):
                self._perform(call, active)
            case Barrier(scope=scope):
                self._barrier(stmt, scope, active)
            case If():
                return self._branch(stmt, active, frame)
            case For() | While():
                return loops.run(self, stmt, active)
            case Break() | Continue():
                return self._leave(stmt, active, frame)
            case Return():
                return self._return(stmt, active, frame)
            case _:
                raise Stop("a statement that is not understood", stmt.span)
        return active

    # --- values ----------------------------------------------------------------------------------------

    def evaluate(self, expr: Expr, active: Active) -> Value:
        return evaluate(self.state, expr, active)

    def right_hand_side(self, value: Expr, active: Active) -> Value:
        if is_collective(value):
            assert isinstance(value, Call | CallFunction)
            return collective(self.state, value, active)
        if isinstance(value, Call) and value.name.startswith("atomic"):
            return self._atomic_result(value, active)
        return self.evaluate(value, active)

    def _declare(self, stmt: Declare, active: Active) -> None:
        variable = stmt.variable
        if variable.storage in SHARED_STORAGE:
            self.state.array(variable)
        elif isinstance(variable.type, Array):
            if stmt.value is not None or variable.initial is not None:
                raise Stop(f"`{variable.name}` is an array with an initialiser", stmt.span)
        else:
            undefined = self.pool.undefined_value()
            value = undefined if stmt.value is None else self.right_hand_side(stmt.value, active)
            self.state.locals[variable] = blend(active, value, self.state.locals.get(variable, undefined))

    def assign(self, target: Lvalue, value: Value, active: Active) -> None:
        """A store to a local variable, to shared memory, or to what a pointer leads to."""
        variable = root_variable(target)
        if isinstance(target, VarRef) and not in_memory(target.variable):
            self._set(target.variable, value, active)
            return
        if isinstance(target, Index):
            element = local_element(self.state, target, active)
            if element is not None:
                for number in sorted({element[1][t] for t in here(active)}):
                    own = restricted(active, lambda t, n=number: element[1][t] == n)  # type: ignore[misc]
                    self._set((element[0], number), value, own)
                return
        base = target.base if isinstance(target, Member) else None
        if isinstance(base, VarRef) and variable is base.variable and not in_memory(variable):
            old = self.evaluate(base, active)
            self._set(variable, self._with_member(base, old, str(target.field), value), active)  # type: ignore[union-attr]
            return
        self._store(target, value, active)

    def _set(self, place: Place, value: Value, active: Active) -> None:
        old = self.state.locals.get(place, self.pool.undefined_value())
        self.state.locals[place] = blend(active, value, old)

    def _with_member(self, base: VarRef, record: Value, name: str, value: Value) -> Value:
        names = field_names(base.type)

        def changed(r: Term, v: Term) -> Term:
            parts = tuple(v if n == name else member_of(self.state, base.type, r, n) for n in names)
            return self.pool.make("record", (str(base.type),), parts)

        return threadwise(changed, [record, value])

    # --- memory ----------------------------------------------------------------------------------------

    def _store(self, target: Lvalue, value: Value, active: Active) -> None:
        where = address(self.state, target, active)
        threads = here(active)
        if shared_place(self.state, of_thread(where, threads[0])) is not None:
            self._store_shared(target, where, value, active)
            return
        for t in threads:
            guard = active[t]
            assert guard is not None
            what = (str(target.type), of_thread(where, t), of_thread(value, t))
            self.state.record("store", guard, what, target.span)
        buffers = buffers_of(self.state, target, where, active)
        self.state.stored.extend(buffers)
        self.state.touch("store", buffers, target.type, where, value, active, target.span)

    def _store_shared(self, target: Lvalue, where: Value, value: Value, active: Active) -> None:
        writes: dict[tuple[str, int], list[tuple[Access, Guard, Term]]] = {}
        for t in here(active):
            guard = active[t]
            assert guard is not None
            place = known_place(self.state, of_thread(where, t), target)
            writes.setdefault(place, []).append((self.state.access(t), guard, of_thread(value, t)))
        for place, values in writes.items():
            try:
                self.state.shared.write(place, size_bytes(target.type), values)
            except Unordered as reason:
                raise Stop(f"`{place[0].partition('#')[0]}`: {reason}", target.span) from None

    def _perform(self, call: Call | CallFunction, active: Active) -> None:
        if isinstance(call, CallFunction) and not is_collective(call):
            self.call(call, active)
        elif isinstance(call, Call) and call.name in SUMMED:
            self._sum(call, active)
        elif isinstance(call, Call) and call.name == "__nanosleep":
            return
        else:
            self.right_hand_side(call, active)

    def _sum(self, call: Call, active: Active) -> None:
        """An atomic whose old value nobody takes."""
        where, value = (self.evaluate(a, active) for a in call.arguments)
        if shared_place(self.state, of_thread(where, here(active)[0])) is not None:
            raise Stop("an atomic on shared memory", call.span)
        effects = self.state.effects
        for t in here(active):
            guard = active[t]
            assert guard is not None
            effect = (call.name, guard, (str(call.type), of_thread(where, t)))
            effects.atomics.setdefault(effect, Counter())[of_thread(value, t)] += 1
            effects.spans.setdefault(effect, call.span)
        self._touch_atomic(call, where, value, active)
        self.state.stored.append(None)

    def _touch_atomic(self, call: Call, where: Value, value: Value, active: Active) -> None:
        buffers = {buffer_of(self.state, of_thread(where, t)) for t in here(active)}
        self.state.touch(call.name, buffers, call.type, where, value, active, call.span)

    def _atomic_result(self, call: Call, active: Active) -> Value:
        """What an atomic gives depends on who comes first; the same thread must do the same one."""
        values = [self.evaluate(a, active) for a in call.arguments]
        if shared_place(self.state, of_thread(values[0], here(active)[0])) is not None:
            raise Stop("an atomic on shared memory", call.span)
        self.state.atomics += 1
        block = self.state.block_index()
        out = [self.pool.undefined_value()] * self.threads
        for t in here(active):
            guard = active[t]
            assert guard is not None
            terms = (block, *(of_thread(v, t) for v in values))
            what = (f"{self.state.atomics}", f"thread {t}", *terms)
            self.state.record(call.name, guard, what, call.span)
            out[t] = self.pool.make(
                "atomic", (call.name, self.state.atomics, t), (block, *(of_thread(v, t) for v in values))
            )
        self.state.stored.append(None)
        self._touch_atomic(call, values[0], values[-1], active)
        return out

    def _barrier(self, stmt: Barrier, scope: str, active: Active) -> None:
        if scope == "block":
            if len(set(active)) != 1:
                raise Stop("a barrier that not all threads reach together", stmt.span)
            self.state.epoch += 1
        if scope == "warp":
            self.state.warp_epoch += 1

    # --- control ---------------------------------------------------------------------------------------

    def _branch(self, stmt: If, active: Active, frame: Frame) -> Active:
        condition = self.evaluate(stmt.condition, active)
        conditions = [of_thread(condition, t) for t in range(self.threads)]
        known = [self.pool.value(c) for c in conditions]
        if any(self.pool.undefined[conditions[t]] for t in here(active)):
            raise Stop("a condition on a value that is not defined", stmt.condition.span)
        if all(known[t] is not None for t in here(active)):
            yes = self.run(stmt.then, restricted(active, lambda t: bool(known[t])), frame)
            no = self.run(stmt.otherwise, restricted(active, lambda t: not known[t]), frame)
            return [a if a is not None else b for a, b in zip(yes, no, strict=True)]
        return self._both_sides(stmt, conditions, active, frame)

    def _both_sides(self, stmt: If, conditions: list[Term], active: Active, frame: Frame) -> Active:
        """Each side from the same start; what it changes is then chosen by the condition."""
        yes = self._under(active, conditions, holds=True)
        no = self._under(active, conditions, holds=False)
        start = dict(self.state.locals)
        left = list(frame.broken), list(frame.continued)
        after_yes = self.run(stmt.then, yes, frame)
        changed, self.state.locals = self.state.locals, dict(start)
        after_no = self.run(stmt.otherwise, no, frame)
        if (frame.broken, frame.continued) != left:
            raise Stop("leaves a loop under a condition that depends on data", stmt.span)
        out: Active = []
        for t, guard in enumerate(active):
            both = after_yes[t] is not None and after_no[t] is not None
            if both and (after_yes[t], after_no[t]) != (yes[t], no[t]):
                raise Stop("a branch that returns under a condition of its own", stmt.span)
            out.append(guard if both else after_yes[t] if after_yes[t] is not None else after_no[t])
        self._merge(changed, conditions, after_yes, after_no)
        return out

    def _under(self, active: Active, conditions: list[Term], *, holds: bool) -> Active:
        out: Active = []
        for t, guard in enumerate(active):
            known = self.pool.value(conditions[t])
            if guard is None or (known is not None and bool(known) != holds):
                out.append(None)
            elif known is not None:
                out.append(guard)
            else:
                term = conditions[t] if holds else self.pool.negated(conditions[t])
                # A condition that holds already, or does not, decides nothing new.
                out.append(None if self.pool.negated(term) in guard else guard | {term})
        return out

    def _merge(
        self, changed: dict[Place, Value], conditions: list[Term], after_yes: Active, after_no: Active
    ) -> None:
        undefined = self.pool.undefined_value()
        for place in {*changed, *self.state.locals}:
            a, b = changed.get(place, undefined), self.state.locals.get(place, undefined)
            if a is b or a == b:
                continue
            self.state.locals[place] = [
                self._chosen(conditions[t], of_thread(a, t), of_thread(b, t), after_yes[t], after_no[t])
                for t in range(self.threads)
            ]

    def _chosen(self, condition: Term, a: Term, b: Term, yes: Guard | None, no: Guard | None) -> Term:
        if yes is not None and no is not None:
            return self.pool.choice(condition, a, b)
        return a if yes is not None else b

    def _leave(self, stmt: Break | Continue, active: Active, frame: Frame) -> Active:
        if not frame.in_loop:
            raise Stop("leaves a loop that is not known", stmt.span)
        into = frame.broken if isinstance(stmt, Break) else frame.continued
        for t in here(active):
            into[t] = active[t]
        return [None] * self.threads

    def _return(self, stmt: Return, active: Active, frame: Frame) -> Active:
        if frame.in_loop:
            raise Stop("returns from within a loop", stmt.span)
        value = self.evaluate(stmt.value, active) if stmt.value is not None else self.pool.number(0)
        for t in here(active):
            guard = active[t]
            assert guard is not None
            frame.returned.setdefault(t, []).append((guard, of_thread(value, t)))
        return [None] * self.threads

    def call(self, call: CallFunction, active: Active) -> Value:
        """A device function, run in place. Raises Stop."""
        if is_collective(call):
            return collective(self.state, call, active)
        function = self.state.functions.get(call.function)
        if function is None:
            raise Stop(f"a call of `{call.function}`, whose body is not known", call.span)
        values = [self.evaluate(a, active) for a in call.arguments]
        for parameter, value in zip(function.parameters, values, strict=True):
            self._set(parameter, value, active)
        nobody: list[Guard | None] = [None] * self.threads
        frame = Frame(list(nobody), list(nobody))
        self.run(function.body, active, frame)
        return [self._returned(frame, t, active[t]) for t in range(self.threads)]

    def _returned(self, frame: Frame, thread: int, guard: Guard | None) -> Term:
        found = frame.returned.get(thread, [])
        if guard is None or not found:
            return self.pool.undefined_value()
        result = found[-1][1]
        for own, value in reversed(found[:-1]):
            result = self.pool.choice(self.pool.fold("&", "bool", own - guard), value, result)
        return result
