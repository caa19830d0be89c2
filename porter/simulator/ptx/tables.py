"""What each PTX instruction calls. A handler takes the instruction apart and writes one C++ statement.

Calls are to functions of `porter_sim/ptx*.h`, named after the instruction, typed by their arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from porter.simulator.ptx.emit import C_TYPES, Emitter, Unsupported, plain
from porter.simulator.ptx.tables_memory import MEMORY
from porter.simulator.ptx.tables_warp import WARP
from porter.simulator.ptx.text import Instruction

Handler = Callable[[Emitter, Instruction], str]

_ROUNDINGS = {
    "rn": "nearest",
    "rz": "zero",
    "rm": "down",
    "rp": "up",
    "rni": "nearest",
    "rzi": "zero",
    "rmi": "down",
    "rpi": "up",
    "rna": "away",
}
_IGNORED = ("approx", "full", "wrap", "aligned", "noftz")


def _parts(i: Instruction, *allowed: str) -> tuple[str, set[str]]:
    """The type (the last modifier) and the other modifiers, which must be among `allowed`."""
    if not i.modifiers or i.modifiers[-1] not in C_TYPES:
        raise Unsupported(f"'{i.name}' is not simulated")
    others = set(i.modifiers[:-1])
    unknown = others - set(allowed) - set(_IGNORED) - set(_ROUNDINGS) - {"ftz"}
    if unknown:
        raise Unsupported(f"'{i.name}' is not simulated (.{min(unknown)})")
    return i.modifiers[-1], others


def _count(i: Instruction, *counts: int) -> None:
    if len(i.operands) not in counts:
        raise Unsupported(f"'{i.name}' with {len(i.operands)} operands is not simulated")


def _rounding(modifiers: set[str]) -> str:
    found = [_ROUNDINGS[m] for m in modifiers if m in _ROUNDINGS]
    return f"::porter_sim::Rounding::{found[0] if found else 'nearest'}"


def _arithmetic(arguments: int, *allowed: str) -> Handler:
    """`op.type d, a, b, …`; floats with their rounding, `.ftz` and `.sat`."""

    def handle(e: Emitter, i: Instruction) -> str:
        kind, others = _parts(i, "sat", "NaN", *allowed)
        _count(i, arguments + 1)
        values = [e.read(o, kind) for o in i.operands[1:]]
        if kind.startswith("f32") and "ftz" in others:
            values = [f"::porter_sim::ptx::flushed({v})" for v in values]
        name = i.opcode if "NaN" not in others else f"{i.opcode}_nan"
        if kind[0] in "fb" and i.opcode in ("add", "sub", "mul", "mad", "fma", "div", "sqrt", "rcp"):
            name = "fma" if name == "mad" else name
            values.append(_rounding(others))
        elif "sat" in others:
            name += "_sat"
        value = f"::porter_sim::ptx::{name}({', '.join(values)})"
        if kind.startswith("f") and "sat" in others:
            value = f"::porter_sim::ptx::saturated({value})"
        if kind == "f32" and "ftz" in others:
            value = f"::porter_sim::ptx::flushed({value})"
        return e.write(i.operands[0], kind, value)

    return handle


def _carried(e: Emitter, i: Instruction) -> str:
    kind, others = _parts(i, "cc", "lo", "hi")
    values = [e.read(o, kind.replace("s", "u")) for o in i.operands[1:]]
    half = "lo" if "lo" in others else "hi" if "hi" in others else ""
    takes = "true" if i.opcode in ("addc", "subc", "madc") else "false"
    sets = "true" if "cc" in others else "false"
    base = i.opcode.removesuffix("c") if takes == "true" else i.opcode
    if base == "mad":
        product = (
            f"::porter_sim::ptx::mul_{half}({e.read(i.operands[1], kind)}, {e.read(i.operands[2], kind)})"
        )
        values = [f"({e.type(kind.replace('s', 'u'))})({product})", values[2]]
        base = "add"
    call = f"::porter_sim::ptx::{base}_carry<{takes}, {sets}>({', '.join(values)})"
    return e.write(i.operands[0], kind.replace("s", "u"), call)


def _add(e: Emitter, i: Instruction) -> str:
    return _carried(e, i) if "cc" in i.modifiers else _arithmetic(2)(e, i)


def _multiply(e: Emitter, i: Instruction) -> str:
    if "cc" in i.modifiers:
        return _carried(e, i)
    kind, others = _parts(i, "lo", "hi", "wide", "sat")
    half = next((m for m in ("lo", "hi", "wide") if m in others), None)
    if half is None:
        return _arithmetic(len(i.operands) - 1)(e, i)
    _count(i, 3 if i.opcode == "mul" else 4)
    product = f"::porter_sim::ptx::mul_{half}({e.read(i.operands[1], kind)}, {e.read(i.operands[2], kind)})"
    result = kind if half != "wide" else f"{kind[0]}{2 * int(kind[1:])}"
    if i.opcode == "mad":
        product = f"::porter_sim::ptx::add({product}, {e.read(i.operands[3], result)})"
    return e.write(i.operands[0], result, product)


def _move(e: Emitter, i: Instruction) -> str:
    kind, _ = _parts(i)
    _count(i, 2)
    target, source = i.operands
    if kind == "pred":
        return e.write(target, kind, e.predicate(source))
    width = int(C_TYPES[kind].strip("uint_") or 0) if C_TYPES[kind][0] in "ui" else 0
    if source.startswith("{"):
        parts = e.vector(source)
        each = f"b{width // len(parts)}"
        value = f"::porter_sim::ptx::packed<{e.type(kind)}>({', '.join(e.read(p, each) for p in parts)})"
        return e.write(target, kind, value)
    if target.startswith("{"):
        parts = e.vector(target)
        bits = width // len(parts)
        value = e.read(source, kind)
        return " ".join(
            e.write(p, f"b{bits}", f"(uint{bits}_t)({value} >> {bits * n})") for n, p in enumerate(parts)
        )
    return e.write(target, kind, e.read(source, kind))


def _with_types(name: str, *kinds: str) -> Handler:
    """Operands whose types are not the instruction's own, e.g. shift amounts; `T` stands for its own."""

    def handle(e: Emitter, i: Instruction) -> str:
        kind, _ = _parts(i)
        _count(i, len(kinds))
        types = [kind if k == "T" else k for k in kinds]
        values = [e.read(o, k) for o, k in zip(i.operands[1:], types[1:], strict=True)]
        return e.write(i.operands[0], types[0], f"::porter_sim::ptx::{name}({', '.join(values)})")

    return handle


def _logic(e: Emitter, i: Instruction) -> str:
    kind, _ = _parts(i)
    sign = {"and": "&", "or": "|", "xor": "^"}[i.opcode]
    left, right = (e.read(o, kind) for o in i.operands[1:])
    return e.write(i.operands[0], kind, f"({e.type(kind)})({left} {sign} {right})")


def _not(e: Emitter, i: Instruction) -> str:
    kind, _ = _parts(i)
    return e.write(
        i.operands[0],
        kind,
        f"({e.type(kind)})({'!' if kind == 'pred' else '~'}{e.read(i.operands[1], kind)})",
    )


def _funnel(e: Emitter, i: Instruction) -> str:
    clamps = "clamp" in i.modifiers
    kind, others = _parts(i, "l", "r", "clamp")
    name = f"::__funnelshift_{'l' if 'l' in others else 'r'}{'c' if clamps else ''}"
    return e.write(i.operands[0], kind, f"{name}({', '.join(e.read(o, kind) for o in i.operands[1:])})")


def _permute(e: Emitter, i: Instruction) -> str:
    if i.modifiers != ("b32",):
        raise Unsupported(f"'{i.name}' is not simulated")
    arguments = ", ".join(e.read(operand, "b32") for operand in i.operands[1:])
    return e.write(i.operands[0], "b32", f"::porter_sim::ptx::prmt({arguments})")


def _dot(e: Emitter, i: Instruction) -> str:
    *halves, left, right = i.modifiers
    if {left, right} - {"u32", "s32"}:
        raise Unsupported(f"'{i.name}' is not simulated")
    first = "2" if "hi" in halves else "0"
    result = "s32" if "s32" in (left, right) else "u32"
    values = [e.read(i.operands[1], left), e.read(i.operands[2], right), e.read(i.operands[3], result)]
    if i.opcode == "dp2a":
        values.append(first)
    return e.write(i.operands[0], result, f"::porter_sim::ptx::{i.opcode}({', '.join(values)})")


def _set_predicate(e: Emitter, i: Instruction) -> str:
    kind, others = _parts(i, *_COMPARISONS, "and", "or", "xor")
    comparison = next((m for m in i.modifiers if m in _COMPARISONS), None)
    if comparison is None:
        raise Unsupported(f"'{i.name}' is not simulated")
    left, right = (e.read(o, kind) for o in i.operands[1:3])
    test = f"::porter_sim::ptx::{_COMPARISONS[comparison]}({left}, {right})"
    sign = next((s for m, s in (("and", "&&"), ("or", "||"), ("xor", "!=")) if m in others), None)
    targets = i.operands[0].split("|")
    values = [f"{test}", f"!{test}"]
    if sign:
        third = e.predicate(i.operands[3])
        values = [f"({v} {sign} {third})" for v in values]
    return " ".join(e.write(t.strip(), "pred", v) for t, v in zip(targets, values, strict=False))


_COMPARISONS = {
    **{name: name for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "lo": "lt",
    "ls": "le",
    "hi": "gt",
    "hs": "ge",
    "num": "num",
    "nan": "nan",
    **{name: name for name in ("equ", "neu", "ltu", "leu", "gtu", "geu")},
}


def _select(e: Emitter, i: Instruction) -> str:
    kind, _ = _parts(i)
    yes, no, test = e.read(i.operands[1], kind), e.read(i.operands[2], kind), e.predicate(i.operands[3])
    return e.write(i.operands[0], kind, f"{test} ? {yes} : {no}")


def _convert(e: Emitter, i: Instruction) -> str:
    kinds = [m for m in i.modifiers if m in C_TYPES or m in ("e4m3x2", "e5m2x2")]
    others = set(i.modifiers) - set(kinds)
    unknown = others - set(_ROUNDINGS) - {"ftz", "sat", "satfinite", "relu"}
    if len(kinds) != 2 or unknown:
        raise Unsupported(f"'{i.name}' is not simulated")
    to, source = kinds
    if to.endswith("x2") or source.endswith("x2"):
        return _convert_pair(e, i, to, source)
    if to == "tf32":
        value = f"::porter_sim::round_to_tf32({e.read(i.operands[1], source)})"
        return e.write(i.operands[0], "f32", value)
    whole = "true" if any(m in others for m in ("rni", "rzi", "rmi", "rpi")) else "false"
    value = e.read(i.operands[1], source)
    if "ftz" in others and source == "f32":
        value = f"::porter_sim::ptx::flushed({value})"
    value = f"::porter_sim::ptx::cvt<{e.type(to)}, {whole}>({value}, {_rounding(others)})"
    if "sat" in others:
        value = (
            f"::porter_sim::ptx::cvt_sat<{e.type(to)}>({e.read(i.operands[1], source)}, {_rounding(others)})"
        )
    return e.write(i.operands[0], to, value)


def _convert_pair(e: Emitter, i: Instruction, to: str, source: str) -> str:
    if source in ("e4m3x2", "e5m2x2"):
        value = f"::porter_sim::ptx::unpack_{source}({e.read(i.operands[1], 'b16')})"
        return e.write(i.operands[0], "b32", value)
    if len(i.operands) == 2:
        value = f"::porter_sim::ptx::pack_{to}({e.read(i.operands[1], source)})"
        return e.write(i.operands[0], "b16", value)
    relu = "true" if "relu" in i.modifiers else "false"
    high, low = (e.read(o, source) for o in i.operands[1:3])
    value = f"::porter_sim::ptx::pack_{to}({high}, {low}, {_rounding(set(i.modifiers))}, {relu})"
    return e.write(i.operands[0], "b16" if to.startswith("e") else "b32", value)


def _branch(e: Emitter, i: Instruction) -> str:
    del e
    return f"goto porter_label_{plain(i.operands[0])};"


def _approximate(name: str) -> Handler:
    def handle(e: Emitter, i: Instruction) -> str:
        kind, others = _parts(i)
        value = e.read(i.operands[1], kind)
        if "ftz" in others:
            value = f"::porter_sim::ptx::flushed({value})"
        value = f"::porter_sim::ptx::{name}({value})"
        return e.write(
            i.operands[0], kind, f"::porter_sim::ptx::flushed({value})" if "ftz" in others else value
        )

    return handle


_PARTS_OPERATIONS = {
    "vadd": "x + y",
    "vsub": "x - y",
    "vabsdiff": "x < y ? y - x : x - y",
    "vmin": "x < y ? x : y",
    "vmax": "x < y ? y : x",
}


def _by_parts(e: Emitter, i: Instruction) -> str:
    """`vadd4.dtype.atype.btype{.sat}{.add} d, a, b, c`: two halves or four bytes of whole registers."""
    _count(i, 4)
    kinds, others = i.modifiers[:3], set(i.modifiers[3:])
    if not set(kinds) <= {"u32", "s32"} or others - {"sat", "add"} or others == {"sat", "add"}:
        raise Unsupported(f"'{i.name}' is not simulated")
    signed = [str(kind == "s32").lower() for kind in (kinds[1], kinds[2], kinds[0])]
    flags = [str(name in others).lower() for name in ("sat", "add")]
    parameters = ", ".join([str(32 // int(i.opcode[-1])), *signed, *flags])
    operation = f"[](int x, int y) {{ return {_PARTS_OPERATIONS[i.opcode[:-1]]}; }}"
    values = ", ".join(e.read(operand, "u32") for operand in i.operands[1:])
    return e.write(i.operands[0], "u32", f"::porter_sim::ptx::by_parts<{parameters}>({values}, {operation})")


HANDLERS: dict[str, Handler] = {
    **{f"{name}{count}": _by_parts for name in _PARTS_OPERATIONS for count in (2, 4)},
    "mov": _move,
    "add": _add,
    "sub": _add,
    "addc": _carried,
    "subc": _carried,
    "madc": _carried,
    "mul": _multiply,
    "mad": _multiply,
    "fma": _arithmetic(3),
    "div": _arithmetic(2),
    "rem": _arithmetic(2),
    "min": _arithmetic(2),
    "max": _arithmetic(2),
    "abs": _arithmetic(1),
    "neg": _arithmetic(1),
    "sqrt": _arithmetic(1),
    "rcp": _arithmetic(1),
    "sad": _arithmetic(3),
    "copysign": _arithmetic(2),
    **{name: _approximate(name) for name in ("ex2", "lg2", "sin", "cos", "tanh", "rsqrt")},
    "and": _logic,
    "or": _logic,
    "xor": _logic,
    "not": _not,
    "cnot": _with_types("cnot", "T", "T"),
    "shl": _with_types("shl", "T", "T", "u32"),
    "shr": _with_types("shr", "T", "T", "u32"),
    "shf": _funnel,
    "prmt": _permute,
    "lop3": _with_types("lop3", "T", "T", "T", "T", "u32"),
    "bfe": _with_types("bfe", "T", "T", "u32", "u32"),
    "bfi": _with_types("bfi", "T", "T", "T", "u32", "u32"),
    "popc": _with_types("popc", "u32", "T"),
    "clz": _with_types("clz", "u32", "T"),
    "brev": _with_types("brev", "T", "T"),
    "bfind": _with_types("bfind", "u32", "T"),
    "dp4a": _dot,
    "dp2a": _dot,
    "setp": _set_predicate,
    "selp": _select,
    "cvt": _convert,
    "bra": _branch,
    **MEMORY,
    **WARP,
}


def statement(e: Emitter, i: Instruction) -> str:
    """Raises Unsupported."""
    handler = HANDLERS.get(i.opcode)
    if handler is None:
        raise Unsupported(f"'{i.name}' is not simulated")
    try:
        text = handler(e, i)
    except (IndexError, ValueError, KeyError) as problem:
        raise Unsupported(f"'{i.name}' with these operands is not simulated") from problem
    if i.guard is None:
        return text
    return f"if ({'!' if i.negated else ''}{e.predicate(i.guard)}) {{ {text} }}"
