"""The pseudo-code of an arithmetic instruction to a Python function over numpy arrays.

Conditionals become selections: every branch is evaluated for all lanes, and its assignments are kept where
its condition holds. The names the function takes and gives back are the operands of the instruction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from porter.harness.isa import bits, numeric
from porter.harness.isa.bits import Lanes
from porter.harness.isa.pseudocode import (
    Assign,
    Binary,
    Call,
    Cast,
    Choice,
    Concat,
    Expression,
    If,
    Index,
    Name,
    Number,
    PseudocodeError,
    Slice,
    Statement,
    Typed,
    Unary,
    parse,
)
from porter.harness.isa.pseudocode_types import Value, converted, in_one_type, literal, shaped

INPUTS = ("S0", "S1", "S2", "D0", "SCC", "VCC", "EXEC", "SIMM", "IEEE")
OUTPUTS = ("D0", "D1", "SCC", "VCC", "EXEC")
_RAW = ("S0", "S1", "S2", "D0", "D", "SIMM", "EXEC", "SIMM32", "SIMM16")
_ALIASES = {"D": "D0", "SIMM32": "SIMM", "SIMM16": "SIMM"}
_IGNORED = ("ROUND_MODE", "prev_mode")


@dataclass(frozen=True)
class Semantics:
    """`function` takes INPUTS by name and gives a dictionary of what is written, by the names in OUTPUTS.

    Vector carries and comparison results are the bool arrays VCC, one element a lane.
    """

    function: Callable[..., dict[str, Lanes]]
    writes: frozenset[str]
    reads_destination: bool


_CONVERSIONS = {"f16": "float16", "f32": "float32", "f64": "float64"}
_FUNCTIONS: dict[str, tuple[str, str, int]] = {
    "fma": ("N.fma", "", 0),
    "trunc": ("np.trunc", "", 0),
    "floor": ("np.floor", "", 0),
    "fract": ("N.fraction", "", 0),
    "sqrt": ("N.square_root", "", 0),
    "log2": ("N.log2", "", 0),
    "abs": ("np.abs", "", 0),
    "mantissa": ("N.mantissa", "", 0),
    "cvtToQuietNAN": ("N.quieted", "", 0),
    "ldexp": ("N.ldexp", "", 0),
    "exponent": ("N.exponent", "i", 32),
    "sign": ("N.sign", "u", 1),
    "isNAN": ("N.is_nan", "u", 1),
    "isQuietNAN": ("N.is_quiet_nan", "u", 1),
    "isSignalNAN": ("N.is_signal_nan", "u", 1),
    "bf16_to_f32": ("N.bf16_to_f32", "f", 32),
    "f32_to_bf16": ("N.f32_to_bf16", "bf", 16),
}


def lower(text: str, resolve: Callable[[str], Semantics]) -> Semantics:
    """`resolve` knows other instructions by name. Raises PseudocodeError for what cannot be expressed."""
    lowering = _Lowering()
    lowering.statements(parse(text), ())
    body = "\n".join(f"    {line}" for line in lowering.lines)
    written = sorted(lowering.written & set(OUTPUTS))
    result = ", ".join(f"{name!r}: {name}" for name in written)
    source = f"def operation(*, {', '.join(INPUTS)}):\n{body}\n    return {{{result}}}\n"
    names: dict[str, Any] = {"np": np, "B": bits, "N": numeric, "I": partial(_instruction, resolve)}
    exec(compile(source, "<pseudo-code>", "exec"), names)
    return Semantics(names["operation"], frozenset(written), lowering.reads_destination)


def _instruction(resolve: Callable[[str], Semantics], name: str, ieee: bool, *operands: Lanes) -> Lanes:
    """The result of another instruction, as the pseudo-code calls it: `v_max_f32(a, b)`."""
    zero = np.zeros((), np.uint32)
    sources = [bits.raw(operand) for operand in operands] + [zero] * (3 - len(operands))
    wide = [s.astype(np.uint32) if s.dtype.itemsize < 4 else s for s in sources]
    given = dict.fromkeys(INPUTS, zero) | dict(zip(INPUTS, wide, strict=False)) | {"IEEE": ieee}
    return resolve(name).function(**given)["D0"]


@dataclass
class _Lowering:
    lines: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    types: dict[str, tuple[str, int]] = field(default_factory=dict)
    reads_destination: bool = False
    temporaries: int = 0

    def _new(self, text: str) -> str:
        self.temporaries += 1
        self.lines.append(f"t{self.temporaries} = {text}")
        return f"t{self.temporaries}"

    def statements(self, block: tuple[Statement, ...], masks: tuple[str, ...]) -> None:
        for statement in block:
            if isinstance(statement, If):
                self._conditional(statement, masks)
            else:
                self._assign(statement, masks)

    def _conditional(self, statement: If, masks: tuple[str, ...]) -> None:
        earlier: list[str] = []
        for condition, block in statement.branches:
            own = [f"~{name}" for name in earlier]
            if condition is not None:
                name = self._new(f"np.asarray({self._truth(condition)})")
                own.append(name)
                earlier.append(name)
            mask = self._new(" & ".join((*masks, *own)))
            self.statements(block, (mask,))

    def _truth(self, condition: Expression) -> str:
        value = self.value(condition)
        return value.text if value.bits == 1 else f"({value.text} != 0)"

    # Assignments

    def _assign(self, statement: Assign, masks: tuple[str, ...]) -> None:
        target = statement.target
        if isinstance(target, Name) and target.text in _IGNORED:
            return
        if isinstance(target, Index | Typed | Slice | Name):
            name, value = self._assigned(target, statement.value)
            if masks and name in self._known():
                value = f"np.where({masks[0]}, {value}, {name})"
            self.lines.append(f"{name} = {value}")
            self.written.add(name)
            return
        raise PseudocodeError("a target that is no name")

    def _known(self) -> set[str]:
        return self.written | set(INPUTS)

    def _assigned(self, target: Expression, source: Expression) -> tuple[str, str]:
        """The variable and the text of its whole new value."""
        if isinstance(target, Index) and _is_lane_bit(target):
            name = "VCC" if _base_name(target) in ("D0", "VCC") else _base_name(target)
            return name if name != "EXEC" else "VCC", self._truth(source)
        if isinstance(target, Name):
            value = self.value(source)
            name = _variable(target.text)
            if name in ("SCC", "VCC"):
                return name, self._truth(source)
            if name == "D0":
                return name, f"B.raw({value.text})"
            self.types[name] = (value.kind, value.bits or 32)
            return name, shaped(value).text
        if isinstance(target, Typed) and isinstance(target.value, Name):
            return self._assigned_typed(target, target.value.text, source)
        slice_, kind, width = _slice_target(target)
        name = _variable(_base_name(slice_))
        high, low = _constant(slice_.high), _constant(slice_.low)
        value = converted(self.value(source), kind, width) if kind else self.value(source)
        if name != "D0":
            self.types.setdefault(name, ("b", 64 if high > 31 else 32))
        else:
            self.reads_destination |= not (low == 0 and high in (31, 63))
        old = name if name in self._known() else f"np.zeros((), np.uint{64 if high > 31 else 32})"
        return name, f"B.insert({old}, {high}, {low}, {value.text})"

    def _assigned_typed(self, target: Typed, name: str, source: Expression) -> tuple[str, str]:
        name = _variable(name)
        value = converted(self.value(source), target.kind, target.bits)
        if name == "D0" and target.bits < 32:
            self.reads_destination = True
            return name, f"B.insert(D0, {target.bits - 1}, 0, {value.text})"
        if name in ("D0", "EXEC", "D1"):
            return name, f"B.raw({value.text})"
        self.types[name] = (target.kind, target.bits)
        return name, value.text

    # Expressions

    def value(self, node: Expression) -> Value:
        match node:
            case Number():
                return literal(node)
            case Name():
                return self._name(node.text)
            case Typed():
                return self._typed(node)
            case Slice():
                return self._slice(node)
            case Index():
                return self._index(node)
            case Cast():
                return self._cast(node)
            case Call():
                return self._call(node)
            case Unary():
                return self._unary(node)
            case Choice():
                return self._choice(node)
            case Concat():
                return self._concat(node)
            case Binary():
                return self._binary(node)

    def _name(self, text: str) -> Value:
        name = _variable(text)
        if name == "D0":
            self.reads_destination |= "D0" not in self.written
        if text in _RAW:
            return Value(name, "b", 0)
        if name in ("SCC", "VCC"):
            return Value(name, "u", 1)
        if text == "WAVE_MODE.IEEE":
            return Value("IEEE", "u", 1)
        if text in ("INF", "PI"):
            return Value("np.float64(np.inf)" if text == "INF" else "np.pi", "f", 64)
        if name in self.types:
            return Value(name, *self.types[name])
        raise PseudocodeError(f"the name {text!r} is not known")

    def _typed(self, node: Typed) -> Value:
        if isinstance(node.value, Index) and _is_lane_bit(node.value):
            return converted(Value("VCC", "u", 1), node.kind, node.bits)
        value = shaped(self.value(node.value))
        if isinstance(node.value, Name) and node.value.text in ("INF", "NAN"):
            return Value(f"np.float{node.bits}({value.text})", "f", node.bits)
        if value.bits == 1:
            return converted(value, node.kind, node.bits)
        return Value(f"B.typed({value.text}, {node.kind!r}, {node.bits})", node.kind, node.bits)

    def _slice(self, node: Slice) -> Value:
        value = self.value(node.value)
        high, low = _constant(node.high), _constant(node.low)
        width = abs(high - low) + 1
        return Value(f"B.field({value.text}, {high}, {low})", "u", 64 if width > 32 else 32)

    def _index(self, node: Index) -> Value:
        if _is_lane_bit(node):
            return Value("VCC", "u", 1)
        return Value(f"B.bit({self.value(node.value).text}, {self.value(node.at).text})", "u", 1)

    def _cast(self, node: Cast) -> Value:
        kind = {"U": "u", "I": "i", "F": "f", "B": "b", "BF": "bf"}[node.kind]
        value = self.value(node.value)
        if kind == "f" and (isinstance(node.value, Number) or value.kind == "b"):
            same = shaped(value) if value.bits else Value(f"np.uint{node.bits}({value.text})", "u", 32)
            return Value(f"B.typed({same.text}, 'f', {node.bits})", "f", node.bits)
        if kind == "f" and value.kind == "bf":
            return Value(f"N.bf16_to_f32({value.text})", "f", 32)
        if node.bits > 64:
            raise PseudocodeError(f"a number of {node.bits} bits")
        return converted(value, kind, node.bits)

    def _call(self, node: Call) -> Value:
        arguments = [self.value(argument) for argument in node.arguments]
        first = arguments[0]
        text = ", ".join(a.text for a in arguments)
        if node.function in _FUNCTIONS:
            name, kind, width = _FUNCTIONS[node.function]
            return Value(f"{name}({text})", kind or first.kind, width or first.bits)
        if node.function == "pow" and isinstance(node.arguments[0], Number):
            return Value(f"N.exp2({arguments[1].text})", "f", arguments[1].bits)
        if node.function == "signext":
            return Value(f"np.asarray({first.text}).astype(np.int64)", "i", 64)
        if node.function == "isEven":
            return Value(f"(np.fmod({first.text}, 2.0) == 0)", "u", 1)
        if instruction := re.fullmatch(r"v_\w+_([uif])(16|32|64)", node.function):
            kind, width = instruction.group(1), int(instruction.group(2))
            called = f"I({node.function.upper()!r}, IEEE, {text})"
            return Value(f"B.typed({called}, {kind!r}, {width})", kind, width)
        source, _, target = node.function.partition("_to_")
        if target:
            return self._conversion(first, source, target)
        raise PseudocodeError(f"the function {node.function!r} is not known")

    def _conversion(self, value: Value, source: str, target: str) -> Value:
        known = {"u": "uint", "i": "int"}
        if target in _CONVERSIONS:
            return Value(f"N.to_float({value.text}, '{_CONVERSIONS[target]}')", "f", int(target[1:]))
        if source in _CONVERSIONS and target[:1] in known and target[1:].isdigit():
            name = known[target[0]] + target[1:]
            return Value(f"N.float_to_integer({value.text}, {name!r})", target[0], int(target[1:]))
        narrow = source[1:].isdigit() and target[1:].isdigit() and int(source[1:]) > int(target[1:])
        if source[:1] in known and target[:1] in known and not narrow:
            return converted(value, target[0], int(target[1:]))
        raise PseudocodeError(f"the conversion {source} to {target} is not known")

    def _unary(self, node: Unary) -> Value:
        value = self.value(node.value)
        if node.operator == "+":
            return value
        if node.operator == "!":
            return Value(f"np.logical_not({value.text})", "u", 1)
        return Value(f"({node.operator}{shaped(value).text})", value.kind, value.bits)

    def _choice(self, node: Choice) -> Value:
        then, otherwise = in_one_type(self.value(node.then), self.value(node.otherwise))
        text = f"np.where({self._truth(node.condition)}, {then.text}, {otherwise.text})"
        return Value(text, then.kind, then.bits)

    def _concat(self, node: Concat) -> Value:
        parts = [self.value(part) for part in node.parts]
        if not all(part.bits for part in parts):
            raise PseudocodeError("a concatenation of values without a size")
        text = ", ".join(f"({part.text}, {part.bits})" for part in parts)
        return Value(f"B.join([{text}])", "b", 64 if sum(part.bits for part in parts) > 32 else 32)

    def _binary(self, node: Binary) -> Value:
        if node.operator in ("&&", "||"):
            name = "logical_and" if node.operator == "&&" else "logical_or"
            return Value(f"np.{name}({self._truth(node.left)}, {self._truth(node.right)})", "u", 1)
        left, right = self.value(node.left), self.value(node.right)
        if node.operator in ("<<", ">>"):
            left = shaped(left)
            count = f"np.asarray({right.text}).astype(np.{bits.dtype_of(left.kind, left.bits)})"
            return Value(f"({left.text} {node.operator} {count})", left.kind, left.bits)
        left, right = in_one_type(left, right)
        operator = {"<>": "!="}.get(node.operator, node.operator)
        if operator in ("==", "!=", "<", ">", "<=", ">="):
            return Value(f"({left.text} {operator} {right.text})", "u", 1)
        if (operator == "/" and not left.is_float) or operator == "**":
            raise PseudocodeError(f"{operator} of these types")
        if left.bits == 1 and operator in ("+", "-"):
            left, right = converted(left, "u", 32), converted(right, "u", 32)
        return Value(f"({left.text} {operator} {right.text})", left.kind, left.bits)


def _variable(name: str) -> str:
    """The Python variable of an operand, or of a variable of the text (which may be called `in`)."""
    name = _ALIASES.get(name, name)
    return name if name in INPUTS or name in OUTPUTS else f"v_{name}"


def _is_lane_bit(node: Index) -> bool:
    return isinstance(node.at, Name) and node.at.text == "laneId"


def _base_name(node: Expression) -> str:
    while not isinstance(node, Name):
        if not isinstance(node, Typed | Slice | Index):
            raise PseudocodeError("a target that is no name")
        node = node.value
    return node.text


def _slice_target(target: Expression) -> tuple[Slice, str, int]:
    """`x[h : l].f32`, `x.u32[h : l]` or `x[h : l]`."""
    if isinstance(target, Typed) and isinstance(target.value, Slice):
        return target.value, target.kind, target.bits
    if isinstance(target, Slice):
        return target, "", 0
    raise PseudocodeError("a target that is neither a name nor a range of bits")


def _constant(node: Expression) -> int:
    if isinstance(node, Number) and isinstance(node.value, int):
        return node.value
    raise PseudocodeError("a bit position that is not constant")
