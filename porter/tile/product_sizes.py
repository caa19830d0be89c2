"""How large the tiles of a matrix product are, and how many warps compute one."""

from __future__ import annotations

from collections.abc import Sequence

from porter.cuda.kir import FLOAT16, FLOAT32, FLOAT64, Cast, Expr, Scalar, Type
from porter.tile.idioms import Dot

_SIDES = {16: 128, 32: 64, 64: 32}
"""Elements of a tile's side by the bits of a factor. In full float32, of 16 to 128, 64 is the fastest on an
H200; 16-bit factors go through tensor cores, which want larger tiles; the products of doubles have no
`tl.dot` in every Triton and stand in registers all at once."""
_STEPS = {8: 64, 16: 64, 32: 16, 64: 8}
"""Of k that one `tl.dot` takes, by the bits of a factor: at least 16, of bytes 32."""
_KEYS = {16: 64, 32: 32}
"""Of an attention that are looked at together, by the bits of the wider of key and value."""
ROWS = 64
"""Of a tile of an attention."""
WARP_ELEMENTS = 1024
"""Of a tile that one warp computes, on AMD one wavefront."""
MOST_WARPS = 8


def operand_types(dot: Dot) -> tuple[Type, Type]:
    """What the factors are made of: the type loaded, below a conversion to the sum's type."""
    return narrow(dot.left).type, narrow(dot.right).type


def narrow(expr: Expr) -> Expr:
    """A factor before it was converted to the sum's type.

    Not a bfloat16: Triton's interpreter, by which ports are checked, has them as integers in `tl.dot`.
    """
    match expr:
        case Cast(operand=operand, type=Scalar() as wide) if isinstance(operand.type, Scalar):
            return operand if _keeps(operand.type, wide) else expr
        case _:
            return expr


def _keeps(given: Scalar, wide: Scalar) -> bool:
    return (given == FLOAT16 and wide == FLOAT32) or (given == Scalar("int", 8) and wide == Scalar("int", 32))


def side_of(dot: Dot) -> int:
    """The most elements along a side of the tile of this product."""
    return _SIDES[max(16, _bits(operand_types(dot)))] if has_instruction(dot) else _SIDES[64]


def has_instruction(dot: Dot) -> bool:
    """Whether `tl.dot` does it: in every Triton since 3.3, at least 16 steps of floats, of bytes 32."""
    types = operand_types(dot)
    if types == (Scalar("int", 8),) * 2:
        return dot.element == Scalar("int", 32) and dot.extent >= 32
    return dot.element == FLOAT32 and dot.extent >= 16 and FLOAT64 not in types


def step_of(operands: Sequence[Type]) -> int:
    return _STEPS[_bits(operands)]


def keys_of(operands: Sequence[Type]) -> int:
    return _KEYS[max(16, min(32, _bits(operands)))]


def _bits(operands: Sequence[Type]) -> int:
    """Of the wider factor: the narrower one is converted to it."""
    return max(t.bits for t in operands if isinstance(t, Scalar))
