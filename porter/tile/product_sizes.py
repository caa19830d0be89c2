"""How large the tiles of a matrix product are. Figures are of an NVIDIA H200 unless said otherwise."""

from __future__ import annotations

from porter.cuda.kir import FLOAT64, Scalar, Type

TILE_SIDE = 64
"""Of a tile that a program computes: of 16 to 128 the fastest in full float32."""
_STEP = 32
_NARROW_STEP = 64
_WIDE_STEP = 16


def step_of(operands: tuple[Type, Type]) -> int:
    """How many steps of k one `tl.dot` takes: 128 bytes of a row of the narrower factor, and at least 16."""
    bits = min(t.bits for t in operands if isinstance(t, Scalar))
    if FLOAT64 in operands:
        return _WIDE_STEP
    return _NARROW_STEP if bits <= 16 else _STEP
