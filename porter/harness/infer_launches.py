"""Launches for a kernel that no main() launches: sizes, grid, block and arrays from signature and indices.

`porter.analysis.index_extents` says how far a launch reaches, and which integers pick elements or end loops.
What comes out is a proposal: `confirm_launches.py` runs it with memory checks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.extent_values import Extents, LaunchAssumption, Triple
from porter.analysis.index_extents import blocks_wanted, index_extents
from porter.analysis.ranges import Interval, is_integer
from porter.analysis.sizes import size_bytes
from porter.cuda import kir, kir_walk
from porter.cuda.structure import Function
from porter.harness.synthesise import Array, KernelCall

VALUES = Interval(0, 127)
"""What integers hold that pick elements or end loops: every array they lead to stays short."""
MOST_BLOCKS_A_SIDE = 64
LONGEST_KNOWN_ELEMS = 1 << 22
"""Intervals overestimate: a longer extent counts as none, and the run with memory checks finds the length."""
STATIC_SHARED_BYTES = 48 << 10
"""The shared memory of a block that a launch gets without asking for more (CUDA C++ Programming Guide)."""
WIDEST_ELEMENT_BYTES = 16
"""A float4: what each thread gets of dynamic shared memory where the indices do not tell how much."""
_BLOCKS: Mapping[int, tuple[Triple, ...]] = {
    1: ((256, 1, 1), (128, 1, 1), (64, 1, 1), (512, 1, 1), (32, 1, 1), (1024, 1, 1)),
    2: ((16, 16, 1), (32, 8, 1), (32, 32, 1), (32, 4, 1), (8, 8, 1), (64, 4, 1)),
    3: ((8, 8, 4), (4, 4, 4)),
}
_SIDE_WITHOUT_A_LIMIT = 5
_SCALES = (
    (1000, (37, 45, 29, 53, 19, 61, 23, 41)),
    (1537, (77, 70, 61, 83, 47, 97, 52, 89)),
    (100, (13, 11, 9, 14, 7, 10, 6, 15)),
    (40, (5, 7, 6, 3, 4, 8, 2, 9)),
    (16, (2, 3, 2, 3, 2, 3, 2, 3)),
    (1, (1, 1, 1, 1, 1, 1, 1, 1)),
)
"""The sizes of the launches, the first two that work: the one of a vector, and those of all else."""
_LAUNCHES = 2
_FLOAT_VALUES = ("0.125", "0.375", "0.75", "1.5", "3.0")
"""Rising, each in a binade of its own: a lower bound stays below the upper one that follows it."""
_VECTOR_OF = re.compile(r"(u?)(char|short|int|long|longlong|float|double)([1-4])")
_HALVES = {
    "half2": "half",
    "__half2": "__half",
    "__nv_bfloat162": "__nv_bfloat16",
    "nv_bfloat162": "nv_bfloat16",
}


@dataclass(frozen=True)
class NotInferred:
    """Why no launch can be told from the kernel alone."""

    reason: str


def infer_calls(kernel: kir.Kernel, written: Function) -> tuple[KernelCall, ...] | NotInferred:
    """Two launches of different sizes, or one where only one is possible; `written` is the kernel's text."""
    if reason := _unsupported(kernel, written):
        return NotInferred(reason)
    block = _block(kernel)
    if block is None:
        return NotInferred("no block that was tried fits its shared memory")
    calls: list[KernelCall] = []
    for vector, others in _SCALES:
        sizes = _sizes(kernel, block, vector, others, truth=not calls)
        call = _call(kernel, written, block, sizes)
        if call is not None:
            calls.append(call)
        if len(calls) == _LAUNCHES:
            break
    return tuple(calls) or NotInferred("every size that was tried reaches beyond its shared memory")


def _unsupported(kernel: kir.Kernel, written: Function) -> str:
    if len(kernel.template_arguments) != len(written.template_parameters):
        return "it is a template"
    if len(kernel.parameters) != len(written.parameters):
        return "its parameters cannot be told from its text"
    for parameter in kernel.parameters:
        type_ = parameter.type
        pointee = type_.pointee if isinstance(type_, kir.Pointer) else type_
        if not isinstance(pointee, kir.Scalar | kir.Vector):
            return f"its parameter {parameter.name} is no number and no array of numbers"
        if isinstance(type_, kir.Vector):
            return f"its parameter {parameter.name} is a vector by value"
    return ""


# --- blocks and sizes ---


def _block(kernel: kir.Kernel) -> Triple | None:
    """Of the usual blocks the first that fills the shared arrays best without leaving them."""
    best: tuple[float, Triple] | None = None
    for block in _candidates(kernel):
        fit = _fit(kernel, block)
        if fit is not None and (best is None or fit > best[0]):
            best = fit, block
    return best[1] if best else None


def _candidates(kernel: kir.Kernel) -> Iterator[Triple]:
    used = _extents(kernel, (1, 1, 1), (256, 1, 1), _plain_sizes(kernel)).builtins
    dimensions = max((k for k, axis in enumerate("xyz", 1) if f"threadIdx.{axis}" in used), default=1)
    most = kernel.launch_bounds[0] if kernel.launch_bounds else 1024
    if dimensions == 1 and kernel.launch_bounds:
        yield most, 1, 1
    yield from (block for block in _BLOCKS[dimensions] if math.prod(block) <= most)


def _fit(kernel: kir.Kernel, block: Triple) -> float | None:
    """How full the static shared arrays are, and more for a block that the kernel names; None if too full."""
    found = _extents(kernel, (2, 2, 2), block, _plain_sizes(kernel))
    shares = [1.0]
    for variable, end in found.shared_bytes.items():
        whole = size_bytes(variable.type)
        if variable.storage is kir.Storage.SHARED and whole:
            if end is not None and end > whole:
                return None
            shares.append(1.0 if end is None else end / whole)
    named = _block_constants(kernel)
    return math.fsum(shares) / len(shares) + (1.0 if block[0] in named else 0.0)


def _block_constants(kernel: kir.Kernel) -> set[int]:
    """Numbers that `blockIdx.x` is multiplied by."""
    products = (e for e in kir_walk.expressions(kernel.body) if isinstance(e, kir.Binary) and e.op == "*")
    return {
        int(constant.value)
        for product in products
        for index, constant in ((product.left, product.right), (product.right, product.left))
        if isinstance(constant, kir.Const) and _is_block_index(index)
    }


def _is_block_index(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, kir.Builtin) and expr.name == "blockIdx" and expr.axis == "x"


def _integers(kernel: kir.Kernel) -> list[kir.Variable]:
    return [p for p in kernel.parameters if is_integer(p.type)]


def _plain_sizes(kernel: kir.Kernel) -> dict[str, int]:
    return {p.name: 7 for p in _integers(kernel)}


def _sizes(
    kernel: kir.Kernel, block: Triple, vector: int, others: Sequence[int], *, truth: bool
) -> dict[str, int]:
    """A value for each integer; the one that alone limits the threads of a flat block gets `vector`, and
    every bool `truth`.
    """
    limits = [
        {s for s in bound.limit.sources if isinstance(s, kir.Variable)}
        for bound in _extents(kernel, (1, 1, 1), block, _plain_sizes(kernel)).bounds
    ]
    alone = {next(iter(limit)) for limit in limits if len(limit) == 1}
    flat = block[1] == 1 and len(alone) == 1 and all(len(limit) <= 1 for limit in limits)
    chosen = dict(zip(_integers(kernel), _forever(others), strict=False))
    chosen |= {variable: vector for variable in alone if flat}
    return {v.name: int(truth) if _is_bool(v.type) else value for v, value in chosen.items()}


def _forever(values: Sequence[int]) -> Iterator[int]:
    while True:
        yield from values


def _is_bool(type_: kir.Type) -> bool:
    return isinstance(type_, kir.Scalar) and type_.kind == "bool"


def _extents(kernel: kir.Kernel, grid: Triple, block: Triple, sizes: Mapping[str, int]) -> Extents:
    return index_extents(kernel, LaunchAssumption(grid, block, sizes, VALUES))


def _grid(kernel: kir.Kernel, block: Triple, sizes: Mapping[str, int]) -> Triple:
    """Each side as long as another block would have work; a few blocks where nothing limits it."""
    sides = [1, 1, 1]
    used = _extents(kernel, (1, 1, 1), block, sizes)
    for k, axis in enumerate("xyz"):
        name = f"blockIdx.{axis}"
        if name not in used.builtins:
            continue
        if not any(name in bound.value.sources for bound in used.bounds):
            sides[k] = _SIDE_WITHOUT_A_LIMIT
            continue
        while sides[k] < MOST_BLOCKS_A_SIDE:
            if not blocks_wanted(_extents(kernel, (sides[0], sides[1], sides[2]), block, sizes), axis):
                break
            sides[k] += 1
    return sides[0], sides[1], sides[2]


# --- arguments ---


def _call(
    kernel: kir.Kernel, written: Function, block: Triple, sizes: Mapping[str, int]
) -> KernelCall | None:
    """None where the launch would leave its shared memory, or need too much of it."""
    grid = _grid(kernel, block, sizes)
    extents = _extents(kernel, grid, block, sizes)
    shared = 0
    for variable, end in extents.shared_bytes.items():
        if variable.storage is kir.Storage.DYNAMIC_SHARED:
            shared = max(shared, end or math.prod(block) * WIDEST_ELEMENT_BYTES)
        elif end is not None and end > size_bytes(variable.type):
            return None
    if shared > STATIC_SHARED_BYTES:
        return None
    floats = iter(_forever(range(len(_FLOAT_VALUES))))
    arguments: list[Array | str] = []
    for parameter, as_written in zip(kernel.parameters, written.parameters, strict=True):
        if isinstance(parameter.type, kir.Pointer):
            threads = math.prod(grid) * math.prod(block)
            text = written.instantiated(as_written.type_text, kernel.template_arguments)
            arguments.append(_array(parameter, parameter.type.pointee, text, extents, threads))
        elif is_integer(parameter.type):
            value = sizes[parameter.name]
            arguments.append(str(bool(value)).lower() if _is_bool(parameter.type) else str(value))
        else:
            arguments.append(_FLOAT_VALUES[next(floats)])
    name = f"{written.scope}::{written.name}" if written.scope else written.name
    template = ", ".join(kernel.template_arguments)
    return KernelCall(name, template, grid, block, shared, tuple(arguments))


def _array(parameter: kir.Variable, pointee: kir.Type, text: str, extents: Extents, threads: int) -> Array:
    """As long as the launch reaches; where that is not known, an element for each thread."""
    lanes = pointee.lanes if isinstance(pointee, kir.Vector) else 1
    element = pointee.element if isinstance(pointee, kir.Vector) else pointee
    end = extents.end_bytes.get(parameter, 1)
    known = None if end is None else -(-end // max(size_bytes(pointee), 1))
    count = threads if known is None or known > LONGEST_KNOWN_ELEMS else max(known, 1)
    fill, rising = _fill(parameter, element, extents)
    written = element_text(text)
    scalar = _scalar_text(written) if lanes > 1 else written
    return Array(scalar, count * lanes, fill, rising, written if scalar != written else "")


def _fill(parameter: kir.Variable, element: kir.Type, extents: Extents) -> tuple[str | tuple[int, int], bool]:
    if not is_integer(element):
        return "normal", False
    if _is_bool(element):
        return (0, 1), False
    if parameter in extents.limits or parameter in extents.subscripts:
        return (VALUES.low, VALUES.high), parameter in extents.limits
    if parameter not in extents.loaded:
        return "zeros", False
    unsigned = isinstance(element, kir.Scalar) and element.kind == "uint"
    return ((0, 100) if unsigned else (-50, 50)), False


def element_text(text: str) -> str:
    """`float` of `const float* __restrict__`; of an array parameter `float[]` too."""
    plain = re.sub(r"\b(const|volatile|__restrict__|__restrict|restrict)\b", " ", text)
    return " ".join(re.sub(r"[*&]|\[[^]]*\]", " ", plain).split())


def _scalar_text(vector: str) -> str:
    """The element type of one of CUDA's vectors."""
    found = _VECTOR_OF.fullmatch(vector)
    if found is None:
        return _HALVES.get(vector, "float")
    base = "long long" if found[2] == "longlong" else found[2]
    return f"unsigned {base}" if found[1] else base
