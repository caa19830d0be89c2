"""Executes statements for every thread of a block at once; stores to global memory are listed, not done.

A condition on thread numbers and constants picks threads. One that depends on the arguments (`row < m`) is
kept: what is written under it becomes a choice between the new and the old value. A loop whose end is not
known is left to the subclass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.block_stores import BlockStores
from porter.analysis.expressions import statements, written
from porter.analysis.stop import Stop
from porter.analysis.thread_terms import (
    Mask,
    Term,
    both,
    constant_of,
    is_uniform,
    negation,
)
from porter.cuda.kir import (
    Assign,
    Barrier,
    Binary,
    Break,
    Call,
    Const,
    Continue,
    Declare,
    Evaluate,
    For,
    If,
    Return,
    Stmt,
    While,
)

MAX_UNROLLED = 64
MAX_STATEMENTS = 200_000


@dataclass
class Exits:
    """Who left a loop (or the kernel), by threads where that is known and by condition where it is not."""

    broken: Mask
    continued: Mask
    touched: bool = False
    depth: int = 0  # of the conditions that were in force where it began
    break_guards: list[Term] = field(default_factory=list)
    continue_guards: list[Term] = field(default_factory=list)


@dataclass
class BlockRun(BlockStores):
    loops: list[Exits] = field(default_factory=list)
    executed: int = 0
    most_rounds: int = MAX_UNROLLED  # of a loop that is followed round by round

    def __post_init__(self) -> None:
        super().__post_init__()
        nobody = np.zeros(self.threads, dtype=np.bool_)
        self.left = Exits(nobody, nobody.copy())

    def run(self, block: Iterable[Stmt], active: Mask) -> None:
        for stmt in block:
            now = self._still(active)
            if not bool(now.any()):
                return
            self.execute(stmt, now)

    def _still(self, active: Mask) -> Mask:
        if not self.left.touched and not (self.loops and self.loops[-1].touched):
            return active
        now = active & ~self.left.broken
        if self.loops:
            now = now & ~(self.loops[-1].broken | self.loops[-1].continued)
        return now

    def in_force(self) -> tuple[Term, ...]:
        """The conditions that are not known and hold where control is."""
        exits = [e for e in (self.left, *self.loops) if e.break_guards or e.continue_guards]
        if not exits:
            return tuple(self.guards)
        return (*self.guards, *(g for e in exits for g in (*e.break_guards, *e.continue_guards)))

    def returned(self) -> list[Term]:
        return self.left.break_guards

    def execute(self, stmt: Stmt, active: Mask) -> None:
        self.executed += 1
        if self.executed > MAX_STATEMENTS:
            raise Stop("too much to follow", stmt.span)
        match stmt:
            case Declare(variable=variable, value=value):
                self._declare(variable, value, active)
            case Assign():
                self._assign(stmt, active)
            case Barrier(scope=scope):
                self._barrier(stmt, scope, active)
            case If():
                self._branch(stmt, active)
            case For():
                self.run(stmt.init, active)
                self._loop(stmt, active)
            case While():
                self._loop(stmt, active)
            case Break() | Continue() | Return():
                self._leave(stmt, active)
            case Evaluate(call=Call(name="atomicAdd", arguments=(target, value), type=type_)):
                self._add(target, value, type_, active, stmt.span)
            case Evaluate(call=Call(name="__syncwarp")):
                return
            case _:
                raise Stop("a statement that is not followed", stmt.span)

    # --- control -------------------------------------------------------------------------------------

    def _barrier(self, stmt: Barrier, scope: str, active: Mask) -> None:
        if scope != "block":
            return
        if not bool(active.all()) or not all(is_uniform(g) for g in self.in_force()):
            raise Stop("a barrier that not all threads of the block reach", stmt.span)
        self.epoch += 1

    def _branch(self, stmt: If, active: Mask) -> None:
        condition = self.decided(self.truth(stmt.condition, active), id(stmt))
        known = constant_of(condition)
        if known is not None:
            taken = np.broadcast_to(np.asarray(known) != 0, active.shape) & active
            if bool(taken.any()):
                self.run(stmt.then, taken)
            if bool((active & ~taken).any()):
                self.run(stmt.otherwise, active & ~taken)
            return
        for guard, body in ((condition, stmt.then), (negation(condition), stmt.otherwise)):
            self.guards.append(guard)
            self.run(body, active)
            self.guards.pop()

    def decided(self, condition: Term, branch: int) -> Term:
        """The condition of a branch, which `branch` tells from others, or its truth where that is known."""
        del branch
        return condition

    def _leave(self, stmt: Break | Continue | Return, active: Mask) -> None:
        exits = self.left if isinstance(stmt, Return) else self.loops[-1]
        goes_on = isinstance(stmt, Continue)
        inner = self.guards[exits.depth :]
        if not inner:
            into = exits.continued if goes_on else exits.broken
            into |= active
            exits.touched = True
            return
        if not bool(active.all()):
            raise Stop("some threads leave under a condition that depends on data", stmt.span)
        condition = inner[0]
        for guard in inner[1:]:
            condition = both(condition, guard)
        (exits.continue_guards if goes_on else exits.break_guards).append(negation(condition))

    def _loop(self, stmt: For | While, active: Mask) -> None:
        if self._has_unknown_end(stmt, active):
            self.unknown_loop(stmt, active)
            return
        nobody = np.zeros(self.threads, dtype=np.bool_)
        exits = Exits(nobody, nobody.copy(), depth=len(self.guards))
        self.loops.append(exits)
        live = active
        if not (isinstance(stmt, While) and stmt.do_while):
            live = self._known(stmt, live)
        rounds = 0
        while bool(live.any()):
            rounds += 1
            if rounds > self.most_rounds:
                raise Stop(f"more than {self.most_rounds} rounds of a loop", stmt.span)
            exits.continued[:] = False
            exits.continue_guards.clear()
            self.run(stmt.body, live)
            exits.continued[:] = False
            exits.continue_guards.clear()
            live = live & ~exits.broken if exits.touched else live
            if isinstance(stmt, For) and bool(live.any()):
                self._advance(stmt, exits, live)
            live = self._known(stmt, live) if bool(live.any()) else live
        self.loops.pop()

    def _advance(self, stmt: For, exits: Exits, live: Mask) -> None:
        """The loop's step, done for all: a thread that left under a condition no longer looks."""
        own = {s.variable for s in stmt.init if isinstance(s, Declare)}
        if exits.break_guards and any(v not in own for s in stmt.step if (v := written(s)) is not None):
            raise Stop("a loop that is left under a condition, and whose counter lives on", stmt.span)
        kept, exits.break_guards = exits.break_guards, []
        self.run(stmt.step, live)
        exits.break_guards = kept

    def _known(self, stmt: For | While, live: Mask) -> Mask:
        holds = self.holds(stmt.condition)
        if holds is not None:
            return live if holds else np.zeros_like(live)
        value = constant_of(self.truth(stmt.condition, live))
        if value is None:
            raise Stop("a loop whose end depends on data", stmt.condition.span)
        going: Mask = live & (np.broadcast_to(np.asarray(value), live.shape) != 0)
        return going

    def _has_unknown_end(self, stmt: For | While, active: Mask) -> bool:
        if any(isinstance(s, Barrier) and s.scope == "block" for s in statements(stmt.body)):
            return True
        if isinstance(stmt, While) and stmt.do_while:
            return False
        return constant_of(self.truth(stmt.condition, active)) is None or _is_long(stmt, self.most_rounds)

    def unknown_loop(self, stmt: For | While, active: Mask) -> None:
        del active
        raise Stop("a loop whose end depends on data", stmt.span)


def _is_long(stmt: For | While, most: int) -> bool:
    """`for (k = 0; k < 256; ++k)`: more rounds than are worth to be followed one by one."""
    match stmt:
        case For(
            init=(Declare(value=Const(value=first)) | Assign(value=Const(value=first)),),
            condition=Binary(op="<" | "<=", right=Const(value=last)),
            step=(Assign(value=Binary(op="+", right=Const(value=step))),),
        ) if int(step) > 0:
            return (int(last) - int(first)) // int(step) > most // 2
        case _:
            return False
