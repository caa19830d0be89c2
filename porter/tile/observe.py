"""Who looks at what a fragment leaves behind: the threads that read a variable, the reads of a shared array.

Walks the code that may run after the fragment. Conditions on thread numbers narrow the threads; any other
condition leaves them as they are, so the answer errs on the side of "is looked at".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.barriers import SharedArray
from porter.analysis.block_evaluation import Evaluator
from porter.analysis.expressions import own_expressions, statements
from porter.analysis.possible import possible
from porter.analysis.stop import Stop
from porter.analysis.values import Known, Mask
from porter.analysis.walk import children
from porter.core.span import Span
from porter.cuda.kir import (
    Assign,
    Barrier,
    Binary,
    Break,
    Call,
    Continue,
    Declare,
    Expr,
    For,
    If,
    Index,
    Pointer,
    Return,
    Select,
    Stmt,
    Variable,
    VarRef,
    While,
)


class Escapes(Exception):
    """Something looks at the fragment's shared memory in a way that cannot be followed."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@dataclass
class ArrayRead:
    """One read of an element that the fragment wrote: for each thread of `lanes` the element's index."""

    expr: Expr
    array: Variable
    lanes: Mask
    cells: dict[int, int] = field(default_factory=dict)


@dataclass
class Observer:
    """`looked_at` and `reads` are the result; the rest is what is still the fragment's at this point.

    `variables` has the threads in which a variable still holds what the fragment left.
    """

    evaluator: Evaluator
    memory: Mapping[Variable, SharedArray]
    epoch: int
    variables: dict[Variable, Mask]
    base: Mask
    looked_at: dict[Variable, Mask] = field(default_factory=dict)
    reads: dict[int, ArrayRead] = field(default_factory=dict)
    killed: dict[Variable, set[int]] = field(default_factory=dict)
    dirty: dict[Variable, set[int] | None] = field(default_factory=dict)
    synchronised: bool = False
    may_replace: bool = True

    def walk(self, block: Iterable[Stmt], active: Mask, *, certain: bool = True) -> Mask:
        """Visits the statements; the threads that go on after them. Raises Escapes."""
        for stmt in block:
            active = self._visit(stmt, active, certain)
        return active

    def _visit(self, stmt: Stmt, active: Mask, certain: bool) -> Mask:
        match stmt:
            case If():
                return self._branch(stmt, active, certain)
            case For() | While():
                return self._loop(stmt, active)
            case Return():
                self._read_all(stmt, active)
                return active & ~active
            case Break() | Continue():
                return active
            case Barrier(scope=scope):
                self.synchronised |= scope == "block" and certain
                return active
            case Assign(target=target, value=value):
                self._assign(target, value, active, certain)
                return active
            case Declare(variable=variable):
                if self.evaluator.pointed(variable) is None:
                    self._read_all(stmt, active)
                self.variables.pop(variable, None)
                return active
            case _:
                self._read_all(stmt, active)
                return active

    def _assign(self, target: Expr, value: Expr, active: Mask, certain: bool) -> None:
        self._read(value, active)
        if isinstance(target, VarRef) and target.variable not in self.memory:
            variable = target.variable
            if variable in self.variables:  # a thread that goes this way reads its new value from here on
                self.variables[variable] = self.variables[variable] & ~active
            return
        array = self._shared(target)
        if array is not None:
            self._store(array, target, active, certain)
        else:
            for child in children(target):
                self._read(child, active)

    def _store(self, array: Variable, target: Expr, active: Mask, certain: bool) -> None:
        cells = self._cells(target, active)
        if cells is None:
            self.dirty[array] = None
        elif certain:
            self.killed.setdefault(array, set()).update(cells.values())
        else:
            known = self.dirty.setdefault(array, set())
            if known is not None:
                known.update(cells.values())

    def _cells(self, lvalue: Expr, active: Mask) -> dict[int, int] | None:
        try:
            place = self.evaluator.place(lvalue, active)
        except Stop:
            return None
        if place is None or not isinstance(place[1], Known):
            return None
        return {int(t): int(place[1].numbers[t]) for t in np.flatnonzero(active)}

    def _read_all(self, stmt: Stmt, active: Mask) -> None:
        for expr in own_expressions(stmt):
            self._read(expr, active)

    def _read(self, expr: Expr, active: Mask) -> None:
        array = self._shared(expr) if isinstance(expr, Index) else None
        if array is not None:
            self._read_element(expr, array, active)
            return
        if isinstance(expr.type, Pointer) and self._shared(expr) is not None:
            raise Escapes("the address of the shared array is used otherwise", expr.span)
        if isinstance(expr, VarRef):
            self._read_variable(expr, active)
            return
        if isinstance(expr, Binary) and expr.op in ("&&", "||"):
            self._read(expr.left, active)
            self._read(expr.right, possible(self.evaluator, expr.left, active)[expr.op == "||"])
            return
        if isinstance(expr, Select):
            chosen, other = possible(self.evaluator, expr.condition, active)
            self._read(expr.condition, active)
            self._read(expr.if_true, chosen)
            self._read(expr.if_false, other)
            return
        for child in children(expr):
            self._read(child, active)

    def _shared(self, expr: Expr) -> Variable | None:
        """The array of the fragment that an lvalue or pointer leads to."""
        array = self.evaluator.array(expr)
        return array if array is not None and array in self.memory else None

    def _read_variable(self, expr: VarRef, active: Mask) -> None:
        variable = expr.variable
        if variable in self.memory:
            self._read_element(expr, variable, active)
        elif variable in self.variables:
            old = self.variables[variable] & active
            self.looked_at[variable] = self.looked_at.get(variable, active & ~active) | old

    def _read_element(self, expr: Expr, array: Variable, active: Mask) -> None:
        cells = self._cells(expr, active)
        alive = set(self.memory[array].written()) - self.killed.get(array, set())
        if not alive:
            return
        if cells is None:
            raise Escapes(f"`{array.name}` is read at an index that depends on data", expr.span)
        touched = set(cells.values()) & alive
        if not touched:
            return
        dirty = self.dirty.get(array, set())
        if dirty is None or touched & dirty:
            raise Escapes(f"`{array.name}` may have been changed in between", expr.span)
        if not self.may_replace:
            raise Escapes(f"`{array.name}` is read outside the statements that follow", expr.span)
        if touched != set(cells.values()):
            raise Escapes(f"`{array.name}` is read also where the fragment did not write", expr.span)
        self._check_order(expr, array, cells)
        read = self.reads.setdefault(id(expr), ArrayRead(expr, array, active & ~active))
        if any(read.cells.get(t, cell) != cell for t, cell in cells.items()):
            raise Escapes(f"`{array.name}` is read here at changing indices", expr.span)
        read.lanes = read.lanes | active
        read.cells.update(cells)

    def _check_order(self, expr: Expr, array: Variable, cells: dict[int, int]) -> None:
        if self.synchronised:
            return
        for thread, cell in cells.items():
            writer = self.memory[array].unsynchronised_writer(cell, self.epoch)
            if writer is not None and writer != thread // self.evaluator.warp_size:
                raise Escapes(f"`{array.name}` is read with no barrier after its last write", expr.span)

    # --- control flow --------------------------------------------------------------------------------

    def _branch(self, stmt: If, active: Mask, certain: bool) -> Mask:
        self._read(stmt.condition, active)
        may_be_true, may_be_false = possible(self.evaluator, stmt.condition, active)
        if bool((may_be_true & may_be_false).any()):
            with self._uncertain((*stmt.then, *stmt.otherwise)):
                self.walk(stmt.then, may_be_true, certain=_is_uniform(stmt.then))
            with self._uncertain(()):
                self.walk(stmt.otherwise, may_be_false, certain=_is_uniform(stmt.otherwise))
            return active
        first = self.walk(stmt.then, may_be_true, certain=certain)
        second = self.walk(stmt.otherwise, may_be_false, certain=certain)
        return first | second

    def _loop(self, stmt: For | While, active: Mask) -> Mask:
        if isinstance(stmt, For):
            self.walk(stmt.init, active)
        self._read(stmt.condition, active)
        inside = (*stmt.body, *(stmt.step if isinstance(stmt, For) else ()))
        with self._uncertain(inside):
            self.walk(inside, active, certain=_is_uniform(inside))
            self._read(stmt.condition, active)
        return active

    @contextmanager
    def _uncertain(self, inside: tuple[Stmt, ...]) -> Iterator[None]:
        """What is overwritten in here counts here only, and as "perhaps" afterwards and in a next round."""
        variables, killed = dict(self.variables), {a: set(c) for a, c in self.killed.items()}
        self._mark_dirty(inside)
        synchronised = self.synchronised
        yield
        self.variables, self.killed, self.synchronised = variables, killed, synchronised

    def _mark_dirty(self, inside: tuple[Stmt, ...]) -> None:
        for stmt in statements(inside):
            if isinstance(stmt, Assign):
                array = self._shared(stmt.target)
                if array is not None:
                    self._store(array, stmt.target, self.base | True, certain=False)
            self._mark_atomic(stmt)

    def _mark_atomic(self, stmt: Stmt) -> None:
        for expr in own_expressions(stmt):
            if isinstance(expr, Call) and expr.name.startswith("atomic"):
                array = self._shared(expr.arguments[0])
                if array is not None:
                    self.dirty[array] = None


def _is_uniform(inside: tuple[Stmt, ...]) -> bool:
    """Do all threads or none run this? A block barrier in it says so: some alone could not pass it."""
    return any(isinstance(s, Barrier) and s.scope == "block" for s in statements(inside))
