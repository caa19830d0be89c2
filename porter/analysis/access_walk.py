"""Runs a kernel's control flow for all threads of one block at once and notes every access to memory.

Loops of a few iterations with known bounds are run; of others the body is run once, with what a loop changes
replaced by a symbol where all threads change it alike. Branches on what is not known are both followed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from porter.analysis.access_values import REGISTERS, AccessEvaluator, Address, moved_by
from porter.analysis.lane_values import LaneValue, Unknown, Value, chosen, scaled, times
from porter.analysis.loop_steps import assigned, constant_steps
from porter.analysis.sizes import size_bytes
from porter.analysis.values import Mask
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda import kir

_MOST_ITERATIONS = 64
_MOST_STATEMENTS = 4000


@dataclass
class AccessWalk(AccessEvaluator):
    """One use walks one kernel; the results are in `accesses` and `assumptions`."""

    _steps: int = 0

    def run(self) -> None:
        self._block(self.kernel.body)

    def _block(self, body: tuple[kir.Stmt, ...]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: kir.Stmt) -> None:
        self._steps += 1
        match statement:
            case kir.Declare(variable, value):
                if value is not None:
                    self._values[variable] = self._evaluate(value)
            case kir.Assign(target, value):
                self._assign(target, self._evaluate(value))
            case kir.Evaluate(call):
                self._evaluate(call)
            case kir.If():
                self._if(statement)
            case kir.For():
                self._for(statement)
            case kir.While():
                self._evaluate(statement.condition)
                self._once(statement.body, (), statement)
            case kir.Return(value):
                self._return(value)

    def _return(self, value: kir.Expr | None) -> None:
        if value is not None:
            self._returned.append(self._evaluate(value))
        self._active = np.zeros_like(self._active)

    def _assign(self, target: kir.Lvalue, value: Value | Address) -> None:
        if isinstance(target, kir.VarRef) and target.variable.storage in REGISTERS:
            self._values[target.variable] = self._merged(self._values.get(target.variable), value)
            return
        self._access("store", target)

    def _merged(self, old: Value | Address | None, new: Value | Address) -> Value | Address:
        """An assignment by some of the threads keeps the others' values."""
        if self._active.all() or old is None:
            return new
        return _either(self._active, new, old)

    def _if(self, statement: kir.If) -> None:
        condition = self._evaluate(statement.condition)
        before, active = dict(self._values), self._active
        known = isinstance(condition, LaneValue) and condition.is_known
        truth = condition.numbers != 0 if isinstance(condition, LaneValue) and known else active | True
        ends, states = [], []
        for side, mask in ((statement.then, truth), (statement.otherwise, ~truth if known else truth)):
            self._values, self._active = dict(before), active & mask
            if self._active.any() or not known:
                with self._conditional(not known):
                    self._block(side)
            ends.append(self._active)
            states.append(self._values)
        if known:
            self._active = ends[0] | ends[1]
            self._join(statement, states, active & truth, active & ~truth)
        else:
            self._active = ends[0] if not ends[1].any() else ends[1] if not ends[0].any() else active
            self._forget_branch(statement, states)

    def _join(
        self, statement: kir.If, states: list[dict[kir.Variable, Value | Address]], then: Mask, rest: Mask
    ) -> None:
        """After a branch on known values: every thread has its own side's values."""
        self._values = states[1] if not then.any() else states[0]
        if not then.any() or not rest.any():
            return
        for variable in assigned((statement,)):
            a, b = states[0].get(variable), states[1].get(variable)
            if a is not None and b is not None and a is not b:
                self._values[variable] = _either(then, a, b)

    def _forget_branch(self, statement: kir.If, states: list[dict[kir.Variable, Value | Address]]) -> None:
        self._values = states[0]
        for variable in assigned((statement,)):
            a, b = (state.get(variable) for state in states)
            if a is b and a is not None:
                continue
            if isinstance(a, Address) and isinstance(b, Address) and a.root is b.root:
                moved = Unknown(f"`{variable.name}` is set in a branch", statement.span)
                self._values[variable] = Address(a.root, moved)
            else:
                self._values[variable] = self._after(variable, statement.span, "in a branch")

    def _after(self, variable: kir.Variable, span: Span, where: str) -> Value:
        if variable in self._varying:
            return Unknown(f"`{variable.name}` is set {where} that threads take differently", span)
        return self.fresh(variable.name)

    # --- loops ---

    def _for(self, loop: kir.For) -> None:
        self._block(loop.init)
        if not self._run_known(loop):
            self._evaluate(loop.condition)
            self._once(loop.body, loop.step, loop)

    def _run_known(self, loop: kir.For) -> bool:
        """Runs a loop whose header alone says its few iterations; False where there is no such header."""
        header = assigned(loop.step)
        if header & assigned(loop.body) or any(
            isinstance(s, kir.Break | kir.Continue) for s in walk(loop.body)
        ):
            return False
        counted = self._iterations(loop)
        size = sum(1 for _ in walk(loop.body))
        if counted is None or self._steps + counted * size > _MOST_STATEMENTS:
            return False
        self._loops += 1
        entered = self._active
        while True:
            condition = self._evaluate(loop.condition)
            assert isinstance(condition, LaneValue)
            self._active = self._active & (condition.numbers != 0)
            if not self._active.any():
                break
            self._block(loop.body)
            self._block(loop.step)
        self._active = entered
        self._loops -= 1
        return True

    def _iterations(self, loop: kir.For) -> int | None:
        """How often the longest thread runs the loop, within a limit; None where that is not known."""
        values, accesses = dict(self._values), len(self.accesses)
        try:
            for count in range(_MOST_ITERATIONS + 1):
                condition = self._evaluate(loop.condition)
                if not isinstance(condition, LaneValue) or not condition.is_known:
                    return None
                if not (condition.numbers[self._active] != 0).any():
                    return count
                self._block(loop.step)
            return None
        finally:
            self._values = values
            del self.accesses[accesses:]

    def _once(
        self, body: tuple[kir.Stmt, ...], step: tuple[kir.Stmt, ...], loop: kir.For | kir.While
    ) -> None:
        """A loop of unknown length: its body once, at any iteration."""
        changed = assigned((*body, *step))
        steps = constant_steps(body, step, changed, self._varying)
        iteration = self.fresh(f"the iteration of line {loop.span.line}")
        for variable in changed:
            self._values[variable] = self._in_loop(variable, steps.get(variable), iteration, loop)
        self._loops += 1
        entered = self._active
        with self._conditional(True):  # there may be no iteration at all
            self._block(body)
        self._active = entered
        self._loops -= 1
        for variable in changed:
            value = self._values.get(variable)
            if isinstance(value, Address):
                continue
            self._values[variable] = self._after(variable, loop.span, "by a loop")

    def _in_loop(
        self,
        variable: kir.Variable,
        step: tuple[kir.Expr, int] | None,
        iteration: LaneValue,
        loop: kir.For | kir.While,
    ) -> Value | Address:
        start = self._values.get(variable)
        if step is None:
            if isinstance(start, Address):
                return Address(start.root, Unknown(f"`{variable.name}` moves in a loop", loop.span))
            return self._after(variable, loop.span, "in a loop")
        amount = self._evaluate(step[0])
        if not isinstance(amount, LaneValue) or not amount.is_uniform:
            return Unknown(f"`{variable.name}` changes in a loop by unknown amounts", loop.span)
        moved = times(scaled(amount, step[1]), iteration)
        if isinstance(start, Address):
            assert isinstance(variable.type, kir.Pointer)
            moved = scaled(moved, size_bytes(variable.type.pointee))
            return Address(start.root, moved_by(start.offset, moved))
        return moved_by(start, moved) if start is not None else self._after(variable, loop.span, "in a loop")


def _either(mask: Mask, a: Value | Address, b: Value | Address) -> Value | Address:
    """`a` in the threads of `mask`, `b` in the others."""
    if isinstance(a, LaneValue) and isinstance(b, LaneValue):
        return chosen(mask, a, b)
    if isinstance(a, Address) and isinstance(b, Address) and a.root is b.root:
        offset = _either(mask, a.offset, b.offset)
        assert not isinstance(offset, Address)
        return Address(a.root, offset)
    return Unknown("it is set by some of the threads")
