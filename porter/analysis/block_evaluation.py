"""Evaluates KIR expressions for every thread of a block at once (the expression half of `lockstep.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from porter.analysis import concrete
from porter.analysis.aliasing import may_be_one
from porter.analysis.barriers import Race, SharedArray
from porter.analysis.expressions import Key, key, root, transform, with_children
from porter.analysis.operators import compute, masked, operator_of, select_extremum
from porter.analysis.stop import Stop
from porter.analysis.terms import ASSOCIATIVE, Term, Undefined, Votes, combine, is_number, neutral, without
from porter.analysis.values import Known, Leaves, Mask, Mixed, Own, Value, expression, lanewise
from porter.analysis.walk import children
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    SHARED_STORAGE,
    AddressOf,
    Array,
    Binary,
    Bitcast,
    Builtin,
    Call,
    Cast,
    Const,
    Expr,
    Index,
    Pointer,
    Scalar,
    Select,
    Storage,
    Type,
    Variable,
    VarRef,
)
from porter.cuda.warp import WARP_SIZE

_POPULATION = frozenset({"__popc", "__popcll", "popc"})


@dataclass
class Evaluator:
    """The state of a symbolic execution and the values of expressions in it."""

    block: tuple[int, int, int]
    definitions: Mapping[Variable, Expr]
    warp_size: int = WARP_SIZE
    locals: dict[Variable, Value] = field(default_factory=dict)
    memory: dict[Variable, SharedArray] = field(default_factory=dict)
    epoch: int = 0
    stored: frozenset[Variable | None] = frozenset()  # the global buffers that the kernel stores to
    computed: dict[Key, Mask] = field(default_factory=dict)
    _pristine: dict[Variable, Value] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        x, y, z = self.block
        return x * y * z

    @cached_property
    def leaves(self) -> Leaves:
        return Leaves(self.threads)

    def evaluate(self, expr: Expr, active: Mask) -> Value:
        """The value in the active threads; the others hold anything. Raises Stop."""
        value = self._evaluate(expr, active)
        if isinstance(value, Own) and not isinstance(expr, VarRef | Builtin):
            place = key(value.expr)
            self.computed[place] = self.computed[place] | active if place in self.computed else active
        return value

    def made_by(self, expr: Expr) -> Mask | None:
        """The threads that computed this leaf of the execution; None for one put together from others."""
        return self.computed.get(key(expr))

    def _evaluate(self, expr: Expr, active: Mask) -> Value:
        match expr:
            case Const(value=value):
                return Known(np.full(self.threads, value), expr)
            case Builtin():
                return self._builtin(expr)
            case VarRef(variable=variable) if variable.storage not in SHARED_STORAGE:
                return self._variable(expr, active)
            case Index() | VarRef():
                return self._load(expr, active)
            case Cast(operand=operand):
                return self.cast(self.evaluate(operand, active), expr, active)
            case Select():
                return self._select(expr, active)
            case Binary(op="&&" | "||"):
                return self._logical(expr, active)
            case _:
                return self._apply(expr, active)

    def _builtin(self, expr: Builtin) -> Value:
        thread = np.arange(self.threads)
        x, y, _ = self.block
        position = {"x": thread % x, "y": thread // x % y, "z": thread // (x * y)}
        if expr.name == "threadIdx":
            return Known(position[expr.axis], expr)
        if expr.name == "blockDim":
            return Known(np.full(self.threads, self.block["xyz".index(expr.axis)]), expr)
        if expr.name == "warpSize":
            return Known(np.full(self.threads, self.warp_size), expr)
        return Own(expr)

    def _variable(self, expr: VarRef, active: Mask) -> Value:
        variable = expr.variable
        if variable in self.locals:
            return self.locals[variable]
        if variable not in self._pristine:
            self._pristine[variable] = self._definition(expr, active)
        return self._pristine[variable]

    def _definition(self, expr: VarRef, active: Mask) -> Value:
        """A variable that never changes and that thread numbers determine is known; any other is its own."""
        defining = self.definitions.get(expr.variable)
        if defining is None or isinstance(defining.type, Pointer):
            return Own(expr)
        try:
            value = Evaluator(self.block, self.definitions, self.warp_size).evaluate(defining, active | True)
        except Stop:
            return Own(expr)
        return Known(value.numbers, expr) if isinstance(value, Known) else Own(expr)

    # --- memory --------------------------------------------------------------------------------------

    def pointed(self, variable: Variable) -> Expr | None:
        """The defining expression of a pointer variable that leads to shared memory."""
        defining = self.definitions.get(variable)
        is_pointer = defining is not None and isinstance(variable.type, Pointer)
        return defining if is_pointer and defining is not None and self.array(defining) is not None else None

    def array(self, expr: Expr) -> Variable | None:
        """The shared array that an lvalue or pointer leads to."""
        match expr:
            case VarRef(variable=variable) if variable.storage in SHARED_STORAGE:
                return variable
            case VarRef(variable=variable) if isinstance(variable.type, Pointer):
                defining = self.definitions.get(variable)
                return self.array(defining) if defining is not None else None
            case Index(base=inner) | AddressOf(lvalue=inner) | Cast(operand=inner):
                return self.array(inner)
            case Binary(op="+", left=inner) if isinstance(expr.type, Pointer):
                return self.array(inner)
            case _:
                return None

    def _check_pointer(self, expr: Expr) -> None:
        """A pointer that is no parameter and has no one definition could lead to shared memory."""
        base = root(expr)
        while isinstance(base, VarRef) and base.variable in self.definitions:
            base = root(self.definitions[base.variable])
        is_local_pointer = (
            isinstance(base, VarRef)
            and isinstance(base.variable.type, Pointer)
            and base.variable.storage is Storage.LOCAL
        )
        if is_local_pointer or not isinstance(base, VarRef):
            raise Stop("a pointer whose target is not known", expr.span)
        if self.epoch and any(may_be_one(buffer, base.variable) for buffer in self.stored):
            raise Stop("a load after a barrier of what the kernel may have stored", expr.span)

    def place(self, lvalue: Expr, active: Mask) -> tuple[Variable, Value] | None:
        """The shared array and the flat element index of an lvalue in it; None for any other memory."""
        array = self.array(lvalue)
        if array is None:
            return None
        element = array.type
        while isinstance(element, Array):
            element = element.element
        if str(lvalue.type) != str(element):
            raise Stop(f"`{array.name}` is accessed as another type", lvalue.span)
        return array, self._offset(lvalue, active)

    def _offset(self, expr: Expr, active: Mask) -> Value:
        zero = Known(np.zeros(self.threads, dtype=np.int64))
        match expr:
            case VarRef(variable=variable) if variable.storage in SHARED_STORAGE:
                return zero
            case VarRef(variable=variable):
                return self._offset(self.definitions[variable], active)
            case Index(base=base, index=index):
                return self._sum(self._offset(base, active), index, _extent(expr.type), active)
            case AddressOf(lvalue=inner) | Cast(operand=inner):
                return self._offset(inner, active)
            case Binary(op="+", left=base, right=index) if isinstance(expr.type, Pointer):
                return self._sum(self._offset(base, active), index, _extent(expr.type.pointee), active)
            case _:
                raise Stop("an address that is not understood", expr.span)

    def _sum(self, base: Value, index: Expr, scale: int, active: Mask) -> Value:
        offset = self.evaluate(index, active)
        if not isinstance(base, Known) or not isinstance(offset, Known):
            raise Stop("a shared-memory index that depends on data", index.span)
        return Known(base.numbers + offset.numbers * scale)

    def _load(self, expr: Expr, active: Mask) -> Value:
        place = self.place(expr, active)
        if place is None:
            self._check_pointer(expr)
            return self._apply(expr, active)
        array, index = place
        assert isinstance(index, Known)
        check_bounds(array, index, active, expr.span)
        memory = self.memory.setdefault(array, SharedArray())

        def cell(thread: int) -> Term:
            return memory.read(int(index.numbers[thread]), thread // self.warp_size, self.epoch)

        try:
            return lanewise(active, [np.arange(self.threads)], cell)
        except Race as race:
            raise Stop(f"`{array.name}`: {race}", expr.span) from None

    # --- operators -----------------------------------------------------------------------------------

    def _apply(self, expr: Expr, active: Mask) -> Value:
        operands = [self.evaluate(child, active) for child in children(expr)]
        numbers = [v.numbers for v in operands if isinstance(v, Known)]
        if len(numbers) == len(operands):
            computed = compute(expr, numbers)
            if computed is not None:
                return Known(computed, self._rebuilt(expr, operands))
        rebuilt = self._rebuilt(expr, operands)
        if rebuilt is not None:
            return Own(rebuilt)
        if isinstance(expr, Bitcast):
            return self.cast(operands[0], expr, active)
        return self._combined(expr, operands, active)

    def _rebuilt(self, expr: Expr, operands: list[Value]) -> Expr | None:
        """The expression over what was there at the start, where every operand has one."""
        parts = tuple(
            expression(value, child.type, child.span)
            for value, child in zip(operands, children(expr), strict=True)
        )
        known = tuple(p for p in parts if p is not None)
        return with_children(expr, known) if len(known) == len(parts) else None

    def _combined(self, expr: Expr, operands: list[Value], active: Mask) -> Value:
        terms = [self.leaves.terms(v) for v in operands]
        op, type_ = operator_of(expr), expr.type
        if isinstance(expr, Call) and expr.name in _POPULATION:
            from porter.analysis.warp_collectives import population

            return lanewise(active, terms, lambda t: population(self, t))
        if op == "-" and isinstance(type_, Scalar) and type_.kind in ("int", "uint"):
            return lanewise(active, terms, without)
        if op not in ASSOCIATIVE or not isinstance(type_, Scalar):
            undefined = Undefined(f"`{op or type(expr).__name__}` of values of several lanes")
            return lanewise(active, terms, lambda *_: undefined)
        unit = neutral(op, type_)
        if op == "&":
            return lanewise(active, terms, lambda a, b: masked(a, b, self.warp_size, unit))
        return lanewise(active, terms, lambda a, b: combine(op, a, b, unit))

    def _logical(self, expr: Binary, active: Mask) -> Value:
        """`&&` and `||`: the right side only where the left does not decide."""
        left = self.evaluate(expr.left, active)
        if not isinstance(left, Known):
            return self._apply_logical(expr, left, self.evaluate(expr.right, active), active)
        goes_on = active & ((left.numbers != 0) if expr.op == "&&" else (left.numbers == 0))
        right = self.evaluate(expr.right, goes_on)
        return self._apply_logical(expr, left, right, active)

    def _apply_logical(self, expr: Binary, left: Value, right: Value, active: Mask) -> Value:
        rebuilt = self._rebuilt(expr, [left, right])
        if isinstance(left, Known) and isinstance(right, Known):
            numbers = concrete.binary(expr.op, left.numbers, right.numbers, expr.type)
            assert numbers is not None
            return Known(numbers, rebuilt)
        if rebuilt is not None:
            return Own(rebuilt)
        op = "&" if expr.op == "&&" else "|"
        unit = neutral(op, BOOL)
        terms = [self.leaves.terms(left), self.leaves.terms(right)]
        return lanewise(active, terms, lambda a, b: combine(op, a, b, unit))

    def _select(self, expr: Select, active: Mask) -> Value:
        condition = self.evaluate(expr.condition, active)
        if not isinstance(condition, Known):
            return self._unknown_select(expr, condition, active)
        truth = condition.numbers != 0
        chosen = self.evaluate(expr.if_true, active & truth)
        other = self.evaluate(expr.if_false, active & ~truth)
        rebuilt = self._rebuilt(expr, [condition, chosen, other])
        if isinstance(chosen, Known) and isinstance(other, Known):
            return Known(np.where(truth, chosen.numbers, other.numbers), rebuilt)
        if rebuilt is not None:
            return Own(rebuilt)
        return Mixed(np.where(truth, self.leaves.terms(chosen), self.leaves.terms(other)))

    def _unknown_select(self, expr: Select, condition: Value, active: Mask) -> Value:
        name = select_extremum(expr)
        if name is not None:
            call = Call(name, (expr.if_true, expr.if_false), expr.type, expr.span)
            return self._apply(call, active)
        operands = [condition, self.evaluate(expr.if_true, active), self.evaluate(expr.if_false, active)]
        rebuilt = self._rebuilt(expr, operands)
        if rebuilt is not None:
            return Own(rebuilt)
        undefined = Undefined("a choice that depends on data")
        return lanewise(active, [np.arange(self.threads)], lambda _: undefined)

    def cast(self, value: Value, expr: Cast | Bitcast, active: Mask) -> Value:
        """A conversion; of a value of several lanes only where it commutes with how they were combined."""
        if isinstance(value, Known) and isinstance(expr, Cast):
            rebuilt = self._rebuilt(expr, [value])
            return Known(concrete.wrap(value.numbers, expr.type), rebuilt)
        rebuilt = self._rebuilt(expr, [value])
        if rebuilt is not None:
            return Own(rebuilt)
        from_type = expr.operand.type
        return lanewise(active, [self.leaves.terms(value)], lambda t: self._cast_term(t, from_type, expr))

    def _cast_term(self, term: Term, from_type: Type, expr: Cast | Bitcast) -> Term:
        if str(from_type) == str(expr.type) or isinstance(term, Undefined):
            return term
        if is_number(term) and isinstance(expr, Cast):
            number: Term = concrete.wrap(np.asarray(term), expr.type).item()
            return number
        if isinstance(term, Votes):
            return term if isinstance(expr.type, Scalar) and expr.type.kind in ("int", "uint") else _LOST
        leaf = self.leaves.single(term)
        if leaf is None:
            return _LOST
        site, thread = leaf
        converted = transform(expr, lambda e: self.leaves.sites[site] if e is expr.operand else None)
        return self.leaves.leaf(self.leaves.site(converted), thread)

    def counted(self, site: int) -> int:
        """The site of a predicate as the integer 0 or 1."""
        predicate = self.leaves.sites[site]
        return self.leaves.site(Cast(predicate, INT32, predicate.span))


_LOST = Undefined("a conversion of values of several lanes")


def check_bounds(array: Variable, index: Known, active: Mask, span: Span) -> None:
    """Raises Stop where an index is outside the array; the size of dynamic shared memory is not known."""
    size = _extent(array.type) or np.iinfo(np.int64).max
    used = index.numbers[active]
    if bool(((used < 0) | (used >= size)).any()):
        raise Stop(f"an index outside `{array.name}`", span)


def _extent(type_: Type) -> int:
    count = 1
    while isinstance(type_, Array):
        for length in type_.shape:
            count *= length
        type_ = type_.element
    return count
