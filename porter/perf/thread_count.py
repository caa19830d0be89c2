"""Counts what one thread of a kernel does, by running its control flow on the values that are known.

Scalars of the launch, thread and block indices, and what is computed from them, are known; what is loaded is
not. Where control flow depends on something unknown, the cheaper way is counted, so that counts stay lower
bounds; each such place is recorded as an assumption.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.analysis.sizes import size_bytes
from porter.cuda import kir, kir_walk
from porter.cuda.warp import WARP_SIZE
from porter.perf.known_values import Address, Value, arithmetic, convert, dtype_of, unary

_ATOMICS = (
    "atomicAdd",
    "atomicSub",
    "atomicMax",
    "atomicMin",
    "atomicExch",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
)
_PURE_PREFIXES = (
    "__shfl",
    "__ballot",
    "__any",
    "__all",
    "__activemask",
    "__match",
    "__sync",
    "printf",
    "assert",
)
_EXACT_ITERATIONS = 32  # a longer counted loop runs this many of its iterations and is scaled
_MOST_ITERATIONS = 1 << 14  # where the iterations cannot be told apart from outside


@dataclass
class Counts:
    """`loads` and `stores` are bytes by pointer parameter or global, `flops` operations by dtype.

    `steps` is how many statements were run to find out.
    """

    loads: Counter[kir.Variable] = field(default_factory=Counter)
    stores: Counter[kir.Variable] = field(default_factory=Counter)
    flops: Counter[str] = field(default_factory=Counter)
    assumptions: list[str] = field(default_factory=list)
    steps: int = 0

    def add(self, other: Counts, times: float = 1.0) -> None:
        for mine, theirs in (
            (self.loads, other.loads),
            (self.stores, other.stores),
            (self.flops, other.flops),
        ):
            for key, n in theirs.items():
                mine[key] += n * times  # type: ignore[index, assignment]
        self.assumptions += other.assumptions
        self.steps += other.steps

    @property
    def cost(self) -> float:
        return sum(self.loads.values()) + sum(self.stores.values()) + sum(self.flops.values())


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class ThreadCounter:
    """One use counts one thread."""

    def __init__(
        self,
        kernel: kir.Kernel,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        scalars: Mapping[str, int | float],
    ) -> None:
        self._kernel = kernel
        self._grid, self._block = grid, block
        self._values: dict[kir.Variable, Value] = {}
        self._builtins: dict[tuple[str, str], int] = {}
        self._counts = Counts()
        for parameter in kernel.parameters:
            pointer = isinstance(parameter.type, kir.Pointer)
            self._values[parameter] = Address(parameter) if pointer else scalars.get(parameter.name)

    def count(self, thread: int) -> Counts:
        """Counts of the thread with this number, blocks outermost, x fastest."""
        block, within = divmod(thread, math.prod(self._block))
        for name, index, extent in (("blockIdx", block, self._grid), ("threadIdx", within, self._block)):
            for axis, size in zip("xyz", extent, strict=True):
                index, self._builtins[name, axis] = divmod(index, size)
        for name, extent in (("blockDim", self._block), ("gridDim", self._grid)):
            self._builtins |= {(name, axis): size for axis, size in zip("xyz", extent, strict=True)}
        self._builtins["warpSize", ""] = WARP_SIZE
        with contextlib.suppress(_Return):
            self._block_of(self._kernel.body)
        return self._counts

    # --- statements ---

    def _block_of(self, body: tuple[kir.Stmt, ...]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: kir.Stmt) -> None:
        self._counts.steps += 1
        match statement:
            case kir.Declare(variable, value):
                self._values[variable] = None if value is None else self._evaluate(value)
            case kir.Assign(target, value):
                self._assign(target, self._evaluate(value))
            case kir.Evaluate(call):
                self._evaluate(call)
            case kir.If():
                self._if(statement)
            case kir.For():
                self._for(statement)
            case kir.While():
                self._while(statement)
            case kir.Break():
                raise _Break
            case kir.Continue():
                raise _Continue
            case kir.Return(value):
                raise _Return(None if value is None else self._evaluate(value))
            case kir.Barrier():
                pass

    def _assign(self, target: kir.Lvalue, value: Value) -> None:
        if isinstance(target, kir.VarRef):
            self._values[target.variable] = value
            return
        self._evaluate_address(target)
        if (root := self._global_root(target)) is not None:
            self._counts.stores[root] += size_bytes(target.type)

    def _if(self, statement: kir.If) -> None:
        condition = self._evaluate(statement.condition)
        if isinstance(condition, (int, float)):
            self._block_of(statement.then if condition else statement.otherwise)
            return
        self._assume(statement, "a branch depends on data: its cheaper side is counted")
        sides = [self._apart(side) for side in (statement.then, statement.otherwise)]
        self._counts.add(min(sides, key=lambda counts: counts.cost))
        self._forget((*statement.then, *statement.otherwise))

    def _apart(self, body: tuple[kir.Stmt, ...]) -> Counts:
        """What `body` would add, with counts and values as they were afterwards."""
        counts, values = self._counts, dict(self._values)
        self._counts = Counts()
        # Leaving early is one of the ways the branch can go.
        with contextlib.suppress(_Break, _Continue, _Return):
            self._block_of(body)
        apart, self._counts, self._values = self._counts, counts, values
        return apart

    def _for(self, loop: kir.For) -> None:
        self._block_of(loop.init)
        if self._is_counted(loop):
            self._counted_loop(loop)
        else:
            self._plain_loop(loop, loop.condition, loop.body, loop.step, first=True)

    def _while(self, loop: kir.While) -> None:
        self._plain_loop(loop, loop.condition, loop.body, (), first=not loop.do_while)

    def _is_counted(self, loop: kir.For) -> bool:
        """Whether the header alone says how often the body runs."""
        leaves = any(isinstance(s, (kir.Break, kir.Return)) for s in kir_walk.statements(loop.body))
        condition = (e.variable for e in kir_walk.subexpressions(loop.condition) if isinstance(e, kir.VarRef))
        header = {*condition, *kir_walk.variables(loop.step)}
        return not leaves and not header & _assigned(loop.body)

    def _counted_loop(self, loop: kir.For) -> None:
        states = self._header_states(loop)
        if states is None:
            self._plain_loop(loop, loop.condition, loop.body, loop.step, first=True)
            return
        final = dict(self._values)
        chosen = _spread(len(states), _EXACT_ITERATIONS)
        counts, self._counts = self._counts, Counts()
        for index in chosen:
            self._values.update(states[index])
            self._body(loop.body)
        counts.add(self._counts, len(states) / len(chosen) if chosen else 0.0)
        self._counts = counts
        header = set(states[0]) if states else set()
        self._values.update({variable: final[variable] for variable in header})
        if len(chosen) < len(states):
            self._forget(loop.body)

    def _header_states(self, loop: kir.For) -> list[dict[kir.Variable, Value]] | None:
        """The header's variables at the start of each iteration; None when the condition is unknown."""
        stepped = _assigned(loop.step)
        states: list[dict[kir.Variable, Value]] = []
        counts, self._counts = self._counts, Counts()  # a header's own loads would be counted with the body
        try:
            while len(states) < _MOST_ITERATIONS:
                condition = self._evaluate(loop.condition)
                if not isinstance(condition, (int, float)):
                    return None
                if not condition:
                    return states
                states.append({variable: self._values.get(variable) for variable in stepped})
                self._block_of(loop.step)
        finally:
            self._counts = counts
            counts.steps += len(states)
        self._assume(loop, f"a loop is counted for {_MOST_ITERATIONS} iterations only")
        return states

    def _plain_loop(
        self,
        loop: kir.For | kir.While,
        condition: kir.Expr,
        body: tuple[kir.Stmt, ...],
        step: tuple[kir.Stmt, ...],
        *,
        first: bool,
    ) -> None:
        for iteration in range(_MOST_ITERATIONS):
            known = self._evaluate(condition) if iteration or first else True
            if not isinstance(known, (int, float)):
                self._unknown_loop(loop, body, ran=iteration > 0)
                return
            if not known:
                return
            try:
                self._body(body)
            except _Break:
                return
            self._block_of(step)
        self._assume(loop, f"a loop is counted for {_MOST_ITERATIONS} iterations only")

    def _unknown_loop(self, loop: kir.For | kir.While, body: tuple[kir.Stmt, ...], *, ran: bool) -> None:
        self._assume(loop, "a loop's length depends on data: one iteration is counted")
        self._forget(body)
        if not ran:
            self._counts.add(self._apart(body))

    def _body(self, body: tuple[kir.Stmt, ...]) -> None:
        with contextlib.suppress(_Continue):
            self._block_of(body)

    def _forget(self, body: tuple[kir.Stmt, ...]) -> None:
        for variable in _assigned(body):
            if not isinstance(variable.type, kir.Pointer):
                self._values[variable] = None

    def _assume(self, statement: kir.Stmt, what: str) -> None:
        self._counts.assumptions.append(f"line {statement.span.line}: {what}")

    # --- expressions ---

    def _evaluate(self, expr: kir.Expr) -> Value:
        match expr:
            case kir.Const(value):
                return value
            case kir.VarRef(variable):
                return self._variable(variable)
            case kir.Builtin(name, axis):
                return self._builtins.get((name, axis))
            case kir.Index() | kir.Member():
                return self._load(expr)
            case kir.AddressOf(lvalue):
                self._evaluate_address(lvalue)
                root = self._global_root(lvalue)
                return Address(root) if root else None
            case kir.Binary():
                return self._binary(expr)
            case kir.Unary(op, operand):
                return unary(op, self._evaluate(operand))
            case kir.Cast(operand, type_):
                return convert(self._evaluate(operand), type_)
            case kir.Bitcast(operand):
                self._evaluate(operand)
                return None
            case kir.Select():
                return self._select(expr)
            case kir.MakeVector(elements):
                for element in elements:
                    self._evaluate(element)
                return None
            case kir.Call():
                return self._call(expr)
            case kir.CallFunction():
                return self._call_function(expr)

    def _variable(self, variable: kir.Variable) -> Value:
        if variable.storage in (kir.Storage.GLOBAL, kir.Storage.CONSTANT):
            self._counts.loads[variable] += size_bytes(variable.type)
            return None
        return self._values.get(variable)

    def _load(self, expr: kir.Index | kir.Member) -> Value:
        self._evaluate_address(expr)
        if (root := self._global_root(expr)) is not None:
            self._counts.loads[root] += size_bytes(expr.type)
        return None

    def _evaluate_address(self, place: kir.Expr) -> None:
        """Index expressions on the way to a place may load, too (`x[index[i]]`)."""
        while isinstance(place, (kir.Index, kir.Member)):
            if isinstance(place, kir.Index):
                self._evaluate(place.index)
            place = place.base

    def _global_root(self, place: kir.Expr) -> kir.Variable | None:
        while isinstance(place, (kir.Index, kir.Member)):
            place = place.base
        if isinstance(place, kir.VarRef) and place.variable.storage in (
            kir.Storage.GLOBAL,
            kir.Storage.CONSTANT,
        ):
            return place.variable
        if isinstance(place, kir.VarRef) and isinstance(place.type, (kir.Array, kir.Struct, kir.Vector)):
            return None
        value = self._pointer(place)
        return value.root if isinstance(value, Address) else None

    def _pointer(self, expr: kir.Expr) -> Value:
        """The provenance of a pointer expression, without counting it a second time."""
        counts, self._counts = self._counts, Counts()
        try:
            return self._evaluate(expr)
        finally:
            self._counts = counts

    def _binary(self, expr: kir.Binary) -> Value:
        left = self._evaluate(expr.left)
        if expr.op in ("&&", "||") and isinstance(left, (int, float)) and bool(left) == (expr.op == "||"):
            return expr.op == "||"
        right = self._evaluate(expr.right)
        if isinstance(left, Address) or isinstance(right, Address):
            pointer = left if isinstance(left, Address) else right
            return pointer if isinstance(expr.type, kir.Pointer) else None
        self._flop(expr.type)
        if left is None or right is None:
            return None
        return arithmetic(expr.op, left, right, expr.type)

    def _flop(self, type_: kir.Type) -> None:
        if (dtype := dtype_of(type_)) is not None:
            self._counts.flops[dtype] += 1

    def _select(self, expr: kir.Select) -> Value:
        condition = self._evaluate(expr.condition)
        if isinstance(condition, (int, float)):
            return self._evaluate(expr.if_true if condition else expr.if_false)
        values = self._evaluate(expr.if_true), self._evaluate(expr.if_false)
        return values[0] if values[0] == values[1] else None

    def _call(self, call: kir.Call) -> Value:
        values = [self._evaluate(argument) for argument in call.arguments]
        if call.name.startswith(_ATOMICS) and isinstance(values[0], Address):
            bytes_ = size_bytes(call.type)
            self._counts.loads[values[0].root] += bytes_
            self._counts.stores[values[0].root] += bytes_
        if not call.name.startswith(_PURE_PREFIXES):
            self._flop(call.type)
        if call.name == "fma":
            self._flop(call.type)
        known = [value for value in values if isinstance(value, (int, float))]
        if len(known) == len(values) == 2 and call.name in ("min", "max", "fmin", "fmax"):
            return min(known) if "min" in call.name else max(known)
        return None

    def _call_function(self, call: kir.CallFunction) -> Value:
        function = self._kernel.functions[call.function]
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            self._values[parameter] = self._evaluate(argument)
        try:
            self._block_of(function.body)
        except _Return as returned:
            return returned.value
        return None


def _spread(n: int, most: int) -> list[int]:
    return list(range(n)) if n <= most else [i * n // most for i in range(most)]


def _assigned(body: tuple[kir.Stmt, ...]) -> set[kir.Variable]:
    found = set()
    for statement in kir_walk.statements(body):
        if isinstance(statement, kir.Declare):
            found.add(statement.variable)
        elif isinstance(statement, kir.Assign) and isinstance(statement.target, kir.VarRef):
            found.add(statement.target.variable)
    return found
