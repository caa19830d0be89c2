"""A whole random kernel: its launch, its buffers and their contents, its parameters and its text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.tile.random_kernels.cooperative import piece
from tests.tile.random_kernels.expressions import argument_for, rounded
from tests.tile.random_kernels.maker import Array, Counter, Function, Maker
from tests.tile.random_kernels.statements import (
    FLOAT_UNITS,
    Block,
    Node,
    any_range,
    new_variable,
    statements,
    text_of,
)
from tests.tile.random_kernels.values import (
    DOUBLE,
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    UINT,
    ULONG,
    CType,
    Variable,
)

Triple = tuple[int, int, int]
_BLOCKS_1D = (32, 64, 33, 96, 7, 100, 128, 1, 48)
_BLOCKS_2D = ((8, 8), (16, 4), (5, 7), (32, 2), (33, 3), (4, 16), (1, 9))


@dataclass(frozen=True)
class Buffer:
    """A pointer parameter. `rounded`: floats that another order of operations may change a little."""

    name: str
    type: CType
    contents: np.ndarray
    constant: bool
    rounded: bool = False


@dataclass(frozen=True)
class Scalar:
    name: str
    type: CType
    value: int | float


@dataclass(frozen=True)
class RandomKernel:
    """`fixed_block`: the launch says the block in numbers; otherwise the program computes it."""

    functions: tuple[str, ...]
    parameters: tuple[Buffer | Scalar, ...]
    body: tuple[Node, ...]
    grid: Triple
    block: Triple
    fixed_block: bool

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(p for p in self.parameters if isinstance(p, Buffer))

    def text(self, name: str) -> str:
        """The CUDA source; device functions get the kernel's name in front, so that many go into one file."""
        shown = ", ".join(_parameter(p) for p in self.parameters)
        text = "\n".join((*self.functions, f"__global__ void {name}({shown}) {{\n{text_of(self.body)}}}\n"))
        return text.replace("FUNCTION", f"{name}_f")


def _parameter(parameter: Buffer | Scalar) -> str:
    if isinstance(parameter, Scalar):
        return f"{parameter.type.name} {parameter.name}"
    return f"{'const ' if parameter.constant else ''}{parameter.type.name}* {parameter.name}"


@dataclass
class _Kernel:
    """What is gathered while a kernel is made."""

    m: Maker
    parameters: list[Buffer | Scalar] = field(default_factory=list)

    def array(self, stem: str, type_: CType, length: int, low: int, high: int, scale: int = 0) -> None:
        """Constant memory with random contents."""
        name = self.m.fresh(stem)
        contents = _contents(self.m, type_, length, low, high, scale)
        self.parameters.append(Buffer(name, type_, contents, constant=True))
        self.m.arrays.append(Array(name, type_, length, low, high, scale))


@st.composite
def kernels(draw: Callable[[Any], Any]) -> RandomKernel:
    m = Maker(draw, free=draw(st.integers(4, 26)))
    k = _Kernel(m)
    for _ in range(m.pick((0, 0, 1, 2))):
        m.functions.append(_function(m))
    together = m.chance(45)
    block, grid = _shape(m)
    threads, total = block[0] * block[1], block[0] * block[1] * grid[0] * grid[1]
    guarded = m.chance(70)
    stride = not together and block[1] == 1 and m.chance(20)
    n = max(1, total - m.integer(0, max(1, threads - 1))) if guarded else total
    n = n + m.integer(0, total) if stride else n
    _parameters(k, max(n, total) if together else n, n)
    results = _results(m, max(n, total))
    k.parameters += results
    head = _head(m, block, grid, total)
    body = _together(m, results, threads, total) if together else _alone(m, results, n, guarded, stride)
    functions = tuple(f.text for f in m.functions)
    return RandomKernel(functions, tuple(k.parameters), (*head, *body), grid, block, m.chance(60))


def _shape(m: Maker) -> tuple[Triple, Triple]:
    if m.chance(75):
        return (m.pick(_BLOCKS_1D), 1, 1), (m.integer(1, 3), 1, 1)
    x, y = m.pick(_BLOCKS_2D)
    return (x, y, 1), (m.integer(1, 2), m.integer(1, 2), 1)


def _parameters(k: _Kernel, length: int, n: int) -> None:
    m = k.m
    for _ in range(m.integer(1, 3)):
        type_ = m.pick((INT, UINT, FLOAT, *INTEGERS, *FLOATS))
        if type_.is_float:
            k.array("x", type_, length, -FLOAT_UNITS, FLOAT_UNITS, 4)
        else:
            k.array("x", type_, length, *any_range(m, type_))
    if m.chance(40):
        k.array("places", INT, length, 0, length - 1)
    k.parameters.append(Scalar("n", INT, n))
    m.declare(Variable("n", INT, n, n, assignable=False))
    for _ in range(m.integer(0, 2)):
        type_ = m.pick((INT, UINT, FLOAT, DOUBLE, ULONG))
        v = new_variable(m, "c", type_)
        number = m.integer(v.low, min(v.high, 2**63 - 1))
        k.parameters.append(Scalar(v.name, type_, number / (1 << v.scale) if type_.is_float else number))
        m.declare(Variable(v.name, type_, v.low, v.high, v.scale, assignable=m.chance(30)))


def _results(m: Maker, length: int) -> list[Buffer]:
    found = []
    for _ in range(m.integer(1, 2)):
        type_ = m.pick((INT, INT, UINT, FLOAT, *INTEGERS, *FLOATS))
        name = m.fresh("out")
        found.append(Buffer(name, type_, np.zeros(length, type_.dtype), constant=False))
    if m.chance(25):
        type_ = m.pick(FLOATS)
        found.append(
            Buffer(m.fresh("out"), type_, np.zeros(length, type_.dtype), constant=False, rounded=True)
        )
    if m.chance(30):
        counter = Counter(
            m.fresh("counts"),
            m.pick((INT, UINT, INT, ULONG)),
            m.pick((1, 4, 16)),
            m.pick(
                ("atomicAdd", "atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")
            ),
        )
        m.counters.append(counter)
        contents = np.arange(counter.length).astype(counter.type.dtype) * 5
        found.append(Buffer(counter.name, counter.type, contents, constant=False))
    return found


def _head(m: Maker, block: Triple, grid: Triple, total: int) -> list[Node]:
    """The thread's number in the grid, `i`, and in the block, `t`."""
    threads = block[0] * block[1]
    type_ = m.pick((INT, INT, UINT))
    if block[1] == 1 and grid[1] == 1:
        lines = [
            f"const {type_.name} i = blockIdx.x * blockDim.x + threadIdx.x;",
            "const int t = threadIdx.x;",
        ]
    else:
        width = block[0] * grid[0]
        lines = [
            "const int col = blockIdx.x * blockDim.x + threadIdx.x;",
            "const int row = blockIdx.y * blockDim.y + threadIdx.y;",
            f"const {type_.name} i = row * {m.pick((str(width), '(int)(gridDim.x * blockDim.x)'))} + col;",
            "const int t = threadIdx.y * blockDim.x + threadIdx.x;",
        ]
        m.declare(Variable("col", INT, 0, width - 1, assignable=False))
        m.declare(Variable("row", INT, 0, block[1] * grid[1] - 1, assignable=False))
    m.declare(Variable("i", type_, 0, total - 1, assignable=False))
    m.declare(Variable("t", INT, 0, threads - 1, assignable=False))
    m.declare(Variable("threadIdx.x", UINT, 0, block[0] - 1, assignable=False))
    m.declare(Variable("blockIdx.x", UINT, 0, grid[0] - 1, assignable=False))
    return list(lines)


def _store(m: Maker, results: list[Buffer], place: str) -> list[Node]:
    lines: list[Node] = []
    for buffer in results:
        if any(c.name == buffer.name for c in m.counters):
            continue
        if buffer.rounded:
            lines.append(f"{buffer.name}[{place}] = {rounded(m, buffer.type)};")
            continue
        scale = 4 if buffer.type.is_float else 0
        low, high = (-FLOAT_UNITS, FLOAT_UNITS) if scale else (buffer.type.low, buffer.type.high)
        slot = Variable(f"{buffer.name}[{place}]", buffer.type, low, high, scale)
        lines.append(f"{slot.name} = {argument_for(m, slot, 2).text};")
    return lines


def _alone(m: Maker, results: list[Buffer], n: int, guarded: bool, stride: bool) -> list[Node]:
    """Every thread for itself: one element, or every so many."""
    if stride:
        place = m.fresh("e")
        with m.nested():
            m.declare(Variable(place, INT, 0, n - 1, assignable=False))
            m.loops += 1
            body = (*statements(m, 1, 4), *_store(m, results, place))
            m.loops -= 1
        head = m.pick(
            (
                f"for (int {place} = i; {place} < n; {place} += blockDim.x * gridDim.x) {{",
                f"for (int {place} = (int)i; {place} < n; {place} += (int)(gridDim.x * blockDim.x)) {{",
            )
        )
        return [Block(((head, body),))]
    place = m.pick(("i", "i", "i", "n - 1 - i"))
    slots = _own_slots(m, results, place)
    m.scopes[0] = [v for v in m.scopes[0] if v.name != "i"]
    m.declare(Variable("i", INT, 0, n - 1, assignable=False))
    for v in slots:
        m.declare(v)
    early = guarded and m.chance(50)
    if early or not guarded:
        m.leave = lambda maker: "\n".join([*map(str, _store(maker, results, place)), "return;"])
    body = (*statements(m, 2, 7), *_store(m, results, place))
    if early:
        return ["if (i >= n) return;", *body]
    return [Block((("if (i < n) {", body),))] if guarded else list(body)


def _own_slots(m: Maker, results: list[Buffer], place: str) -> list[Variable]:
    """What a thread stores and nobody else touches may also be read."""
    found = []
    for buffer in results:
        counts = any(c.name == buffer.name for c in m.counters)
        if not counts and not buffer.rounded and m.chance(30):
            scale = 4 if buffer.type.is_float else 0
            low, high = (-FLOAT_UNITS, FLOAT_UNITS) if scale else (buffer.type.low, buffer.type.high)
            found.append(Variable(f"{buffer.name}[{place}]", buffer.type, low, high, scale))
    return found


def _together(m: Maker, results: list[Buffer], threads: int, total: int) -> list[Node]:
    """Pieces that the whole block does, with code between them in which threads go their own ways."""
    nodes: list[Node] = list(statements(m, 0, 2))
    for _ in range(m.integer(1, 3)):
        nodes += piece(m, threads)
        nodes += statements(m, 0, 2)
    slots = _store(m, results, "i")
    return [*nodes, *([Block((("if (i < n) {", tuple(slots)),))] if m.chance(50) else slots)]


def _function(m: Maker) -> Function:
    """A device function with early returns; its parameters take any value of their types."""
    own = Maker(m.draw, free=6, functions=list(m.functions), numbers=m.numbers)
    parameters = []
    for _ in range(m.integer(1, 3)):
        type_ = m.pick((INT, UINT, FLOAT, *INTEGERS))
        name = m.fresh("u")
        full = Variable(name, type_, type_.low, type_.high)
        parameters.append(new_variable(m, "u", type_) if type_.is_float else full)
        own.declare(parameters[-1])
    returns = new_variable(m, "FUNCTION", m.pick((INT, UINT, FLOAT, *INTEGERS)))
    own.leave = lambda maker: f"return {argument_for(maker, returns, 1).text};"
    body = (*statements(own, 1, 3), own.leave(own))
    shown = ", ".join(f"{p.type.name} {p.name}" for p in parameters)
    text = f"__device__ {returns.type.name} {returns.name}({shown}) {{\n{text_of(body)}}}\n"
    return Function(returns.name, tuple(parameters), returns, text)


def _contents(m: Maker, type_: CType, length: int, low: int, high: int, scale: int) -> np.ndarray:
    random = np.random.default_rng(m.integer(0, 2**32 - 1))
    if type_.is_float:
        return (random.integers(low, high, length, endpoint=True) / (1 << scale)).astype(type_.dtype)
    values = random.integers(low, high, length, dtype=type_.dtype, endpoint=True)
    # The ends of the range, and 0, where mistakes show.
    marks = [x for x in (low, high, 0, 1, -1) if low <= x <= high]
    for mark in marks:
        values[random.integers(0, length)] = mark
    return values
