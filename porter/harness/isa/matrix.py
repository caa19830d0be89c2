"""Matrix instructions (MFMA): D = A·B + C on registers of all 64 lanes, whatever the execution mask.

Which lane and register hold which element is the layout of AMD's matrix instruction calculator. Products and
sums are computed in double precision and rounded once to the type of D; the hardware rounds between (in an
order that is not documented), so results may differ in the last bits. Integers are exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.float8 import float8_values
from porter.harness.isa.numeric import bf16_to_f32
from porter.harness.isa.operands import VECTOR, constant
from porter.harness.isa.state import FIRST_ACCUMULATION, WAVEFRONT_SIZE, Group

_NAME = re.compile(
    r"V_MFMA_(?P<out>F32|F64|I32)_(?P<m>\d+)X(?P<n>\d+)X(?P<k>\d+)(?:_(?P<blocks>\d+)B)?"
    r"_(?P<a>F64|F32|F16|BF16|I8|FP8|BF8)(?:_(?P<b>FP8|BF8))?"
)
_BITS = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I8": 8, "FP8": 8, "BF8": 8, "I32": 32}
_ROWS_TOGETHER = 4
Layout = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""For [lane, element]: block, row (or column), and position along K (or column)."""


@dataclass(frozen=True)
class Shape:
    """`blocks` independent products of M×K by K×N matrices."""

    m: int
    n: int
    k: int
    blocks: int
    a: str
    b: str
    out: str

    @property
    def elements_per_lane(self) -> int:
        """Of A, and of B (they are equal in all instructions)."""
        return self.m * self.k * self.blocks // WAVEFRONT_SIZE

    @property
    def results_per_lane(self) -> int:
        return self.m * self.n * self.blocks // WAVEFRONT_SIZE


def shape_of(name: str) -> Shape:
    """Raises IsaError for a matrix instruction that is not supported."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise IsaError("ISA001", name)
    a = match["a"]
    return Shape(
        int(match["m"]),
        int(match["n"]),
        int(match["k"]),
        int(match["blocks"] or 1),
        a,
        match["b"] or a,
        match["out"],
    )


def input_layout(shape: Shape, side: int) -> Layout:
    """Where A's rows (or B's columns) lie; `side` is M or N."""
    lane = np.arange(WAVEFRONT_SIZE)[:, None]
    element = np.arange(shape.elements_per_lane)[None, :]
    if shape.a == "F64" and shape.blocks > 1:
        # Four blocks of 4×4: K runs over rows of lanes, the blocks within them.
        block, outer, inner = lane // side % shape.blocks, lane % side, lane // (side * shape.blocks)
        return _spread(block, outer, inner + element)
    groups_of_block = WAVEFRONT_SIZE // side // shape.blocks
    group = lane // side
    inner = group % groups_of_block * shape.elements_per_lane + element
    return _spread(group // groups_of_block, lane % side, inner)


def output_layout(shape: Shape) -> Layout:
    """Block, row and column of each lane's results."""
    lane = np.arange(WAVEFRONT_SIZE)[:, None]
    result = np.arange(shape.results_per_lane)[None, :]
    if shape.out == "F64":
        if shape.blocks > 1:
            return _spread(
                lane // shape.n % shape.blocks, lane // (shape.n * shape.blocks), lane % shape.n + 0 * result
            )
        return _spread(0 * lane, lane // shape.n + WAVEFRONT_SIZE // shape.n * result, lane % shape.n)
    groups = WAVEFRONT_SIZE // shape.n
    if shape.m == _ROWS_TOGETHER:
        return _spread(lane // shape.n, result, lane % shape.n)
    each = shape.m * shape.n // WAVEFRONT_SIZE
    within = result % each
    row = within // _ROWS_TOGETHER * _ROWS_TOGETHER * groups + _ROWS_TOGETHER * (lane // shape.n)
    return _spread(result // each + 0 * lane, row + within % _ROWS_TOGETHER, lane % shape.n)


def _spread(*parts: npt.NDArray[np.int64]) -> Layout:
    first, second, third = np.broadcast_arrays(*parts)
    return first, second, third


def compile_matrix(instruction: Instruction, arch: str) -> Callable[[Group], None]:
    """The step of an MFMA instruction. `arch` decides what the 8-bit floats mean."""
    shape = shape_of(instruction.name)
    for field in ("cbsz", "abid", "blgp"):
        if instruction.field(field):
            raise IsaError("ISA003", f"{instruction.name} with {field}")
    places_a, places_b = input_layout(shape, shape.m), input_layout(shape, shape.n)
    places = output_layout(shape)
    destination = _register(instruction, "vdst", instruction.field("acc_cd"))
    exact = np.int64 if shape.out == "I32" else np.float64

    def step(group: Group) -> None:
        count = len(group.members)
        a = np.zeros((count, shape.blocks, shape.m, shape.k), exact)
        b = np.zeros((count, shape.blocks, shape.n, shape.k), exact)
        a[(slice(None), *places_a)] = _values(group, instruction, "src0", shape.a, shape, arch)
        b[(slice(None), *places_b)] = _values(group, instruction, "src1", shape.b, shape, arch)
        product = np.matmul(a, b.transpose(0, 1, 3, 2))
        total = product[(slice(None), *places)] + _accumulator(group, instruction, shape).astype(exact)
        _write(group, destination, shape, total)

    return step


def _register(instruction: Instruction, field: str, accumulation: int) -> int:
    return instruction.field(field) - VECTOR + (FIRST_ACCUMULATION if accumulation else 0)


def _registers(group: Group, first: int, count: int) -> npt.NDArray[np.uint32]:
    """[wave, lane, register]."""
    return np.stack([group.vector32(first + k) for k in range(count)], axis=-1)


def _values(group: Group, instruction: Instruction, field: str, kind: str, shape: Shape, arch: str) -> Lanes:
    """[wave, lane, element] of A or B."""
    which = 0 if field == "src0" else 1
    first = _register(instruction, field, instruction.field("acc") >> which & 1)
    count = max(1, shape.elements_per_lane * _BITS[kind] // 32)
    words = np.ascontiguousarray(_registers(group, first, count))
    match kind:
        case "F64" | "F32" | "F16":
            return words.view(f"f{_BITS[kind] // 8}")
        case "BF16":
            return bf16_to_f32(words.view(np.uint16))
        case "I8":
            return words.view(np.int8)
    return float8_values(kind, arch)[words.view(np.uint8)]


def _accumulator(group: Group, instruction: Instruction, shape: Shape) -> Lanes:
    kind = {"F32": np.float32, "F64": np.float64, "I32": np.int32}[shape.out]
    code = instruction.field("src2")
    if code < VECTOR:
        bits = 64 if shape.out == "F64" else 32
        value = _inline(instruction, bits)
        return np.array([value], f"u{bits // 8}").view(kind)
    first = _register(instruction, "src2", instruction.field("acc_cd"))
    count = shape.results_per_lane * _BITS[shape.out] // 32
    return np.ascontiguousarray(_registers(group, first, count)).view(kind)


def _inline(instruction: Instruction, bits: int) -> int:
    """Constants other than 0 would need the element's type; compilers use 0."""
    value = constant(instruction, "src2")
    if value:
        raise IsaError("ISA003", f"{instruction.name}: a constant accumulator other than 0")
    return value % (1 << bits)


def _write(group: Group, destination: int, shape: Shape, total: npt.NDArray[Any]) -> None:
    kind = {"F32": np.float32, "F64": np.float64, "I32": np.int32}[shape.out]
    words = np.ascontiguousarray(total.astype(kind)).view(np.uint32)
    everywhere = np.ones(group.active.shape, np.bool_)
    for k in range(words.shape[-1]):
        group.set_vector(destination + k, words[..., k], everywhere)
