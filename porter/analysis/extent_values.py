"""Intervals of numbers and addresses, and what a walk over a kernel finds with them (`index_extents.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from porter.analysis.expressions import Key
from porter.analysis.ranges import Interval, is_integer, type_interval
from porter.cuda import kir

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


State = tuple[dict[kir.Variable, Value], dict[Key, Interval]]
"""The values of variables, and what conditions say of expressions."""


def constant(value: int) -> Number:
    return Number(Interval(int(value), int(value)))


def anything(type_: kir.Type, made_of: Iterable[Value] = ()) -> Number:
    """All that a type can hold, made of other values."""
    sources = frozenset().union(*(v.sources for v in made_of if isinstance(v, Number)))
    interval = type_interval(type_) if is_integer(type_) else Interval(-UNBOUNDED, UNBOUNDED)
    return Number(interval, sources)


def moved(start: Number, by: Number, scale: int) -> Number:
    """`start + by * scale`."""
    low, high = sorted((by.interval.low * scale, by.interval.high * scale))
    interval = Interval(start.interval.low + low, start.interval.high + high)
    return Number(interval, start.sources | by.sources)


def shifted(value: Number, by: int) -> Number:
    return replace(value, interval=Interval(value.interval.low + by, value.interval.high + by))


def joined(left: Number, right: Number) -> Number:
    """Either of them."""
    return Number(left.interval.join(right.interval), left.sources | right.sources)


def join_states(left: State, right: State) -> State:
    """What holds whichever way control came."""
    values: dict[kir.Variable, Value] = {}
    for variable in left[0].keys() & right[0].keys():
        a, b = left[0][variable], right[0][variable]
        if isinstance(a, Number) and isinstance(b, Number):
            values[variable] = joined(a, b)
        elif isinstance(a, Address) and isinstance(b, Address) and a.root is b.root:
            values[variable] = Address(a.root, joined(a.offset, b.offset))
    return values, {k: left[1][k].join(right[1][k]) for k in left[1].keys() & right[1].keys()}


def plain(expr: kir.Expr) -> kir.Expr:
    """Without casts between integer types."""
    while isinstance(expr, kir.Cast) and is_integer(expr.type) and is_integer(expr.operand.type):
        expr = expr.operand
    return expr
