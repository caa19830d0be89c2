"""Integer intrinsics against numpy, and warp functions of every type."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.run import run_program
from tests.simulator.conftest import build, run

Words = NDArray[np.int64]
Combine = Callable[[Words, Words, int, int], Words]


def _clip(value: Words, low: int, high: int) -> Words:
    return np.clip(value, low, high)


_SIGNED: dict[str, Combine] = {
    "absdiffs": lambda a, b, low, high: abs(a - b),
    "add": lambda a, b, low, high: a + b,
    "addss": lambda a, b, low, high: _clip(a + b, low, high),
    "sub": lambda a, b, low, high: a - b,
    "subss": lambda a, b, low, high: _clip(a - b, low, high),
    "avgs": lambda a, b, low, high: (a + b + (a + b >= 0)) >> 1,
    "maxs": lambda a, b, low, high: np.maximum(a, b),
    "mins": lambda a, b, low, high: np.minimum(a, b),
}
_UNSIGNED: dict[str, Combine] = {
    "absdiffu": lambda a, b, low, high: abs(a - b),
    "addus": lambda a, b, low, high: _clip(a + b, 0, high),
    "subus": lambda a, b, low, high: _clip(a - b, 0, high),
    "avgu": lambda a, b, low, high: (a + b + 1) >> 1,
    "haddu": lambda a, b, low, high: (a + b) >> 1,
    "maxu": lambda a, b, low, high: np.maximum(a, b),
    "minu": lambda a, b, low, high: np.minimum(a, b),
}
_ORDER = (
    *("absdiffs", "absdiffu", "add", "addss", "addus", "sub", "subss", "subus", "avgs", "avgu", "haddu"),
    *("maxs", "maxu", "mins", "minu", "sads", "sadu"),
    *(f"cmp{name}" for name in ("eq", "ne", "ges", "gts", "les", "lts", "geu", "gtu", "leu", "ltu")),
    *(f"set{name}" for name in ("eq", "ne", "ges", "gts", "les", "lts", "geu", "gtu", "leu", "ltu")),
)
_COMPARE = {"eq": np.equal, "ne": np.not_equal, "ge": np.greater_equal, "gt": np.greater} | {
    "le": np.less_equal,
    "lt": np.less,
}


def _lanes(words: NDArray[np.uint32], bits: int, *, signed: bool) -> Words:
    kind = {8: np.int8, 16: np.int16}[bits] if signed else {8: np.uint8, 16: np.uint16}[bits]
    return words.view(kind).reshape(len(words), -1).astype(np.int64)


def _joined(lanes: Words, bits: int) -> NDArray[np.uint32]:
    kind = {8: np.uint8, 16: np.uint16}[bits]
    return np.ascontiguousarray((lanes & ((1 << bits) - 1)).astype(kind)).view(np.uint32).ravel()


def _pair(name: str, a: NDArray[np.uint32], b: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
    signed = name in _SIGNED or (name not in _UNSIGNED and name.endswith("s"))
    x, y = _lanes(a, bits, signed=signed), _lanes(b, bits, signed=signed)
    if name.startswith("sad"):
        return abs(x - y).sum(axis=1).astype(np.uint32)
    if name[:3] in ("cmp", "set"):
        true = _COMPARE[name[3:5]](x, y)
        return _joined(np.where(true, -1 if name[:3] == "cmp" else 1, 0), bits)
    high = (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1
    return _joined((_SIGNED | _UNSIGNED)[name](x, y, -high - 1, high), bits)


def _expected(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> Iterator[tuple[str, NDArray[np.uint32]]]:
    for name in _ORDER:
        for bits in (16, 8):
            yield f"v{name}{32 // bits}", _pair(name, a, b, bits)
    for name in ("abs", "absss", "neg", "negss"):
        for bits in (16, 8):
            x = _lanes(a, bits, signed=True)
            value = abs(x) if name.startswith("abs") else -x
            yield name, _joined(np.minimum(value, (1 << (bits - 1)) - 1) if "ss" in name else value, bits)
    signed, unsigned = (_lanes(a, 8, signed=s) * _lanes(b, 8, signed=s) for s in (True, False))
    yield "dp4a", (signed.sum(axis=1) + 7).astype(np.uint32)
    yield "dp4a unsigned", (unsigned.sum(axis=1) + 7).astype(np.uint32)
    low = _lanes(a, 16, signed=True) * _lanes(b, 8, signed=True)[:, :2]
    yield "dp2a_lo", (low.sum(axis=1) + 7).astype(np.uint32)
    high = _lanes(a, 16, signed=False) * _lanes(b, 8, signed=False)[:, 2:]
    yield "dp2a_hi", (high.sum(axis=1) + 7).astype(np.uint32)
    both = np.concatenate([_lanes(a, 8, signed=False), _lanes(b, 8, signed=False)], axis=1)
    yield "byte_perm", _joined(np.stack([both[:, 4], both[:, 1], both[:, 4], both[:, 1]], axis=1), 8)
    wide = b.astype(np.uint64) << np.uint64(32) | a
    yield "funnelshift_l", ((wide << (b % 32).astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)
    yield "funnelshift_rc", (wide >> np.minimum(b % 64, 32).astype(np.uint64)).astype(np.uint32)
    yield "brev", np.packbits(np.unpackbits(a.view(np.uint8), bitorder="little")).view(np.uint32).byteswap()


def test_simd_intrinsics_are_exact() -> None:
    extremes = np.array([0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7F7F7F7F, 0x80808080], np.uint32)
    words = np.random.default_rng(3).integers(0, 1 << 32, 8000, dtype=np.uint32)
    words[:100:2], words[1:100:2] = np.tile(extremes, 5), np.repeat(extremes, 5)
    done = run_program(build("simd.cu"), stdin=words.tobytes())
    assert done.returncode == 0
    got = np.frombuffer(done.stdout, np.uint32).reshape(-1, len(words) // 2)
    wanted = list(_expected(words[::2].copy(), words[1::2].copy()))
    assert len(wanted) == len(got)
    for (name, right), row in zip(wanted, got, strict=True):
        np.testing.assert_array_equal(row, right, err_msg=name)


@pytest.mark.parametrize("seed", [None, 4])
def test_warp_functions_of_every_type(seed: int | None) -> None:
    result = run("warp_types.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())
