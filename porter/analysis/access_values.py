"""What the expressions of a kernel are in all threads of one block, and the memory they access."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from porter.analysis import concrete
from porter.analysis.lane_arithmetic import binary, extent, extremum, position, unary
from porter.analysis.lane_values import (
    LaneValue,
    Symbol,
    Unknown,
    Value,
    chosen,
    constant,
    of_numbers,
    of_symbol,
    plus,
    scaled,
)
from porter.analysis.sizes import field_offset_bytes, size_bytes
from porter.analysis.thread_varying import thread_varying, varies
from porter.analysis.values import Mask
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.kir_printer import print_expression
from porter.cuda.kir_walk import operands
from porter.cuda.warp import WARP_SIZE

REGISTERS = (kir.Storage.LOCAL, kir.Storage.PARAMETER)
DATA = Unknown("it depends on data")


@dataclass(frozen=True)
class Address:
    """A pointer: `offset` bytes into what `root` points to (or is)."""

    root: kir.Variable
    offset: Value


@dataclass(frozen=True)
class RawAccess:
    """One execution of one access by the threads in `active`; `operation` is load, store or atomic."""

    operation: str
    root: kir.Variable
    type: kir.Type
    offset: Value
    active: Mask
    span: Span
    in_loop: bool
    conditional: bool


@dataclass(frozen=True)
class RawIndex:
    """One evaluation of an index into an array (not a pointer) by the threads in `active`."""

    place: kir.Index
    value: Value | Address
    active: Mask


@dataclass(frozen=True)
class LaunchShape:
    """What is known of a launch; `grid` is None and scalars are missing where they are not."""

    block: tuple[int, int, int]
    grid: tuple[int, int, int] | None = None
    scalars: Mapping[str, int] = field(default_factory=dict)


@dataclass
class AccessEvaluator(ABC):
    """The values of expressions in all threads of a block; notes the accesses that evaluating them makes.

    `lost` are the places whose accesses cannot be noted, since no buffer is known for them.
    """

    kernel: kir.Kernel
    shape: LaunchShape
    accesses: list[RawAccess] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    lost: list[Span] = field(default_factory=list)
    indices: list[RawIndex] = field(default_factory=list)
    _values: dict[kir.Variable, Value | Address] = field(default_factory=dict)
    _symbols: list[Symbol] = field(default_factory=list)
    _loops: int = 0
    _branches: int = 0
    _returned: list[Value | Address] = field(default_factory=list)
    _calling: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.threads = math.prod(self.shape.block)
        self._active: Mask = np.ones(self.threads, dtype=np.bool_)
        everything = (*self.kernel.body, *(s for f in self.kernel.functions.values() for s in f.body))
        self._varying = thread_varying(everything)
        for parameter in self.kernel.parameters:
            self._values[parameter] = self._parameter(parameter)

    @abstractmethod
    def _block(self, body: tuple[kir.Stmt, ...]) -> None:
        """Runs statements, for calls of device functions."""

    def _parameter(self, parameter: kir.Variable) -> Value | Address:
        if isinstance(parameter.type, kir.Pointer):
            return Address(parameter, self._constant(0))
        if parameter.name in self.shape.scalars:
            return self._constant(self.shape.scalars[parameter.name])
        return self.fresh(parameter.name)

    def _constant(self, value: int) -> LaneValue:
        return constant(value, self.threads)

    def fresh(self, name: str) -> LaneValue:
        symbol = Symbol(len(self._symbols), name)
        self._symbols.append(symbol)
        return of_symbol(symbol, self.threads)

    def _evaluate(self, expr: kir.Expr) -> Value | Address:
        match expr:
            case kir.Const(value):
                return self._constant(int(value)) if _is_integer(expr.type) else DATA
            case kir.Builtin():
                return self._builtin(expr)
            case kir.VarRef(variable) if variable.storage in REGISTERS:
                if isinstance(expr.type, kir.Array | kir.Struct | kir.Vector):
                    return DATA
                return self._values.get(variable, DATA)
            case kir.VarRef() | kir.Index() | kir.Member():
                return self._load(expr)
            case kir.AddressOf(lvalue):
                return self._address(lvalue)
            case kir.Cast():
                return self._cast(expr)
            case kir.Unary(_, operand):
                inner = self._evaluate(operand)
                return DATA if isinstance(inner, Address) else unary(expr, inner, self.fresh, _text(expr))
            case kir.Binary():
                return self._binary(expr)
            case kir.Select():
                return self._select(expr)
            case kir.CallFunction():
                return self._call_function(expr)
            case kir.Call():
                return self._call(expr)
            case _:
                for operand in operands(expr):
                    self._evaluate(operand)
                return DATA

    def _builtin(self, expr: kir.Builtin) -> Value:
        match expr.name:
            case "threadIdx":
                return position(self.shape.block, expr.axis)
            case "blockDim":
                return extent(self.shape.block, expr.axis, self.threads)
            case "gridDim" if self.shape.grid is not None:
                return extent(self.shape.grid, expr.axis, self.threads)
            case "warpSize":
                return self._constant(WARP_SIZE)
        name = f"{expr.name}.{expr.axis}"
        known = next((s for s in self._symbols if s.name == name), None)
        return of_symbol(known, self.threads) if known else self.fresh(name)

    def _cast(self, expr: kir.Cast) -> Value | Address:
        """Index arithmetic is taken to fit 32 bits and more; a narrower type wraps."""
        inner = self._evaluate(expr.operand)
        if _is_integer(expr.operand.type) != _is_integer(expr.type):
            return DATA
        if not isinstance(inner, LaneValue) or not _narrows(expr):
            return inner
        if inner.is_known:
            return of_numbers(concrete.wrap(inner.numbers, expr.type))
        if inner.is_uniform:
            return self.fresh(_text(expr))
        return Unknown(f"`{_text(expr)}` keeps only some bits", expr.span)

    def _binary(self, expr: kir.Binary) -> Value | Address:
        left = self._evaluate(expr.left)
        if expr.op in ("&&", "||"):
            decided = _truth(left)
            going_on = None if decided is None else decided if expr.op == "&&" else ~decided
            right = self._some(expr.right, going_on)
            if right is None:
                return left
        else:
            right = self._evaluate(expr.right)
        if (
            isinstance(left, Address)
            and isinstance(expr.type, kir.Pointer)
            and not isinstance(right, Address)
        ):
            moved = _scale(right, size_bytes(expr.type.pointee) * (-1 if expr.op == "-" else 1))
            return Address(left.root, moved_by(left.offset, moved))
        if isinstance(left, Address) or isinstance(right, Address):
            return DATA
        if not (_is_integer(expr.left.type) and _is_integer(expr.right.type)):
            return DATA
        return binary(expr, left, right, self.fresh, _text(expr))

    def _select(self, expr: kir.Select) -> Value | Address:
        truth = _truth(self._evaluate(expr.condition))
        a = self._some(expr.if_true, truth)
        b = self._some(expr.if_false, None if truth is None else ~truth)
        if a is None or b is None:
            return b if a is None and b is not None else a if a is not None else DATA
        if truth is not None and isinstance(a, LaneValue) and isinstance(b, LaneValue):
            return chosen(truth, a, b)
        if _is_integer(expr.type) and not varies(expr, self._varying):
            return self.fresh(_text(expr))
        return Unknown(f"`{_text(expr)}` chooses by what is not known", expr.span)

    def _some(self, expr: kir.Expr, threads: Mask | None) -> Value | Address | None:
        """The value of an operand that only some threads evaluate (None: it is not known which); None where
        it is certain that no thread does."""
        active = self._active
        if threads is not None:
            self._active = active & threads
            if not self._active.any():
                self._active = active
                return None
        with self._conditional(threads is None):
            value = self._evaluate(expr)
        self._active = active
        return value

    @contextmanager
    def _conditional(self, yes: bool) -> Iterator[None]:
        self._branches += yes
        try:
            yield
        finally:
            self._branches -= yes

    def _call(self, call: kir.Call) -> Value | Address:
        if call.name.startswith("atomic"):
            target = self._evaluate(call.arguments[0])
            if isinstance(target, Address):
                self._note("atomic", target, call.type, call.span)
            else:
                self.lost.append(call.span)
        values = [self._evaluate(argument) for argument in call.arguments[call.name.startswith("atomic") :]]
        if call.name in ("min", "max") and all(isinstance(v, LaneValue) for v in values):
            left, right = (v for v in values if isinstance(v, LaneValue))
            result, assumed = extremum(call, left, right)
            if assumed:
                self.assumptions.append(f"line {call.span.line}: away from the bound of `{_text(call)}`")
            if result is not None:
                return result
        if _is_integer(call.type) and not varies(call, self._varying):
            return self.fresh(_text(call))
        return Unknown(f"`{_text(call)}` is not followed", call.span)

    def _call_function(self, call: kir.CallFunction) -> Value | Address:
        function = self.kernel.functions[call.function]
        arguments = [self._evaluate(argument) for argument in call.arguments]
        if len(arguments) != len(function.parameters) or function.name in self._calling:
            self.lost.append(call.span)
            return Unknown(f"`{function.name}` is not followed", call.span)
        self._values.update(zip(function.parameters, arguments, strict=True))
        self._calling.append(function.name)
        outer, returned = self._active, self._returned
        self._returned = []
        with self._conditional(_returns_early(function)):
            self._block(function.body)
        self._calling.pop()
        results, self._returned, self._active = self._returned, returned, outer
        if len(results) == 1:
            return results[0]
        return Unknown(f"`{function.name}` returns in several places", call.span)

    # --- memory ---

    def _load(self, expr: kir.VarRef | kir.Index | kir.Member) -> Value | Address:
        address = self._access("load", expr)
        if not _is_integer(expr.type):
            return DATA
        if (
            isinstance(address, Address)
            and isinstance(address.offset, LaneValue)
            and address.offset.is_uniform
        ):
            return self.fresh(_text(expr))
        return Unknown(f"`{_text(expr)}` is loaded from memory", expr.span)

    def _access(self, operation: str, lvalue: kir.Expr) -> Address | None:
        address = self._address(lvalue)
        if isinstance(address, Address):
            self._note(operation, address, lvalue.type, lvalue.span)
            return address
        self.lost.append(lvalue.span)
        return None

    def _note(self, operation: str, address: Address, type_: kir.Type, span: Span) -> None:
        if address.root.storage in REGISTERS and not isinstance(address.root.type, kir.Pointer):
            return
        self.accesses.append(
            RawAccess(
                operation, address.root, type_, address.offset, self._active, span,
                self._loops > 0, self._branches > 0,
            )
        )  # fmt: skip

    def _address(self, lvalue: kir.Expr) -> Value | Address:
        match lvalue:
            case kir.VarRef(variable):
                return Address(variable, self._constant(0))
            case kir.Member(base, name) if isinstance(base.type, kir.Struct | kir.Vector):
                inner = self._address(base)
                if not isinstance(inner, Address):
                    return inner
                moved = self._constant(field_offset_bytes(base.type, name))
                return replace(inner, offset=moved_by(inner.offset, moved))
            case kir.Index(base, index):
                is_pointer = isinstance(base.type, kir.Pointer)
                array = self._evaluate(base) if is_pointer else self._address(base)
                at = self._evaluate(index)
                if not is_pointer:
                    self.indices.append(RawIndex(lvalue, at, self._active))
                distance = _scale(at, size_bytes(lvalue.type))
                if not isinstance(array, Address):
                    return Unknown("a pointer that is not known", lvalue.span)
                return replace(array, offset=moved_by(array.offset, distance))
            case _:
                return Unknown("an address that is not followed", lvalue.span)


def _truth(value: Value | Address) -> Mask | None:
    """Which threads have a condition as true; None where that is not known."""
    return value.numbers != 0 if isinstance(value, LaneValue) and value.is_known else None


def _returns_early(function: kir.Function) -> bool:
    """Whether statements of a function may be skipped by a return before its last statement."""
    return any(isinstance(node, kir.Return) for node in walk(function.body[:-1])) or any(
        isinstance(node, kir.Return) for node in walk(function.body[-1:]) if node is not function.body[-1]
    )


def _narrows(cast: kir.Cast) -> bool:
    to, given = cast.type, cast.operand.type
    if not isinstance(to, kir.Scalar) or not isinstance(given, kir.Scalar):
        return False
    return to.bits < min(given.bits, 32) or (to.kind == "bool" and given.kind != "bool")


def _text(expr: kir.Expr) -> str:
    return print_expression(expr)


def _is_integer(type_: kir.Type) -> bool:
    return isinstance(type_, kir.Pointer) or (
        isinstance(type_, kir.Scalar) and type_.kind in ("int", "uint", "bool")
    )


def _scale(value: Value | Address, factor: int) -> Value:
    if isinstance(value, Address):
        return Unknown("a pointer as an index")
    return value if isinstance(value, Unknown) else scaled(value, factor)


def moved_by(a: Value | Address, b: Value) -> Value:
    if isinstance(a, Address):
        return Unknown("a pointer as a number")
    if isinstance(a, Unknown):
        return a
    return b if isinstance(b, Unknown) else plus(a, b)
