"""How far into each buffer a launch of a kernel reaches, by intervals over all of its threads.

Scalar arguments, grid and block are given; integers loaded from memory are taken to lie in `loaded`.
Conditions narrow what they compare, so that the usual bounds checks count. Intervals forget how two values
depend on each other: an extent may be larger than what is reached, and is None where nothing bounds it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from porter.analysis.expressions import Key, key
from porter.analysis.ranges import Interval, binary_interval, is_integer, type_interval
from porter.analysis.sizes import field_offset_bytes, size_bytes
from porter.cuda import kir, kir_walk
from porter.cuda.warp import WARP_SIZE

UNBOUNDED = 1 << 31
Source = kir.Variable | str
Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Number:
    """A value's interval, and what it was made of: variables, and builtins as `blockIdx.x`."""

    interval: Interval
    sources: frozenset[Source] = frozenset()


@dataclass(frozen=True)
class Address:
    """A pointer: bytes into what `root` points to (or is)."""

    root: kir.Variable
    offset: Number


Value = Number | Address


@dataclass(frozen=True)
class LaunchAssumption:
    """What is taken for granted; `scalars` are the integer arguments by parameter name."""

    grid: Triple
    block: Triple
    scalars: Mapping[str, int]
    loaded: Interval


@dataclass(frozen=True)
class Bound:
    """A comparison `value < limit` (or one that means it) of a value made of block indices."""

    value: Number
    limit: Number


@dataclass
class Extents:
    """`end_bytes` and `shared_bytes` are one past the furthest byte, by variable; None: nothing bounds it.

    `below` are buffers that may be accessed before their start. `loaded` are read as values, `subscripts`
    hold values that pick elements, `limits` values that end loops.
    """

    end_bytes: dict[kir.Variable, int | None] = field(default_factory=dict)
    shared_bytes: dict[kir.Variable, int | None] = field(default_factory=dict)
    below: set[kir.Variable] = field(default_factory=set)
    loaded: set[kir.Variable] = field(default_factory=set)
    subscripts: set[kir.Variable] = field(default_factory=set)
    limits: set[kir.Variable] = field(default_factory=set)
    bounds: list[Bound] = field(default_factory=list)
    builtins: set[str] = field(default_factory=set)


def index_extents(kernel: kir.Kernel, assumed: LaunchAssumption) -> Extents:
    """What the launch `assumed` of `kernel` can reach."""
    walk = _Walk(kernel, assumed)
    walk.block(kernel.body)
    return walk.found


class _Walk:
    """One use walks one kernel."""

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
                self._values[parameter] = Address(parameter, _number(0))
            elif is_integer(parameter.type):
                value = assumed.scalars.get(parameter.name)
                span = type_interval(parameter.type) if value is None else Interval(value, value)
                self._values[parameter] = Number(span, frozenset({parameter}))

    # --- statements ---

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

    def _set(self, variable: kir.Variable, value: Value) -> None:
        self._values[variable] = value
        self._facts = {k: v for k, v in self._facts.items() if not _mentions(k, variable)}

    def _assign(self, target: kir.Lvalue, value: Value) -> None:
        if isinstance(target, kir.VarRef):
            self._set(target.variable, value)
            return
        root = self._access(target)
        if root is not None and isinstance(value, Number):
            known = self._stored.get(root)
            self._stored[root] = value if known is None else _joined(known, value)

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
            self._restore(_join_states(left, right))
        else:
            self._restore(left if first else right)
        return first or second

    def _loop(self, condition: kir.Expr, body: tuple[kir.Stmt, ...], step: tuple[kir.Stmt, ...]) -> None:
        """The body once, with everything that it changes anywhere between its start and its type's limits."""
        starts = {v: self._values[v] for v in _constant_steps((*body, *step)) if v in self._values}
        self._widen((*body, *step))
        entering = self._state()
        self._note_limits(condition)
        self._assume(condition, True)
        self._keep_steps(starts, _constant_steps((*body, *step)))
        self.block(body)
        self.block(step)
        self._restore(_join_states(entering, self._state()))
        self._assume(condition, False)

    def _widen(self, body: tuple[kir.Stmt, ...]) -> None:
        for variable, directions in _changes(body).items():
            start = self._values.get(variable)
            if isinstance(start, Address):
                anywhere = Number(Interval(-UNBOUNDED, UNBOUNDED))
                self._set(variable, replace(start, offset=anywhere))
            elif is_integer(variable.type):
                self._set(variable, _widened(start, variable.type, directions))

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

    def _state(self) -> _State:
        return dict(self._values), dict(self._facts)

    def _restore(self, state: _State) -> None:
        self._values, self._facts = dict(state[0]), dict(state[1])

    # --- conditions ---

    def _assume(self, condition: kir.Expr, truth: bool) -> None:
        match condition:
            case kir.Unary(op="!", operand=operand):
                self._assume(operand, not truth)
            case kir.Cast(operand=operand) if is_integer(operand.type):
                self._assume(operand, truth)
            case kir.Binary(op="&&" | "||" as op, left=left, right=right):
                if truth == (op == "&&"):
                    self._assume(left, truth)
                    self._assume(right, truth)
            case kir.Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, left=left, right=right):
                self._compare(op if truth else _NEGATED[op], left, right)

    def _compare(self, op: str, left: kir.Expr, right: kir.Expr) -> None:
        a, b = self._evaluate(left), self._evaluate(right)
        if not (isinstance(a, Number) and isinstance(b, Number) and is_integer(left.type)):
            return
        if op in (">", ">="):
            op, left, right, a, b = ("<" if op == ">" else "<="), right, left, b, a
        if op in ("<", "<="):
            gap = op == "<"
            if _block_indices(a):
                self.found.bounds.append(Bound(a, b if gap else _shifted(b, 1)))
            self._narrow(left, Interval(-UNBOUNDED, b.interval.high - gap))
            self._narrow(right, Interval(a.interval.low + gap, UNBOUNDED))
        elif op == "==":
            self._narrow(left, b.interval)
            self._narrow(right, a.interval)
        elif op == "!=" and b.interval.low == b.interval.high == a.interval.low:
            self._narrow(left, Interval(a.interval.low + 1, UNBOUNDED))

    def _narrow(self, expr: kir.Expr, to: Interval) -> None:
        expr = _plain(expr)
        known = self._evaluate(expr)
        if not isinstance(known, Number) or isinstance(expr, kir.Const):
            return
        low, high = max(known.interval.low, to.low), min(known.interval.high, to.high)
        interval = Interval(low, high) if low <= high else Interval(low, low)
        if isinstance(expr, kir.VarRef) and not isinstance(expr.type, kir.Array):
            self._values[expr.variable] = replace(known, interval=interval)
        self._facts[key(expr)] = interval

    # --- expressions ---

    def _evaluate(self, expr: kir.Expr) -> Value:
        value = self._compute(expr)
        if isinstance(value, Address) or not is_integer(expr.type):
            return value
        fact = self._facts.get(key(_plain(expr)))
        if fact is not None:
            return replace(value, interval=fact)
        whole = type_interval(expr.type)
        fits = value.interval.within(whole.low, whole.high)
        return value if fits else replace(value, interval=whole)

    def _compute(self, expr: kir.Expr) -> Value:
        match expr:
            case kir.Const(value=int(value)):
                return _number(value)
            case kir.Builtin():
                return self._builtin(expr)
            case kir.VarRef(variable=variable):
                return self._variable(variable, expr.type)
            case kir.Cast(operand=operand):
                return self._evaluate(operand)
            case kir.AddressOf(lvalue=lvalue):
                return self._address(lvalue) or _anything(expr.type)
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
        return _anything(expr.type, operands)

    def _builtin(self, expr: kir.Builtin) -> Number:
        name = f"{expr.name}.{expr.axis}" if expr.axis else expr.name
        self.found.builtins.add(name)
        axis = "xyz".find(expr.axis) if expr.axis else 0
        extent = {"threadIdx": self._assumed.block, "blockIdx": self._assumed.grid}.get(expr.name)
        if extent is not None:
            return Number(Interval(0, extent[axis] - 1), frozenset({name}))
        value = {"blockDim": self._assumed.block, "gridDim": self._assumed.grid}.get(expr.name)
        return _number(value[axis] if value else WARP_SIZE)

    def _variable(self, variable: kir.Variable, type_: kir.Type) -> Value:
        if isinstance(type_, kir.Array):
            return Address(variable, _number(0))
        if variable.storage in (kir.Storage.GLOBAL, kir.Storage.CONSTANT, *kir.SHARED_STORAGE):
            return _anything(type_)
        return self._values.get(variable, _anything(type_))

    def _load(self, expr: kir.Index | kir.Member) -> Value:
        root = self._access(expr)
        if root is None:
            return _anything(expr.type)
        element = expr.type.element if isinstance(expr.type, kir.Vector) else expr.type
        if root.storage is kir.Storage.PARAMETER and isinstance(root.type, kir.Pointer):
            self.found.loaded.add(root)
            sources = frozenset({root})
            return Number(self._loaded(element), sources) if is_integer(element) else _anything(expr.type)
        if not is_integer(expr.type):
            return _anything(expr.type)
        return self._lane(root) or self._stored.get(root, _anything(expr.type))

    def _lane(self, root: kir.Variable) -> Number | None:
        """One integer of a vector that was loaded whole: `v.x` after `int4 v = in[i]`."""
        whole = self._values.get(root)
        if not isinstance(root.type, kir.Vector) or not isinstance(whole, Number) or not whole.sources:
            return None
        known = self._stored.get(root)
        return whole if known is None else _joined(whole, known)

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
                return value if isinstance(value, Address) else Address(variable, _number(0))
            case kir.Index(base=base, index=index):
                start = self._evaluate(base) if isinstance(base.type, kir.Pointer) else self._address(base)
                by = self._evaluate(index)
                if isinstance(start, Address) and isinstance(by, Number):
                    return replace(start, offset=_plus(start.offset, by, size_bytes(place.type)))
            case kir.Member(base=base, field=name):
                start = self._address(base)
                if isinstance(start, Address) and isinstance(base.type, kir.Struct | kir.Vector):
                    return replace(start, offset=_shifted(start.offset, field_offset_bytes(base.type, name)))
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
        return _anything(expr.type, (left, right))

    def _binary(self, expr: kir.Binary) -> Value:
        if expr.op in ("&&", "||"):
            return self._short_circuit(expr)
        left, right = self._evaluate(expr.left), self._evaluate(expr.right)
        if isinstance(left, Address) or isinstance(right, Address):
            pointer, by = (left, right) if isinstance(left, Address) else (right, left)
            if isinstance(by, Address) or not isinstance(expr.type, kir.Pointer):
                return _anything(expr.type)
            assert isinstance(pointer, Address)
            scale = size_bytes(expr.type.pointee) * (-1 if expr.op == "-" else 1)
            return replace(pointer, offset=_plus(pointer.offset, by, scale))
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
            return _joined(left, right)
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
        return _anything(call.type, values)

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
        if self._depth < 8:
            self._depth += 1
            self.block(function.body)
            self._depth -= 1
        return _anything(call.type)


_State = tuple[dict[kir.Variable, Value], dict[Key, Interval]]
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def _number(value: int) -> Number:
    return Number(Interval(int(value), int(value)))


def _anything(type_: kir.Type, made_of: Iterable[Value] = ()) -> Number:
    sources = frozenset().union(*(v.sources for v in made_of if isinstance(v, Number)))
    interval = type_interval(type_) if is_integer(type_) else Interval(-UNBOUNDED, UNBOUNDED)
    return Number(interval, sources)


def _plus(start: Number, by: Number, scale: int) -> Number:
    low, high = sorted((by.interval.low * scale, by.interval.high * scale))
    interval = Interval(start.interval.low + low, start.interval.high + high)
    return Number(interval, start.sources | by.sources)


def _shifted(value: Number, by: int) -> Number:
    return replace(value, interval=Interval(value.interval.low + by, value.interval.high + by))


def _joined(left: Number, right: Number) -> Number:
    return Number(left.interval.join(right.interval), left.sources | right.sources)


def _join_states(left: _State, right: _State) -> _State:
    values: dict[kir.Variable, Value] = {}
    for variable in left[0].keys() & right[0].keys():
        a, b = left[0][variable], right[0][variable]
        if isinstance(a, Number) and isinstance(b, Number):
            values[variable] = _joined(a, b)
        elif isinstance(a, Address) and isinstance(b, Address) and a.root is b.root:
            values[variable] = Address(a.root, _joined(a.offset, b.offset))
    return values, {k: left[1][k].join(right[1][k]) for k in left[1].keys() & right[1].keys()}


def _changes(body: Iterable[kir.Stmt]) -> dict[kir.Variable, set[str]]:
    """What a loop assigns, and whether each assignment goes "up", "down" or anywhere."""
    found: dict[kir.Variable, set[str]] = defaultdict(set)
    for statement in kir_walk.statements(body):
        if isinstance(statement, kir.Assign) and isinstance(statement.target, kir.VarRef):
            found[statement.target.variable].add(_direction(statement.target.variable, statement.value))
    return found


def _constant_steps(body: Iterable[kir.Stmt]) -> dict[kir.Variable, int]:
    """Variables that one statement increases by a constant, and nothing else changes."""
    every: dict[kir.Variable, list[kir.Expr]] = defaultdict(list)
    for statement in kir_walk.statements(body):
        if isinstance(statement, kir.Assign) and isinstance(statement.target, kir.VarRef):
            every[statement.target.variable].append(_plain(statement.value))
    found = {}
    for variable, values in every.items():
        match values:
            case [kir.Binary(op="+", left=left, right=right)]:
                by = _plain(right)
                own = _plain(left)
                constant = isinstance(by, kir.Const) and isinstance(by.value, int) and by.value > 0
                if constant and isinstance(own, kir.VarRef) and own.variable is variable:
                    found[variable] = int(by.value)  # type: ignore[union-attr]
    return found


def _direction(variable: kir.Variable, value: kir.Expr) -> str:
    value = _plain(value)
    if isinstance(value, kir.Binary):
        left = _plain(value.left)
        if isinstance(left, kir.VarRef) and left.variable is variable:
            return {"+": "up", "*": "up", "<<": "up", "-": "down", "/": "down", ">>": "down"}.get(
                value.op, "anywhere"
            )
    return "anywhere"


def _widened(start: Value | None, type_: kir.Type, directions: set[str]) -> Number:
    whole = type_interval(type_)
    if not isinstance(start, Number):
        return Number(whole)
    low = start.interval.low if directions == {"up"} else whole.low
    high = start.interval.high if directions == {"down"} else whole.high
    return replace(start, interval=Interval(low, high))


def _plain(expr: kir.Expr) -> kir.Expr:
    """Without casts between integer types."""
    while isinstance(expr, kir.Cast) and is_integer(expr.type) and is_integer(expr.operand.type):
        expr = expr.operand
    return expr


def _mentions(fact: object, variable: kir.Variable) -> bool:
    if isinstance(fact, tuple):
        return any(_mentions(part, variable) for part in fact)
    return fact is variable


def _block_indices(value: Number) -> set[str]:
    return {s for s in value.sources if isinstance(s, str) and s.startswith("blockIdx")}


def blocks_wanted(extents: Extents, axis: str) -> bool:
    """Whether a value made of `blockIdx` along `axis` stays below its limit: another block had work to do."""
    name = f"blockIdx.{axis}"
    return any(
        name in bound.value.sources and bound.value.interval.high + 1 < bound.limit.interval.high
        for bound in extents.bounds
    )
