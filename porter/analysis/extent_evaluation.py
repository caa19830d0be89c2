"""The intervals of expressions, and how far the accesses in them reach."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace

from porter.analysis.expressions import Key, key
from porter.analysis.extent_values import (
    UNBOUNDED,
    Address,
    Extents,
    LaunchAssumption,
    Number,
    State,
    Value,
    anything,
    constant,
    joined,
    moved,
    plain,
    shifted,
)
from porter.analysis.ranges import Interval, binary_interval, is_integer, type_interval
from porter.analysis.sizes import field_offset_bytes, size_bytes
from porter.cuda import kir, kir_walk
from porter.cuda.warp import WARP_SIZE

_MOST_CALLS = 8
"""So deep are functions followed into each other."""


class ExtentEvaluation(ABC):
    """Values of the variables so far, and `found`, to which every access is added. One use, one kernel."""

    def __init__(self, kernel: kir.Kernel, assumed: LaunchAssumption) -> None:
        self.found = Extents()
        self._kernel = kernel
        self._assumed = assumed
        self._values: dict[kir.Variable, Value] = {}
        self._stored: dict[kir.Variable, Number] = {}
        self._facts: dict[Key, Interval] = {}
        self._depth = 0
        for parameter in kernel.parameters:
            if isinstance(parameter.type, kir.Pointer):
                self._values[parameter] = Address(parameter, constant(0))
            elif is_integer(parameter.type):
                value = assumed.scalars.get(parameter.name)
                span = type_interval(parameter.type) if value is None else Interval(value, value)
                self._values[parameter] = Number(span, frozenset({parameter}))

    @abstractmethod
    def block(self, body: Iterable[kir.Stmt]) -> bool:
        """Walks the statements of a function that an expression calls."""

    @abstractmethod
    def _assume(self, condition: kir.Expr, truth: bool) -> None:
        """Narrows by a condition what is evaluated next."""

    def _set(self, variable: kir.Variable, value: Value) -> None:
        self._values[variable] = value
        self._facts = {k: v for k, v in self._facts.items() if not _mentions(k, variable)}

    def _state(self) -> State:
        return dict(self._values), dict(self._facts)

    def _restore(self, state: State) -> None:
        self._values, self._facts = dict(state[0]), dict(state[1])

    def _evaluate(self, expr: kir.Expr) -> Value:
        value = self._compute(expr)
        if isinstance(value, Address) or not is_integer(expr.type):
            return value
        fact = self._facts.get(key(plain(expr)))
        if fact is not None:
            return replace(value, interval=fact)
        whole = type_interval(expr.type)
        fits = value.interval.within(whole.low, whole.high)
        return value if fits else replace(value, interval=whole)

    def _compute(self, expr: kir.Expr) -> Value:
        match expr:
            case kir.Const(value=int(value)):
                return constant(value)
            case kir.Builtin():
                return self._builtin(expr)
            case kir.VarRef(variable=variable):
                return self._variable(variable, expr.type)
            case kir.Cast(operand=operand):
                return self._evaluate(operand)
            case kir.AddressOf(lvalue=lvalue):
                return self._address(lvalue) or anything(expr.type)
            case kir.Index() | kir.Member():
                return self._load(expr)
            case kir.Binary():
                return self._binary(expr)
            case kir.Select():
                return self._select(expr)
            case kir.Call():
                return self._call(expr)
            case kir.CallFunction():
                return self._function(expr)
        operands = [self._evaluate(operand) for operand in kir_walk.operands(expr)]
        if isinstance(expr, kir.Unary) and expr.op == "-" and isinstance(operands[0], Number):
            low, high = operands[0].interval.low, operands[0].interval.high
            return replace(operands[0], interval=Interval(-high, -low))
        return anything(expr.type, operands)

    def _builtin(self, expr: kir.Builtin) -> Number:
        name = f"{expr.name}.{expr.axis}" if expr.axis else expr.name
        self.found.builtins.add(name)
        axis = "xyz".find(expr.axis) if expr.axis else 0
        extent = {"threadIdx": self._assumed.block, "blockIdx": self._assumed.grid}.get(expr.name)
        if extent is not None:
            return Number(Interval(0, extent[axis] - 1), frozenset({name}))
        value = {"blockDim": self._assumed.block, "gridDim": self._assumed.grid}.get(expr.name)
        return constant(value[axis] if value else WARP_SIZE)

    def _variable(self, variable: kir.Variable, type_: kir.Type) -> Value:
        if isinstance(type_, kir.Array):
            return Address(variable, constant(0))
        if variable.storage in (kir.Storage.GLOBAL, kir.Storage.CONSTANT, *kir.SHARED_STORAGE):
            return anything(type_)
        return self._values.get(variable, anything(type_))

    def _load(self, expr: kir.Index | kir.Member) -> Value:
        root = self._access(expr)
        if root is None:
            return anything(expr.type)
        element = expr.type.element if isinstance(expr.type, kir.Vector) else expr.type
        if root.storage is kir.Storage.PARAMETER and isinstance(root.type, kir.Pointer):
            self.found.loaded.add(root)
            sources = frozenset({root})
            return Number(self._loaded(element), sources) if is_integer(element) else anything(expr.type)
        if not is_integer(expr.type):
            return anything(expr.type)
        return self._lane(root) or self._stored.get(root, anything(expr.type))

    def _lane(self, root: kir.Variable) -> Number | None:
        """One integer of a vector that was loaded whole: `v.x` after `int4 v = in[i]`."""
        whole = self._values.get(root)
        if not isinstance(root.type, kir.Vector) or not isinstance(whole, Number) or not whole.sources:
            return None
        known = self._stored.get(root)
        return whole if known is None else joined(whole, known)

    def _loaded(self, type_: kir.Type) -> Interval:
        whole = type_interval(type_)
        wanted = self._assumed.loaded
        return Interval(max(whole.low, wanted.low), min(whole.high, wanted.high))

    def _access(self, place: kir.Index | kir.Member) -> kir.Variable | None:
        """Notes how far `place` reaches; its root, where that is known."""
        address = self._address(place)
        if address is None:
            return None
        offset = address.offset.interval
        end = None if offset.high >= UNBOUNDED else offset.high + size_bytes(place.type)
        root = address.root
        shared = root.storage in kir.SHARED_STORAGE
        if root.storage is kir.Storage.PARAMETER or shared:
            table = self.found.shared_bytes if shared else self.found.end_bytes
            known = table.get(root, 0)
            table[root] = None if end is None or known is None else max(known, end)
            if offset.low < 0:
                self.found.below.add(root)
        self.found.subscripts |= {s for s in address.offset.sources if isinstance(s, kir.Variable)}
        return root

    def _address(self, place: kir.Expr) -> Address | None:
        match place:
            case kir.VarRef(variable=variable):
                value = self._values.get(variable)
                return value if isinstance(value, Address) else Address(variable, constant(0))
            case kir.Index(base=base, index=index):
                start = self._evaluate(base) if isinstance(base.type, kir.Pointer) else self._address(base)
                by = self._evaluate(index)
                if isinstance(start, Address) and isinstance(by, Number):
                    return replace(start, offset=moved(start.offset, by, size_bytes(place.type)))
            case kir.Member(base=base, field=name):
                start = self._address(base)
                if isinstance(start, Address) and isinstance(base.type, kir.Struct | kir.Vector):
                    return replace(start, offset=shifted(start.offset, field_offset_bytes(base.type, name)))
            case _:
                value = self._evaluate(place)
                return value if isinstance(value, Address) else None
        return None

    def _short_circuit(self, expr: kir.Binary) -> Number:
        """The right side is evaluated only where the left leaves it open."""
        left = self._evaluate(expr.left)
        before = self._state()
        self._assume(expr.left, expr.op == "&&")
        right = self._evaluate(expr.right)
        self._restore(before)
        return anything(expr.type, (left, right))

    def _binary(self, expr: kir.Binary) -> Value:
        if expr.op in ("&&", "||"):
            return self._short_circuit(expr)
        left, right = self._evaluate(expr.left), self._evaluate(expr.right)
        if isinstance(left, Address) or isinstance(right, Address):
            pointer, by = (left, right) if isinstance(left, Address) else (right, left)
            if isinstance(by, Address) or not isinstance(expr.type, kir.Pointer):
                return anything(expr.type)
            assert isinstance(pointer, Address)
            scale = size_bytes(expr.type.pointee) * (-1 if expr.op == "-" else 1)
            return replace(pointer, offset=moved(pointer.offset, by, scale))
        found = binary_interval(expr.op, left.interval, right.interval) if is_integer(expr.type) else None
        sources = left.sources | right.sources
        return Number(found or type_interval(expr.type), sources)

    def _select(self, expr: kir.Select) -> Value:
        self._evaluate(expr.condition)
        before = self._state()
        sides: list[Value] = []
        for side, truth in ((expr.if_true, True), (expr.if_false, False)):
            self._restore(before)
            self._assume(expr.condition, truth)
            sides.append(self._evaluate(side))
        self._restore(before)
        left, right = sides
        if isinstance(left, Number) and isinstance(right, Number):
            return joined(left, right)
        return left

    def _call(self, call: kir.Call) -> Value:
        values = [self._evaluate(argument) for argument in call.arguments]
        if call.name.startswith("atomic") and isinstance(values[0], Address):
            pointed = call.arguments[0]
            if isinstance(pointed, kir.AddressOf) and isinstance(pointed.lvalue, kir.Index | kir.Member):
                self._access(pointed.lvalue)
            else:
                self._reach(values[0], call.type)
        numbers = [value for value in values if isinstance(value, Number)]
        if call.name in ("min", "max") and is_integer(call.type) and len(numbers) == 2:
            pick = min if call.name == "min" else max
            a, b = (n.interval for n in numbers)
            return Number(
                Interval(pick(a.low, b.low), pick(a.high, b.high)), numbers[0].sources | numbers[1].sources
            )
        return anything(call.type, values)

    def _reach(self, address: Address, type_: kir.Type) -> None:
        """An access through a pointer that no subscript spells."""
        high = address.offset.interval.high
        if address.root.storage is kir.Storage.PARAMETER:
            known = self.found.end_bytes.get(address.root, 0)
            end = None if high >= UNBOUNDED else high + size_bytes(type_)
            self.found.end_bytes[address.root] = None if end is None or known is None else max(known, end)

    def _function(self, call: kir.CallFunction) -> Value:
        function = self._kernel.functions[call.function]
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            self._set(parameter, self._evaluate(argument))
        if self._depth < _MOST_CALLS:
            self._depth += 1
            self.block(function.body)
            self._depth -= 1
        return anything(call.type)


def _mentions(fact: object, variable: kir.Variable) -> bool:
    if isinstance(fact, tuple):
        return any(_mentions(part, variable) for part in fact)
    return fact is variable
