"""Atomic operations. Lanes that meet at one address take turns, in the order of waves and lanes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from porter.harness.isa.bits import Lanes, typed
from porter.harness.isa.errors import IsaError
from porter.harness.isa.numeric import bf16_to_f32, f32_to_bf16

Operation = Callable[[Lanes, Lanes, Lanes], Lanes]
"""(old, data, second datum) → new; all unsigned of the operation's size."""


@dataclass(frozen=True)
class Atomic:
    """`size` in bytes; `operands` how many data the operation takes."""

    operation: Operation
    size: int
    operands: int = 1


def _signed(x: Lanes) -> Lanes:
    return x.view(f"i{x.dtype.itemsize}")


def _real(x: Lanes) -> Lanes:
    return x.view(f"f{x.dtype.itemsize}")


def _pick(condition: Lanes, then: Lanes, otherwise: Lanes) -> Lanes:
    return np.where(condition, then, otherwise)


def _pair(of: Callable[[Lanes, Lanes], Lanes]) -> Operation:
    """The same operation on both 16-bit halves."""

    def operate(old: Lanes, data: Lanes, _second: Lanes) -> Lanes:
        low = of((old & np.uint32(0xFFFF)).astype(np.uint16), (data & np.uint32(0xFFFF)).astype(np.uint16))
        high = of((old >> np.uint32(16)).astype(np.uint16), (data >> np.uint32(16)).astype(np.uint16))
        return low.astype(np.uint32) | (high.astype(np.uint32) << np.uint32(16))

    return operate


_OPERATIONS: dict[str, Operation] = {
    "ADD": lambda old, data, _: old + data,
    "SUB": lambda old, data, _: old - data,
    "RSUB": lambda old, data, _: data - old,
    "SMIN": lambda old, data, _: _pick(_signed(data) < _signed(old), data, old),
    "SMAX": lambda old, data, _: _pick(_signed(data) > _signed(old), data, old),
    "UMIN": lambda old, data, _: np.minimum(old, data),
    "UMAX": lambda old, data, _: np.maximum(old, data),
    "AND": lambda old, data, _: old & data,
    "OR": lambda old, data, _: old | data,
    "XOR": lambda old, data, _: old ^ data,
    "INC": lambda old, data, _: _pick(old >= data, np.zeros_like(old), old + old.dtype.type(1)),
    "DEC": lambda old, data, _: _pick((old == 0) | (old > data), data, old - old.dtype.type(1)),
    "SWAP": lambda _old, data, _: data,
    "CMPSWAP": lambda old, data, second: _pick(old == second, data, old),
    "CMPST": lambda old, data, second: _pick(old == data, second, old),
    "MSKOR": lambda old, data, second: (old & ~data) | second,
    "FADD": lambda old, data, _: (_real(old) + _real(data)).view(old.dtype),
    "FMIN": lambda old, data, _: np.fmin(_real(old), _real(data)).view(old.dtype),
    "FMAX": lambda old, data, _: np.fmax(_real(old), _real(data)).view(old.dtype),
    "PK_ADD_F16": _pair(lambda a, b: (typed(a, "f", 16) + typed(b, "f", 16)).view(np.uint16)),
    "PK_ADD_BF16": _pair(lambda a, b: f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b))),
}
_LDS_NAMES = {
    "MIN_I": "SMIN", "MAX_I": "SMAX", "MIN_U": "UMIN", "MAX_U": "UMAX", "MIN_F": "FMIN", "MAX_F": "FMAX",
    "ADD_F": "FADD", "ADD_U": "ADD", "SUB_U": "SUB", "RSUB_U": "RSUB", "INC_U": "INC", "DEC_U": "DEC",
    "AND_B": "AND", "OR_B": "OR", "XOR_B": "XOR", "MSKOR_B": "MSKOR", "CMPST_B": "CMPST", "WRXCHG_B": "SWAP",
}  # fmt: skip
_TWO = ("CMPSWAP", "CMPST", "MSKOR")


def global_atomic(name: str) -> Atomic:
    """From `GLOBAL_ATOMIC_…`, `FLAT_ATOMIC_…` or `BUFFER_ATOMIC_…`."""
    kind = re.sub(r"^[A-Z]+_ATOMIC_", "", name)
    if kind in _OPERATIONS and kind.startswith("PK_"):
        return Atomic(_OPERATIONS[kind], 4)
    if real := re.fullmatch(r"(ADD|MIN|MAX)_F(32|64)", kind):
        return Atomic(_OPERATIONS["F" + real.group(1)], int(real.group(2)) // 8)
    base = kind.removesuffix("_X2")
    if base not in _OPERATIONS:
        raise IsaError("ISA001", name)
    return Atomic(_OPERATIONS[base], 8 if kind.endswith("_X2") else 4, 2 if base in _TWO else 1)


def lds_atomic(name: str) -> Atomic | None:
    """From `DS_ADD_RTN_U32` and its like; None for another kind of instruction."""
    kind = name.removeprefix("DS_").replace("_RTN", "")
    if kind in ("PK_ADD_F16", "PK_ADD_BF16"):
        return Atomic(_OPERATIONS[kind], 4)
    match = re.fullmatch(r"(\w+_[IUBF])(32|64)", kind)
    if match is None or match.group(1) not in _LDS_NAMES:
        return None
    base = _LDS_NAMES[match.group(1)]
    return Atomic(_OPERATIONS[base], int(match.group(2)) // 8, 2 if base in _TWO else 1)


def apply(
    store: npt.NDArray[np.uint8],
    places: npt.NDArray[np.int64],
    atomic: Atomic,
    data: Lanes,
    second: Lanes,
    active: Lanes,
) -> Lanes:
    """Updates `store` at checked byte positions; gives the old values (0 in lanes that are not active)."""
    old = np.zeros(places.shape, f"u{atomic.size}")
    if (places[active] % atomic.size).any():
        raise IsaError("ISA003", "an atomic operation at an address that is not a multiple of its size")
    words = store.view(f"u{atomic.size}")
    lanes = np.flatnonzero(active)
    at = places.reshape(-1)[lanes] // atomic.size
    values, seconds, result = data.reshape(-1), second.reshape(-1), old.reshape(-1)
    for turn in _turns(at):
        chosen = lanes[turn]
        before = words[at[turn]]
        result[chosen] = before
        words[at[turn]] = atomic.operation(before, values[chosen], seconds[chosen])
    return result.reshape(places.shape)


def _turns(at: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Indices in groups: no address twice in a group, and each address's in their order."""
    if not len(at):
        return []
    order = np.argsort(at, kind="stable")
    ordered = at[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    lengths = np.diff(np.concatenate((starts, [len(at)])))
    rank = np.arange(len(at)) - np.repeat(starts, lengths)
    by_rank = np.argsort(rank, kind="stable")
    counts = np.bincount(rank)
    return np.split(order[by_rank], np.cumsum(counts)[:-1])
