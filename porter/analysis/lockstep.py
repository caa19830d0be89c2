"""Runs a piece of a kernel for every thread of one block at once, with data left symbolic.

The block's size is known, so everything that depends on thread numbers and constants only is computed; what
comes from memory or parameters stays a leaf (`terms.py`). After the run each local variable and each shared
element holds, for each thread, the exact set of leaves that the original combines there. It is a proof, not
a guess: a control decision or address that is not known, a race, a barrier that not all threads reach, or an
effect outside local and shared memory ends the run with `Stop`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from porter.analysis import warp_collectives
from porter.analysis.barriers import Race, SharedArray
from porter.analysis.block_evaluation import Evaluator, check_bounds
from porter.analysis.expressions import key
from porter.analysis.merge import copied, merged_memory, merged_value
from porter.analysis.stop import Stop
from porter.analysis.values import Known, Mask, Value, blend, expression, uninitialised
from porter.cuda.kir import (
    BOOL,
    SHARED_STORAGE,
    Assign,
    Barrier,
    Binary,
    Break,
    Call,
    CallFunction,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Scalar,
    Stmt,
    Variable,
    VarRef,
    While,
)

MAX_ITERATIONS = 4096
_EFFECTS = (
    "atomic",
    "__match",
    "__syncthreads",
    "__activemask",
    "clock",
    "__clock",
    "printf",
    "assert",
    "__trap",
)


@dataclass
class _Loop:
    """Which threads left the loop, and which skip the rest of this iteration."""

    broken: Mask
    continued: Mask


@dataclass
class Lockstep(Evaluator):
    """Executes statements; `everyone` are the threads that have to reach a barrier."""

    everyone: Mask = field(default_factory=lambda: np.ones(0, dtype=np.bool_))
    declared: dict[Variable, Declare] = field(default_factory=dict)
    assigned: set[Variable] = field(default_factory=set)
    collectives: int = 0
    block_barriers: int = 0
    iterations: int = 0

    def run(self, block: Iterable[Stmt], active: Mask, loop: _Loop | None = None) -> None:
        for stmt in block:
            now = active & ~(loop.broken | loop.continued) if loop else active
            if bool(now.any()):
                self.execute(stmt, now, loop)

    def execute(self, stmt: Stmt, active: Mask, loop: _Loop | None = None) -> None:
        """One statement for the active threads. Raises Stop."""
        match stmt:
            case Declare(variable=variable, value=value):
                self._declare(stmt, variable, value, active)
            case Assign():
                self._assign(stmt, active)
            case Barrier(scope=scope):
                self._barrier(stmt, scope, active)
            case If():
                self._branch(stmt, active, loop)
            case For(init=init):
                self.run(init, active)
                self._loop(stmt, active)
            case While():
                self._loop(stmt, active)
            case Break() | Continue():
                self._leave(stmt, active, loop)
            case Evaluate(call=Call(name=name)) if name in warp_collectives.NAMES:
                return
            case _:
                raise Stop("an effect outside local and shared memory", stmt.span)

    def _declare(self, stmt: Declare, variable: Variable, value: Expr | None, active: Mask) -> None:
        if variable.storage in SHARED_STORAGE:
            return
        if not isinstance(variable.type, Scalar) and self.pointed(variable) is None:
            raise Stop(f"`{variable.name}` is no scalar", stmt.span)
        self.declared.setdefault(variable, stmt)
        if self.pointed(variable) is not None:
            return
        if value is None:
            self.locals[variable] = uninitialised(self.threads, variable.name)
            return
        self.locals[variable] = self.right_hand_side(value, active)

    def right_hand_side(self, value: Expr, active: Mask) -> Value:
        """The value of an initialiser or of an assignment's right-hand side, which may be a collective."""
        if isinstance(value, CallFunction):
            raise Stop(f"a call of `{value.function}`, which was not inlined", value.span)
        if isinstance(value, Call) and value.name in warp_collectives.NAMES:
            self.collectives += 1
            return warp_collectives.evaluate(self, value, active)
        if isinstance(value, Call) and value.name.startswith(_EFFECTS):
            raise Stop(f"a call of `{value.name}`", value.span)
        return self.evaluate(value, active)

    def _assign(self, stmt: Assign, active: Mask) -> None:
        value = self.right_hand_side(stmt.value, active)
        target = stmt.target
        if isinstance(target, VarRef) and target.variable.storage not in SHARED_STORAGE:
            if not isinstance(target.type, Scalar):
                raise Stop(f"`{target.variable.name}` is no scalar", stmt.span)
            variable = target.variable
            old = self.locals[variable] if variable in self.locals else self.evaluate(target, active)
            self.locals[variable] = blend(active, value, old, self.leaves)
            self.assigned.add(variable)
            return
        place = self.place(target, active)
        if place is None:
            raise Stop("a store to memory that is not shared", stmt.span)
        self._store(stmt, place, value, active)

    def _store(self, stmt: Assign, place: tuple[Variable, Value], value: Value, active: Mask) -> None:
        array, index = place
        if not isinstance(index, Known):
            raise Stop(f"the index into `{array.name}` depends on data", stmt.target.span)
        check_bounds(array, index, active, stmt.target.span)
        terms = self.leaves.terms(value)
        pending: dict[int, int] = {}
        memory = self.memory.setdefault(array, SharedArray())
        try:
            for thread in np.flatnonzero(active):
                cell = int(index.numbers[thread])
                first = pending.setdefault(cell, int(thread))
                if terms[first] != terms[thread]:
                    raise Stop("two threads write different values to one element", stmt.span)
                memory.write(cell, terms[thread], int(thread) // 32, self.epoch)
        except Race as race:
            raise Stop(f"`{array.name}`: {race}", stmt.span) from None

    def _barrier(self, stmt: Barrier, scope: str, active: Mask) -> None:
        if scope != "block":
            return
        if not np.array_equal(active, self.everyone):
            raise Stop("a barrier that not all threads of the block reach", stmt.span)
        self.epoch += 1
        self.block_barriers += 1

    def condition(self, expr: Expr, active: Mask) -> Mask:
        value = self.evaluate(expr, active)
        if not isinstance(value, Known):
            raise Stop("a condition that depends on data", expr.span)
        return np.asarray(value.numbers != 0) & active

    def _branch(self, stmt: If, active: Mask, loop: _Loop | None) -> None:
        update = extremum(stmt)
        if update is not None:
            self._assign(update, active)
            return
        value = self.evaluate(stmt.condition, active)
        if not isinstance(value, Known):
            self._branch_on_data(stmt, value, active)
            return
        taken = np.asarray(value.numbers != 0) & active
        if bool(taken.any()):
            self.run(stmt.then, taken, loop)
        if bool((active & ~taken).any()):
            self.run(stmt.otherwise, active & ~taken, loop)

    def _branch_on_data(self, stmt: If, value: Value, active: Mask) -> None:
        """Both sides, each from the same start; what they change is then chosen by the condition."""
        condition = expression(value, BOOL, stmt.condition.span)
        if condition is None:
            raise Stop("a condition on values of several threads", stmt.condition.span)
        joined = self.epoch, self.collectives
        start_locals, start_memory = self.locals, self.memory
        outcomes = []
        for side in (stmt.then, stmt.otherwise):
            self.locals, self.memory = dict(start_locals), copied(start_memory)
            self.run(side, active)
            outcomes.append((self.locals, self.memory))
        if (self.epoch, self.collectives) != joined:
            raise Stop("threads work together under a condition that depends on data", stmt.span)
        (then_locals, then_memory), (else_locals, else_memory) = outcomes
        self.locals, self.memory = start_locals, start_memory
        for variable in {*then_locals, *else_locals}:
            self._merge(variable, condition, then_locals, else_locals, active)
        self.memory = merged_memory(condition, then_memory, else_memory, self.leaves)

    def _merge(
        self,
        variable: Variable,
        condition: Expr,
        if_true: dict[Variable, Value],
        if_false: dict[Variable, Value],
        active: Mask,
    ) -> None:
        reference = VarRef(variable, variable.type, condition.span)
        before = self.locals[variable] if variable in self.locals else self.evaluate(reference, active)
        a, b = if_true.get(variable, before), if_false.get(variable, before)
        if a is not b:
            chosen = merged_value(condition, a, b, variable.type, self.leaves)
            self.locals[variable] = blend(active, chosen, before, self.leaves)

    def _loop(self, stmt: For | While, active: Mask) -> None:
        nobody = np.zeros(self.threads, dtype=np.bool_)
        state = _Loop(nobody.copy(), nobody.copy())
        live = active
        if not (isinstance(stmt, While) and stmt.do_while):
            live = self.condition(stmt.condition, live)
        while bool(live.any()):
            self.iterations += 1
            if self.iterations > MAX_ITERATIONS:
                raise Stop(f"more than {MAX_ITERATIONS} iterations", stmt.span)
            state.continued[:] = False
            self.run(stmt.body, live, state)
            live = live & ~state.broken
            if isinstance(stmt, For) and bool(live.any()):
                self.run(stmt.step, live)
            live = self.condition(stmt.condition, live) if bool(live.any()) else live

    def _leave(self, stmt: Break | Continue, active: Mask, loop: _Loop | None) -> None:
        if loop is None:
            raise Stop("leaves a loop that began earlier", stmt.span)
        into = loop.broken if isinstance(stmt, Break) else loop.continued
        into |= active


def extremum(stmt: If) -> Assign | None:
    """`if (a < b) a = b;` on integers, as the assignment of `max(a, b)` that it is."""
    match stmt:
        case If(
            condition=Binary(op="<" | ">" | "<=" | ">=" as op, left=left, right=right),
            then=(Assign(target=target, value=value) as assign,),
            otherwise=(),
        ) if isinstance(target.type, Scalar) and target.type.kind in ("int", "uint"):
            old, new = key(target), key(value)
            if (key(left), key(right)) not in ((old, new), (new, old)):
                return None
            grows = (op in ("<", "<=")) == (key(left) == old)
            name = "max" if grows else "min"
            call = Call(name, (target, value), target.type, stmt.span)
            return Assign(target, call, assign.span, assign.comments)
        case _:
            return None


def start(
    block: tuple[int, int, int],
    constants: Mapping[Variable, Expr],
    active: Mask,
    stored: frozenset[Variable | None] = frozenset(),
) -> Lockstep:
    """An execution that knows nothing but `constants`, the defining expressions of unchanging locals.

    `stored` are the global buffers that the kernel stores to (None: one that is not known).
    """
    return Lockstep(block=block, definitions=constants, everyone=active, stored=stored)
