"""What the threads of a block do together, where all of them are: shared memory, warps, reductions.

No piece has a race: a thread writes its own slot, and reads others' behind a barrier.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.tile.random_kernels.expressions import as_argument, condition, fit, index, integer, number
from tests.tile.random_kernels.maker import Array, Maker
from tests.tile.random_kernels.statements import Block, Node, declaration, new_variable
from tests.tile.random_kernels.values import (
    FLOAT,
    INT,
    INTEGERS,
    LONG,
    UINT,
    CType,
    Value,
    Variable,
)

WARP = 32
_ALL = "0xffffffffu"
_FOLDS = {"+": "{0} += {1};", "|": "{0} |= {1};", "&": "{0} &= {1};", "^": "{0} ^= {1};"}


def piece(m: Maker, threads: int) -> Iterator[Node]:
    """One piece of work of a block with `threads` threads, whose number is `t`."""
    known = [_stage, _stage, _tile, _tree, _broadcast, _histogram, _scan, _counted, _rounds]
    if threads % WARP == 0:
        known += [_shuffle, _shuffle, _warp_fold, _vote, _block_fold]
    yield from m.pick(known)(m, threads)


def _stored(m: Maker, type_: CType, low: int, high: int) -> Value:
    if type_.is_float:
        value = fit(m, integer(m, 1), -63, 63)
        return Value(f"({type_.name})({value.text})", type_, value.low, value.high)
    return as_argument(fit(m, as_argument(integer(m, 2), type_), low, high), type_)


def _neighbour(m: Maker, threads: int) -> str:
    by = m.integer(1, max(1, threads - 1))
    return m.pick(
        (
            f"(t + {by}) % {threads}",
            f"{threads - 1} - t",
            "t == 0 ? 0 : t - 1",
            "t / 2",
            index(m, threads).text,
        )
    )


def _stage(m: Maker, threads: int) -> Iterator[Node]:
    type_ = m.pick((INT, UINT, FLOAT, LONG, *INTEGERS[:4]))
    name, v = m.fresh("s"), m.fresh("v")
    low, high = (-63, 63) if type_.is_float else (type_.low, type_.high)
    value = _stored(m, type_, low, high)
    yield (
        f"__shared__ {type_.name} {name}[{threads}];\n{name}[t] = {value.text};\n__syncthreads();\n"
        f"{type_.name} {v} = {name}[{_neighbour(m, threads)}];"
    )
    m.declare(Variable(v, type_, low, high))
    m.arrays.append(Array(name, type_, threads, low, high, 0, constant=False))


def _tile(m: Maker, threads: int) -> Iterator[Node]:
    """A tile of two dimensions, written in one order and read in another."""
    width = m.pick([w for w in (2, 4, 5, 8, 16, 3, 1) if threads % w == 0])
    height, name, v, pad = threads // width, m.fresh("s"), m.fresh("v"), m.integer(0, 1)
    value = _stored(m, INT, -1000, 1000)
    yield (
        f"__shared__ int {name}[{height}][{width + pad}];\n{name}[t / {width}][t % {width}] = {value.text};\n"
        f"__syncthreads();\nint {v} = {name}[t % {height}][t / {height}];"
    )
    m.declare(Variable(v, INT, -1000, 1000))


def _fold(m: Maker, type_: CType, threads: int) -> tuple[str, int, int, Value]:
    """A way to join two values, its result's range, and what each thread gives."""
    name = m.pick(("+", "min", "max") if type_.is_float else ("+", "+", "min", "max", "&", "|", "^"))
    if name in ("min", "max"):
        call = f"f{name}f" if type_.is_float else name
        low, high = (-63, 63) if type_.is_float else (-(1 << 20), 1 << 20)
        if type_.kind == "uint":
            low = 0
        return f"{{0}} = {call}({{0}}, {{1}});", low, high, _stored(m, type_, low, high)
    most = 63 if type_.is_float else 1023
    value = _stored(m, type_, -most if type_.kind != "uint" else 0, most)
    if name == "+":
        return _FOLDS["+"], -most * threads if type_.kind != "uint" else 0, most * threads, value
    return _FOLDS[name], -1024 if type_.kind != "uint" else 0, 1023, value


def _tree(m: Maker, threads: int) -> Iterator[Node]:
    """A reduction over shared memory, by halves or by growing steps."""
    type_ = m.pick((INT, UINT, FLOAT, LONG))
    step, low, high, value = _fold(m, type_, threads)
    name, d, v = m.fresh("s"), m.fresh("d"), m.fresh("v")
    join = step.format(f"{name}[t]", f"{name}[t + {d}]")
    if threads & (threads - 1) == 0 and m.chance(60):
        head = m.pick(
            (
                f"for (int {d} = {threads // 2}; {d} > 0; {d} >>= 1) {{",
                f"for (unsigned int {d} = {threads // 2}; {d} > 0; {d} /= 2) {{",
            )
        )
        test = f"t < {d}"
    else:
        head = f"for (int {d} = 1; {d} < {threads}; {d} *= 2) {{"
        test = f"t % (2 * {d}) == 0 && t + {d} < {threads}"
    yield (
        f"__shared__ {type_.name} {name}[{threads}];\n{name}[t] = {value.text};\n__syncthreads();\n"
        f"{head}\n  if ({test}) {join}\n  __syncthreads();\n}}\n{type_.name} {v} = {name}[0];"
    )
    m.declare(Variable(v, type_, low, high))


def _broadcast(m: Maker, threads: int) -> Iterator[Node]:
    name = m.fresh("s")
    writer = m.integer(0, threads - 1)
    value = _stored(m, INT, -1000, 1000)
    yield f"__shared__ int {name};\nif (t == {writer}) {name} = {value.text};\n__syncthreads();"
    m.declare(Variable(name, INT, -1000, 1000, assignable=False))


def _histogram(m: Maker, threads: int) -> Iterator[Node]:
    bins, name, j = m.pick((4, 16, 32)), m.fresh("s"), m.fresh("j")
    test = f"if ({condition(m, 1).text}) " if m.chance(40) else ""
    place = index(m, bins).text
    yield (
        f"__shared__ int {name}[{bins}];\n"
        f"for (int {j} = t; {j} < {bins}; {j} += {threads}) {name}[{j}] = 0;\n__syncthreads();\n"
        f"{test}atomicAdd(&{name}[{place}], {m.integer(1, 3)});\n__syncthreads();"
    )
    m.arrays.append(Array(name, INT, bins, 0, 3 * threads, 0, constant=False))


def _scan(m: Maker, threads: int) -> Iterator[Node]:
    name, d, v = m.fresh("s"), m.fresh("d"), m.fresh("v")
    value = _stored(m, INT, -1000, 1000)
    yield (
        f"__shared__ int {name}[{threads}];\n{name}[t] = {value.text};\n__syncthreads();\n"
        f"for (int {d} = 1; {d} < {threads}; {d} <<= 1) {{\n  int {v} = t >= {d} ? {name}[t - {d}] : 0;\n"
        f"  __syncthreads();\n  {name}[t] += {v};\n  __syncthreads();\n}}"
    )
    most = 1000 * threads
    m.arrays.append(Array(name, INT, threads, -most, most, 0, constant=False))
    m.declare(Variable(f"{name}[t]", INT, -most, most, assignable=False))


def _counted(m: Maker, threads: int) -> Iterator[Node]:
    name, v = m.pick((("count", threads), ("or", 1), ("and", 1))), m.fresh("v")
    yield f"int {v} = __syncthreads_{name[0]}({condition(m, 1).text}){' != 0' if name[1] == 1 else ''};"
    m.declare(Variable(v, INT, 0, name[1]))


def _rounds(m: Maker, threads: int) -> Iterator[Node]:
    """A loop that all threads make, with a stage in every round."""
    type_ = m.pick((INT, UINT))
    name, j, v = m.fresh("s"), m.fresh("j"), m.fresh("v")
    low = 0 if type_ is UINT else -1000
    rounds = m.integer(2, 3)
    with m.nested():
        m.declare(Variable(j, INT, 0, rounds - 1, assignable=False))
        m.declare(Variable(v, type_, 0 if type_ is UINT else -1000 * rounds, 1000 * rounds, assignable=False))
        value = _stored(m, type_, low, 1000)
    body = (
        f"{name}[t] = {value.text};\n__syncthreads();\n"
        f"{v} += {name}[{_neighbour(m, threads)}];\n__syncthreads();",
    )
    yield f"__shared__ {type_.name} {name}[{threads}];\n{type_.name} {v} = 0;"
    yield Block(((f"for (int {j} = 0; {j} < {rounds}; {j}++) {{", body),))
    m.declare(Variable(v, type_, 0 if type_ is UINT else -1000 * rounds, 1000 * rounds))


def _shuffle(m: Maker, threads: int) -> Iterator[Node]:
    """One value of another lane."""
    type_ = m.pick((INT, UINT, FLOAT, LONG))
    low, high = (-63, 63) if type_.is_float else (type_.low, type_.high)
    value, v = _stored(m, type_, low, high), m.fresh("v")
    width = m.pick((32, 32, 16, 8))
    tail = f", {width}" if width != WARP else ""
    by = m.integer(1, width - 1)
    move = m.pick(
        (
            f"__shfl_down_sync({_ALL}, {value.text}, {by}{tail})",
            f"__shfl_up_sync({_ALL}, {value.text}, {by}{tail})",
            f"__shfl_xor_sync({_ALL}, {value.text}, {by}{tail})",
            f"__shfl_sync({_ALL}, {value.text}, {by}{tail})",
            f"__shfl_sync({_ALL}, {value.text}, {index(m, width).text}{tail})",
        )
    )
    yield f"{type_.name} {v} = {move};"
    m.declare(Variable(v, type_, low, high))


def _warp_fold(m: Maker, threads: int) -> Iterator[Node]:
    """Every lane folds what it gets, by halves: down, or both ways."""
    type_ = m.pick((INT, UINT, FLOAT))
    step, low, high, value = _fold(m, type_, WARP)
    v, d = m.fresh("v"), m.fresh("d")
    way = m.pick(("xor", "down"))
    moved = f"__shfl_{way}_sync({_ALL}, {v}, {d})"
    yield (
        f"{type_.name} {v} = {value.text};\nfor (int {d} = 16; {d} > 0; {d} >>= 1) {step.format(v, moved)}"
    )
    m.declare(Variable(v, type_, low, high))


def _vote(m: Maker, threads: int) -> Iterator[Node]:
    v, test = m.fresh("v"), condition(m, 1).text
    text, type_, high = m.pick(
        (
            (f"__ballot_sync({_ALL}, {test})", UINT, UINT.high),
            (f"__any_sync({_ALL}, {test})", INT, 1),
            (f"__all_sync({_ALL}, {test})", INT, 1),
            (f"__popc(__ballot_sync({_ALL}, {test}))", INT, 32),
            (f"__popc(__ballot_sync({_ALL}, {test}) & ((1u << (t % 32)) - 1u))", INT, 32),
        )
    )
    text = f"{text} != 0" if high == 1 else text
    yield f"{type_.name} {v} = {text};"
    m.declare(Variable(v, type_, 0, high))


def _block_fold(m: Maker, threads: int) -> Iterator[Node]:
    """A sum of the block: shuffles within warps, shared memory between them."""
    type_ = m.pick((INT, FLOAT))
    value, v, d, name = _stored(m, type_, -63, 63), m.fresh("v"), m.fresh("d"), m.fresh("s")
    warps = threads // WARP
    yield (
        f"{type_.name} {v} = {value.text};\n__shared__ {type_.name} {name}[{warps}];\n"
        f"for (int {d} = 16; {d} > 0; {d} /= 2) {v} += __shfl_down_sync({_ALL}, {v}, {d});\n"
        f"if (t % 32 == 0) {name}[t / 32] = {v};\n__syncthreads();\n"
        f"{v} = t < {warps} ? {name}[t] : ({type_.name})0;\n"
        f"if (t < 32) for (int {d} = 16; {d} > 0; {d} /= 2) {v} += __shfl_down_sync({_ALL}, {v}, {d});"
    )
    most = 63 * threads * WARP
    m.declare(Variable(v, type_, -most, most))


__all__ = ["declaration", "new_variable", "number", "piece"]
