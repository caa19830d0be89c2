"""Integer ranges of expressions: enough to know that an index is not negative and fits 32 bits.

Assumes that a launch has fewer than 2^31 threads along each axis, so that
`blockIdx * blockDim + threadIdx` fits a signed 32-bit integer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.cuda import kir
from porter.cuda.warp import WARP_SIZE

INT32_MAX = (1 << 31) - 1


@dataclass(frozen=True)
class Interval:
    """All values from `low` to `high`, both included."""

    low: int
    high: int

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def join(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))


@dataclass
class Ranges:
    """`definitions` are variables with one value; `known` intervals found otherwise (loop variables)."""

    block: tuple[int, int, int]
    definitions: Mapping[kir.Variable, kir.Expr]
    known: dict[kir.Variable, Interval] = field(default_factory=dict)
    _busy: set[kir.Variable] = field(default_factory=set)

    def of(self, expr: kir.Expr) -> Interval:
        """The interval of an integer expression; its type's whole range when nothing better is known."""
        whole = type_interval(expr.type)
        found = self._compute(expr)
        if found is None:
            return whole
        return found if found.within(whole.low, whole.high) else whole

    def _compute(self, expr: kir.Expr) -> Interval | None:
        match expr:
            case kir.Const(value) if isinstance(value, int):
                return Interval(int(value), int(value))
            case kir.Builtin():
                return builtin_interval(expr, self.block)
            case kir.VarRef(variable):
                return self._variable(variable)
            case kir.Cast(operand) if is_integer(operand.type):
                return self.of(operand)
            case kir.Binary(op, left, right):
                if _is_global_index(expr):
                    return Interval(0, INT32_MAX)
                if is_integer(left.type) and is_integer(right.type):
                    return binary_interval(op, self.of(left), self.of(right))
                return None
            case kir.Select(_, if_true, if_false):
                return self.of(if_true).join(self.of(if_false)) if is_integer(expr.type) else None
            case kir.Call("min" | "max" as name, (left, right)) if is_integer(expr.type):
                pick = min if name == "min" else max
                a, b = self.of(left), self.of(right)
                return Interval(pick(a.low, b.low), pick(a.high, b.high))
            case _:
                return None

    def _variable(self, variable: kir.Variable) -> Interval | None:
        if variable in self.known:
            return self.known[variable]
        definition = self.definitions.get(variable)
        if definition is None or variable in self._busy or not is_integer(definition.type):
            return None
        self._busy.add(variable)
        try:
            return self.of(definition)
        finally:
            self._busy.discard(variable)


def is_integer(type_: kir.Type) -> bool:
    return isinstance(type_, kir.Scalar) and type_.kind in ("int", "uint", "bool")


def type_interval(type_: kir.Type) -> Interval:
    if not isinstance(type_, kir.Scalar) or type_.kind == "bool":
        return Interval(0, 1)
    if type_.kind == "uint":
        return Interval(0, (1 << type_.bits) - 1)
    return Interval(-(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1)


def builtin_interval(builtin: kir.Builtin, block: tuple[int, int, int]) -> Interval:
    extent = dict(zip("xyz", block, strict=True)).get(builtin.axis, 1)
    match builtin.name:
        case "threadIdx":
            return Interval(0, extent - 1)
        case "blockDim":
            return Interval(extent, extent)
        case "blockIdx":
            return Interval(0, INT32_MAX - 1)
        case "gridDim":
            return Interval(1, INT32_MAX)
        case "warpSize":
            return Interval(WARP_SIZE, WARP_SIZE)
        case _:
            return Interval(0, max(block[0] * block[1] * block[2] - 1, 0))


def _is_global_index(expr: kir.Binary) -> bool:
    """`blockIdx.a * blockDim.a + threadIdx.a` or `gridDim.a * blockDim.a`, with casts in between."""
    if expr.op == "+":
        left, right = _strip(expr.left), _strip(expr.right)
        if isinstance(left, kir.Builtin):
            left, right = right, left
        return _is_thread(right) and isinstance(left, kir.Binary) and _is_block_start(left)
    return expr.op == "*" and _is_block_start(expr)


def _is_block_start(expr: kir.Binary) -> bool:
    names = {e.name for e in (_strip(expr.left), _strip(expr.right)) if isinstance(e, kir.Builtin)}
    if expr.op == "*" and names & {"blockIdx", "gridDim"}:
        other = [e for e in (_strip(expr.left), _strip(expr.right)) if not isinstance(e, kir.Builtin)]
        return "blockDim" in names or all(isinstance(e, kir.Const) for e in other)
    return False


def _is_thread(expr: kir.Expr) -> bool:
    return isinstance(expr, kir.Builtin) and expr.name in ("threadIdx", "warpIdx", "laneIdx")


def _strip(expr: kir.Expr) -> kir.Expr:
    while isinstance(expr, kir.Cast) and is_integer(expr.type):
        expr = expr.operand
    return expr


def binary_interval(op: str, a: Interval, b: Interval) -> Interval | None:
    match op:
        case "+":
            return Interval(a.low + b.low, a.high + b.high)
        case "-":
            return Interval(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Interval(min(corners), max(corners))
        case "/" if b.low > 0:
            return Interval(_truncate(a.low, b.low, b.high), _truncate(a.high, b.high, b.low))
        case "%" if b.low > 0:
            return Interval(
                0 if a.low >= 0 else -(b.high - 1), min(a.high, b.high - 1) if a.low >= 0 else b.high - 1
            )
        case "&" if a.low >= 0 or b.low >= 0:
            return Interval(0, min(x.high for x in (a, b) if x.low >= 0))
        case ">>" if a.low >= 0 and b.low >= 0:
            return Interval(a.low >> min(b.high, 64), a.high >> min(b.low, 64))
        case "<<" if a.low >= 0 and b.low >= 0 and b.high < 64:
            return Interval(a.low << b.low, a.high << b.high)
        case "|" | "^" if a.low >= 0 and b.low >= 0:
            return Interval(0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1)
        case "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||":
            return Interval(0, 1)
        case _:
            return None


def _truncate(value: int, divisor_if_negative: int, divisor_if_positive: int) -> int:
    divisor = divisor_if_negative if value < 0 else divisor_if_positive
    return -(-value // divisor) if value < 0 else value // divisor
