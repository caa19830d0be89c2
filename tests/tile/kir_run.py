"""Runs kernel IR thread by thread, raised idioms included: the oracle of the raising tests.

Every thread is a generator that stops at barriers and collectives; nothing is shared with the passes under
test or with their symbolic execution. A read of shared memory that nobody wrote, or of an element outside
its buffer, is an error. Buffers of pointer parameters are made up on first use, the same for the same name.
"""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Any

import numpy as np

from porter.cuda.kir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Break,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Pointer,
    Return,
    Scalar,
    Select,
    Storage,
    Type,
    Unary,
    Variable,
    VarRef,
    While,
)
from porter.tile.idioms import (
    CountBins,
    DeclareBins,
    Dot,
    ForEachBin,
    GroupBroadcast,
    GroupReduce,
    GroupScan,
    Op,
    identity,
)

ELEMENTS = 1 << 12
SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)
_COLLECTIVES = ("__shfl", "__ballot", "__any", "__all", "__reduce")
Steps = Generator[tuple[Any, ...], Any, Any]


@dataclass
class Memory:
    """Global buffers by variable name."""

    integers: dict[str, int] = field(default_factory=dict)
    buffers: dict[str, list[Any]] = field(default_factory=dict)

    def buffer(self, variable: Variable) -> list[Any]:
        if variable.name not in self.buffers:
            assert isinstance(variable.type, Pointer | Array)
            type_ = variable.type.pointee if isinstance(variable.type, Pointer) else variable.type.element
            self.buffers[variable.name] = list(_samples(variable.name, type_))
        return self.buffers[variable.name]


@cache
def _samples(name: str, type_: Type) -> tuple[Any, ...]:
    random = np.random.default_rng(zlib.crc32(name.encode()))
    return tuple(_sample(type_, random) for _ in range(ELEMENTS))


def _sample(type_: Type, random: np.random.Generator) -> Any:
    if not isinstance(type_, Scalar):
        return {name: _sample(Scalar("float", 32), random) for name in "xyzw"}
    if type_.kind in ("float", "bfloat"):
        return float(np.float32(random.integers(-8, 9)) / 4)
    return int(random.integers(0, 16))


def run(kernel: Kernel, block: tuple[int, int, int], grid: int = 1, **integers: int) -> dict[str, list[Any]]:
    """Every global buffer after the launch; scalar parameters that are not given are 5."""
    memory = Memory(dict(integers))
    for number in range(grid):
        _Block(kernel, block, (number, 0, 0), grid, memory).run()
    return memory.buffers


def check_same(
    before: Kernel, after: Kernel, block: tuple[int, int, int], grid: int = 1, **given: int
) -> None:
    """Both kernels leave the same numbers in every buffer (floats but for the order of additions)."""
    expected, actual = run(before, block, **given), run(after, block, **given)
    for name, values in expected.items():
        if name not in actual or values == actual[name]:
            continue
        for at, (a, b) in enumerate(zip(values, actual[name], strict=True)):
            same = a == b or (isinstance(a, float) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9))
            assert same, f"{name}[{at}]: {a} became {b}"


@dataclass
class _Block:
    kernel: Kernel
    size: tuple[int, int, int]
    index: tuple[int, int, int]
    grid: int
    memory: Memory
    shared: dict[Variable, dict[int, Any]] = field(default_factory=lambda: defaultdict(dict))
    bins: dict[Variable, list[int]] = field(default_factory=dict)

    def run(self) -> None:
        live = {t: _Thread(self, t).body(self.kernel.body) for t in range(math.prod(self.size))}
        answers: dict[int, Any] = dict.fromkeys(live)
        waiting: dict[int, tuple[Any, ...]] = {}
        while live:
            for t, answer in answers.items():
                waiting.pop(t, None)
                try:
                    waiting[t] = live[t].send(answer)
                except (StopIteration, _Left):
                    del live[t]
            answers = self._serve(waiting)

    def _serve(self, waiting: dict[int, tuple[Any, ...]]) -> dict[int, Any]:
        """Lets the threads go on that can: collectives first, a barrier once every thread is at one."""
        groups: dict[Any, dict[int, tuple[Any, ...]]] = defaultdict(dict)
        for t, request in waiting.items():
            if request[0] != "barrier":
                groups[_where(request, t)][t] = request
        if not groups:
            return dict.fromkeys(waiting)
        answers: dict[int, Any] = {}
        for members in groups.values():
            answers |= _collective(members)
        return answers


def _where(request: tuple[Any, ...], thread: int) -> Any:
    node = request[1]
    if isinstance(node, Call):
        return (id(node), thread // 32)
    group = getattr(node, "group", None)
    return (id(node), thread // group if group else 0)


def _collective(members: dict[int, tuple[Any, ...]]) -> dict[int, Any]:
    first = next(iter(members.values()))
    node = first[1]
    values = {t: request[2] for t, request in members.items()}
    match node:
        case GroupReduce(op=op, element=element):
            total = _fold(op, [v for v in values.values() if v is not None], element)
            return dict.fromkeys(members, total)
        case GroupScan(op=op, element=element, inclusive=inclusive):
            given = {t: v for t, v in values.items() if v is not None}
            return {
                t: _fold(op, [v for u, v in given.items() if u < t + inclusive], element) for t in members
            }
        case GroupBroadcast(group=group, lane=lane):
            start = min(members) - min(members) % group if group else 0
            return dict.fromkeys(members, values.get(start + lane))
        case ForEachBin():
            for value in values.values():
                value()
                break
            return dict.fromkeys(members)
        case Call():
            return _warp_call(node, {t: request[2:] for t, request in members.items()})
    raise AssertionError(node)


def _fold(op: Op, values: list[Any], element: Scalar) -> Any:
    return reduce(lambda a, b: binary_value(op.value, a, b, element), values, identity(op, element))


def _warp_call(node: Call, members: dict[int, tuple[Any, ...]]) -> dict[int, Any]:
    if node.name.startswith("__shfl"):
        return {t: _shuffled(node.name, t, members) for t in members}
    values = {t: m[0] for t, m in members.items()}
    if node.name == "__ballot_sync":
        return dict.fromkeys(members, sum(1 << (t % 32) for t, v in values.items() if v))
    if node.name in ("__any_sync", "__all_sync"):
        return dict.fromkeys(members, (any if node.name == "__any_sync" else all)(values.values()))
    assert node.name == "__reduce_add_sync", node.name
    return dict.fromkeys(members, sum(values.values()))


def _shuffled(name: str, t: int, members: dict[int, tuple[Any, ...]]) -> Any:
    _, delta, width = members[t]
    lane = t % 32
    segment = lane - lane % width
    source = {
        "__shfl_down_sync": lane + delta if lane + delta < segment + width else lane,
        "__shfl_up_sync": lane - delta if lane - delta >= segment else lane,
        "__shfl_xor_sync": lane ^ delta if lane ^ delta < segment + width else lane,
        "__shfl_sync": segment + delta % width,
    }[name]
    return members[t - lane + source][0] if t - lane + source in members else math.nan


class _Left(Exception):
    pass


class _LoopExit(Exception):
    def __init__(self, *, again: bool) -> None:
        self.again = again


@dataclass
class _Thread:
    block: _Block
    number: int
    locals: dict[Variable, Any] = field(default_factory=dict)

    def body(self, block: Iterable[Any]) -> Steps:
        for stmt in block:
            yield from self.statement(stmt)

    def statement(self, stmt: Any) -> Steps:
        match stmt:
            case Declare(variable=variable, value=value):
                if value is not None:
                    self.locals[variable] = yield from self.value(value)
                elif isinstance(variable.type, Array) and variable.storage is Storage.LOCAL:
                    self.locals[variable] = {}, 0
            case Assign(target=target, value=value):
                result = yield from self.value(value)
                self.store(target, result)
            case Evaluate(call=call):
                yield from self.value(call)
            case If(condition=condition, then=then, otherwise=otherwise):
                yield from self.body(then if self.pure(condition) else otherwise)
            case For() | While():
                yield from self.loop(stmt)
            case Break():
                raise _LoopExit(again=False)
            case Continue():
                raise _LoopExit(again=True)
            case Return():
                raise _Left
            case Barrier(scope=scope):
                if scope == "block":
                    yield ("barrier", stmt)
            case _:
                yield from self.raised(stmt)

    def loop(self, stmt: Any) -> Steps:
        yield from self.body(getattr(stmt, "init", ()))
        while self.pure(stmt.condition):
            try:
                yield from self.body(stmt.body)
            except _LoopExit as exit_:
                if not exit_.again:
                    return
            yield from self.body(getattr(stmt, "step", ()))

    def raised(self, node: Any) -> Steps:
        match node:
            case GroupReduce() | GroupScan() | GroupBroadcast():
                valid = getattr(node, "valid", None)
                takes_part = valid is None or self.pure(valid)
                value = self.pure(node.value) if takes_part else None
                self.locals[node.target] = yield ("collective", node, value)
            case Dot():
                for k in range(node.extent):
                    self.locals[node.k] = k
                    product = binary_value("*", self.pure(node.left), self.pure(node.right), node.element)
                    self.locals[node.target] = binary_value(
                        "+", self.locals[node.target], product, node.element
                    )
            case DeclareBins(bins=bins):
                self.block.bins.setdefault(bins, [0] * bins.type.shape[0])
            case CountBins(bins=bins, index=index, valid=valid):
                if valid is None or self.pure(valid):
                    self.block.bins[bins][self.pure(index)] += 1
            case ForEachBin():
                yield ("collective", node, lambda: self.each_bin(node))

    def each_bin(self, node: ForEachBin) -> None:
        for number, count in enumerate(self.block.bins[node.bins]):
            self.locals[node.index], self.locals[node.count] = number, count
            for _ in self.body(node.body):
                raise AssertionError("a collective in the visit of a bin")

    # --- expressions ---------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Steps:
        """A right-hand side, which may be a collective or an atomic."""
        if isinstance(expr, Call) and expr.name.startswith(
            ("__shfl", "__ballot", "__any", "__all", "__reduce")
        ):
            rest = tuple(self.pure(a) for a in expr.arguments[1:])
            return (yield ("collective", expr, *rest))
        if isinstance(expr, Call) and expr.name == "atomicAdd":
            buffer, offset = self.pure(expr.arguments[0])
            old = buffer[offset]
            buffer[offset] = binary_value("+", old, self.pure(expr.arguments[1]), expr.type)
            return old
        if isinstance(expr, CallFunction):
            return (yield from self.called(expr))
        return self.pure(expr)

    def called(self, expr: CallFunction) -> Steps:
        function = self.block.kernel.functions[expr.function]
        saved = dict(self.locals)
        for parameter, argument in zip(function.parameters, expr.arguments, strict=True):
            self.locals[parameter] = self.pure(argument)
        result = None
        for stmt in function.body:
            if isinstance(stmt, Return):
                result = self.pure(stmt.value) if stmt.value is not None else None
                break
            yield from self.statement(stmt)
        self.locals = saved
        return result

    def pure(self, expr: Expr | None) -> Any:
        match expr:
            case Const(value=value):
                return value
            case VarRef(variable=variable):
                return self.variable(variable)
            case Builtin():
                return self.builtin(expr)
            case Unary(op=op, operand=operand):
                value = self.pure(operand)
                return wrapped(
                    {"-": lambda: -value, "!": lambda: not value, "~": lambda: ~value}[op](), expr.type
                )
            case Binary(op="&&", left=left, right=right):
                return bool(self.pure(left)) and bool(self.pure(right))
            case Binary(op="||", left=left, right=right):
                return bool(self.pure(left)) or bool(self.pure(right))
            case Binary(op="+", left=left, right=right) if isinstance(expr.type, Pointer):
                buffer, offset = self.pure(left)
                return buffer, offset + self.pure(right)
            case Binary(op=op, left=left, right=right):
                return binary_value(op, self.pure(left), self.pure(right), expr.type)
            case Cast(operand=operand):
                value = self.pure(operand)
                return value if isinstance(expr.type, Pointer) else wrapped(value, expr.type)
            case Select(condition=condition, if_true=if_true, if_false=if_false):
                return self.pure(if_true if self.pure(condition) else if_false)
            case Index() | AddressOf():
                return self.address_or_load(expr)
            case Member(base=base, field=name):
                return self.pure(base)[name]
            case MakeVector(elements=elements):
                return dict(zip("xyzw", (self.pure(e) for e in elements), strict=False))
            case Call(name=name, arguments=arguments):
                return intrinsic(name, [self.pure(a) for a in arguments], expr.type)
            case CallFunction():
                steps = self.called(expr)
                try:
                    next(steps)
                except StopIteration as done:
                    return done.value
        raise AssertionError(f"no value for {expr}")

    def address_or_load(self, expr: Index | AddressOf) -> Any:
        if isinstance(expr, AddressOf):
            return self.place(expr.lvalue)
        buffer, offset = self.place(expr)
        return buffer[offset]

    def variable(self, variable: Variable) -> Any:
        if variable in self.locals:
            return self.locals[variable]
        if variable.storage in SHARED and not isinstance(variable.type, Array):
            return self.block.shared[variable][0]
        if variable.storage in SHARED:
            return self.block.shared[variable], 0
        if isinstance(variable.type, Pointer | Array):
            return self.block.memory.buffer(variable), 0
        assert variable.storage is Storage.PARAMETER, f"{variable} has no value"
        return self.block.memory.integers.get(variable.name, 5)

    def builtin(self, expr: Builtin) -> int:
        x, y, _ = self.block.size
        axis = "xyz".index(expr.axis) if expr.axis else 0
        position = (self.number % x, self.number // x % y, self.number // (x * y))
        return {
            "threadIdx": position[axis],
            "blockIdx": self.block.index[axis],
            "blockDim": self.block.size[axis],
            "gridDim": (self.block.grid, 1, 1)[axis],
            "warpSize": 32,
        }[expr.name]

    def place(self, lvalue: Expr) -> tuple[Any, int]:
        """The memory and the element that an lvalue stands for."""
        match lvalue:
            case VarRef(variable=variable) if variable.storage in SHARED:
                return self.block.shared[variable], 0
            case VarRef():
                buffer, offset = self.pure(lvalue)
                return buffer, offset
            case Index(base=base, index=index):
                pointer = self.pure(base) if isinstance(base.type, Pointer) else self.place(base)
                offset = pointer[1] + self.pure(index) * _elements(lvalue.type)
                assert offset >= 0, f"an index below zero at {lvalue.span}"
                return pointer[0], offset
        raise AssertionError(f"no place for {lvalue}")

    def store(self, target: Expr, value: Any) -> None:
        if isinstance(target, VarRef) and target.variable.storage not in SHARED:
            self.locals[target.variable] = value
        elif isinstance(target, Member):
            assert isinstance(target.base, VarRef)
            base = target.base.variable
            self.locals[base] = {**self.locals[base], target.field: value}
        else:
            buffer, offset = self.place(target)
            buffer[offset] = value


def _elements(type_: Type) -> int:
    return math.prod(type_.shape) * _elements(type_.element) if isinstance(type_, Array) else 1


def wrapped(value: Any, type_: Type) -> Any:
    if not isinstance(type_, Scalar):
        return value
    if type_.kind == "bool":
        return bool(value)
    if type_.kind in ("float", "bfloat"):
        return float(value)
    low = int(value) & ((1 << type_.bits) - 1)
    return low - (1 << type_.bits) if type_.kind == "int" and low >> (type_.bits - 1) else low


_OPERATORS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&": lambda a, b: int(a) & int(b),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "min": min,
    "max": max,
}


def binary_value(op: str, a: Any, b: Any, type_: Type) -> Any:
    if op in ("/", "%"):
        return wrapped(_divided(op, a, b), type_)
    return wrapped(_OPERATORS[op](a, b), type_)


def _divided(op: str, a: Any, b: Any) -> Any:
    if isinstance(a, float) or isinstance(b, float):
        return a / b if op == "/" else math.fmod(a, b)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if op == "/" else a - quotient * b


def intrinsic(name: str, arguments: list[Any], type_: Type) -> Any:
    if name in ("fmax", "max"):
        return max(arguments)
    if name in ("fmin", "min"):
        return min(arguments)
    if name == "__popc":
        return int(arguments[0]).bit_count()
    if name == "fma":
        return arguments[0] * arguments[1] + arguments[2]
    table = {"exp": math.exp, "fabs": abs, "abs": abs, "rsqrt": lambda x: 1 / math.sqrt(x), "sqrt": math.sqrt}
    table["rint"] = lambda x: float(round(x))
    return wrapped(table[name](*arguments), type_)
