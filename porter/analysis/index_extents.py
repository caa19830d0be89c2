"""How far into each buffer a launch of a kernel reaches, by intervals over all of its threads.

Scalar arguments, grid and block are given; integers loaded from memory are taken to lie in `loaded`.
Conditions narrow what they compare, so that the usual bounds checks count. Intervals forget how two values
depend on each other: an extent may be larger than what is reached, and is None where nothing bounds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from porter.analysis.extent_conditions import ExtentConditions
from porter.analysis.extent_values import (
    UNBOUNDED,
    Address,
    Extents,
    LaunchAssumption,
    Number,
    Value,
    join_states,
    joined,
)
from porter.analysis.loop_directions import directions_of, steps_up, widened
from porter.analysis.ranges import Interval, is_integer
from porter.cuda import kir


def index_extents(kernel: kir.Kernel, assumed: LaunchAssumption) -> Extents:
    """What the launch `assumed` of `kernel` can reach."""
    walk = _Walk(kernel, assumed)
    walk.block(kernel.body)
    return walk.found


def blocks_wanted(extents: Extents, axis: str) -> bool:
    """Whether a value made of `blockIdx` along `axis` stays below its limit: another block had work to do."""
    name = f"blockIdx.{axis}"
    return any(
        name in bound.value.sources and bound.value.interval.high + 1 < bound.limit.interval.high
        for bound in extents.bounds
    )


class _Walk(ExtentConditions):
    """Statements in their order; branches join, and loop bodies are walked once."""

    def block(self, body: Iterable[kir.Stmt]) -> bool:
        """Whether control may come out of the end."""
        return all(self._statement(statement) for statement in body)

    def _statement(self, statement: kir.Stmt) -> bool:
        match statement:
            case kir.Declare(variable, value):
                if value is not None:
                    self._set(variable, self._evaluate(value))
            case kir.Assign(target, value):
                self._assign(target, self._evaluate(value))
            case kir.Evaluate(call):
                self._evaluate(call)
            case kir.If():
                return self._if(statement)
            case kir.For():
                self.block(statement.init)
                self._loop(statement.condition, statement.body, statement.step)
            case kir.While():
                self._loop(statement.condition, statement.body, ())
            case kir.Return(value):
                if value is not None:
                    self._evaluate(value)
                return False
            case kir.Break() | kir.Continue():
                return False
        return True

    def _assign(self, target: kir.Lvalue, value: Value) -> None:
        if isinstance(target, kir.VarRef):
            self._set(target.variable, value)
            return
        root = self._access(target)
        if root is not None and isinstance(value, Number):
            known = self._stored.get(root)
            self._stored[root] = value if known is None else joined(known, value)

    def _if(self, statement: kir.If) -> bool:
        self._evaluate(statement.condition)
        before = self._state()
        ends = []
        for side, truth in ((statement.then, True), (statement.otherwise, False)):
            self._restore(before)
            self._assume(statement.condition, truth)
            ends.append((self.block(side), self._state()))
        (first, left), (second, right) = ends
        if first and second:
            self._restore(join_states(left, right))
        else:
            self._restore(left if first else right)
        return first or second

    def _loop(self, condition: kir.Expr, body: tuple[kir.Stmt, ...], step: tuple[kir.Stmt, ...]) -> None:
        """The body once, with everything that it changes anywhere between its start and its type's limits."""
        starts = {v: self._values[v] for v in steps_up((*body, *step)) if v in self._values}
        self._widen((*body, *step))
        entering = self._state()
        self._note_limits(condition)
        self._assume(condition, True)
        self._keep_steps(starts, steps_up((*body, *step)))
        self.block(body)
        self.block(step)
        self._restore(join_states(entering, self._state()))
        self._assume(condition, False)

    def _widen(self, body: tuple[kir.Stmt, ...]) -> None:
        for variable, directions in directions_of(body).items():
            start = self._values.get(variable)
            if isinstance(start, Address):
                anywhere = Number(Interval(-UNBOUNDED, UNBOUNDED))
                self._set(variable, replace(start, offset=anywhere))
            elif is_integer(variable.type):
                self._set(variable, widened(start, variable.type, directions))

    def _keep_steps(self, starts: Mapping[kir.Variable, Value], steps: Mapping[kir.Variable, int]) -> None:
        """A counter with a known start and step ends at its last value below the limit."""
        for variable, start in starts.items():
            now = self._values.get(variable)
            if isinstance(start, Number) and isinstance(now, Number):
                first, last = start.interval, now.interval.high
                if first.low == first.high <= last < UNBOUNDED:
                    high = first.low + (last - first.low) // steps[variable] * steps[variable]
                    self._set(variable, replace(now, interval=Interval(first.low, high)))

    def _note_limits(self, condition: kir.Expr) -> None:
        value = self._evaluate(condition)
        if isinstance(value, Number):
            self.found.limits |= {s for s in value.sources if isinstance(s, kir.Variable)}
