"""Names, types and numbers in the kernel IR's text, the same for the printer and the parser.

A variable or record is written by its own name; `name#2` is the second one of a name that is visible at once,
and a name that the grammar gives a meaning of its own, or that is no identifier, stands in backquotes.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator

from porter.cuda.kir import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
)

BUILTINS = frozenset(
    ("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "warpIdx", "laneIdx", "warpDim")
)
SCALAR_TYPE = re.compile(r"bool|(?:int|uint|float|bfloat)\d+")
VECTOR_TYPE = re.compile(rf"({SCALAR_TYPE.pattern})x(\d+)")
SUFFIXES: dict[Type, str] = {
    INT32: "", INT64: "l", UINT32: "u", UINT64: "ul", FLOAT64: "", FLOAT32: "f", FLOAT16: "h", BFLOAT16: "b",
    Scalar("int", 8): "i8", Scalar("int", 16): "i16", Scalar("uint", 8): "u8", Scalar("uint", 16): "u16",
}  # fmt: skip
"""What follows a constant of each type; int32 and float64 need nothing."""

_SIMPLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUALIFIED = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*", re.ASCII)
_ARGUMENTS = re.compile(r"[\w:, *&.<>?-]", re.ASCII)
_RESERVED = BUILTINS | {
    "true", "false", "null", "inf", "nan", "void", "const", "if", "else", "for", "while", "do", "break",
    "continue", "return",
}  # fmt: skip
_RESERVED_FORM = re.compile(rf"{SCALAR_TYPE.pattern}|{VECTOR_TYPE.pattern}|bits_as_.*|(?:inf|nan)[fhb]")


def quoted(name: str) -> str:
    """`name` as it is where it is an identifier without another meaning, else in backquotes."""
    plain = _SIMPLE.fullmatch(name) and name not in _RESERVED and not _RESERVED_FORM.fullmatch(name)
    return name if plain else f"`{name}`"


def quoted_qualified(name: str) -> str:
    """`ns::name` as it is, any other spelling as `quoted`."""
    return name if "::" in name and _QUALIFIED.fullmatch(name) else quoted(name)


def quoted_function(name: str) -> str:
    """`ns::name<int, 4>` as it is where its brackets are only angle brackets, else in backquotes."""
    return name if function_name_end(name, 0) == len(name) else f"`{name}`"


def function_name_end(text: str, start: int) -> int:
    """Where the qualified name with template arguments that begins at `start` ends; `start` for none."""
    found = _QUALIFIED.match(text, start)
    if found is None:
        return start
    end = found.end()
    if text[end : end + 1] != "<":
        return end
    closed = argument_end(text, end + 1, ">")
    if closed is None or closed == len(text):
        return start
    more = closed + 3 if text.startswith("::", closed + 1) else closed + 1
    return function_name_end(text, more) if more == closed + 3 else more


def argument_end(text: str, start: int, stops: str) -> int | None:
    """The first of `stops` outside of angle brackets, or the text's end; None where it cannot be told."""
    depth = 0
    for at in range(start, len(text)):
        if depth == 0 and text[at] in stops:
            return at
        depth += {"<": 1, ">": -1}.get(text[at], 0)
        if depth < 0 or not _ARGUMENTS.fullmatch(text[at]):
            return None
    return len(text) if depth == 0 else None


def template_argument(spelling: str) -> str:
    """One template argument of a kernel, in backquotes where a comma or bracket would be misread."""
    plain = argument_end(spelling, 0, ",>") == len(spelling) and spelling.strip() == spelling
    return spelling if plain and spelling else f"`{spelling}`"


def without_number(name: str) -> str:
    """The name that `name#2` numbers."""
    return re.sub(r"#\d+$", "", name)


def numbered(text: str, taken: Callable[[str], bool]) -> str:
    """`text`, or the first of `text#2`, `text#3` … that is not taken."""
    candidate, count = text, 1
    while taken(candidate):
        count += 1
        candidate = f"{text}#{count}"
    return candidate


# --- types ---


class TypeNames:
    """How the records of one kernel are called in its text; two different ones never share a name."""

    def __init__(self, types: Iterable[Type] = ()) -> None:
        self.records: dict[Struct, str] = {}
        for type_ in types:
            for record in _records(type_):
                self._add(record)

    def _add(self, record: Struct) -> None:
        if record not in self.records:
            taken = set(self.records.values())
            self.records[record] = numbered(quoted_qualified(record.name), taken.__contains__)

    def text(self, type_: Type) -> str:
        if isinstance(type_, Struct):
            return self.records.get(type_) or quoted_qualified(type_.name)
        if isinstance(type_, Pointer):
            pointee = self.text(type_.pointee)
            shown = f"({pointee})" if isinstance(type_.pointee, Array) else pointee
            return f"*{'const ' if type_.is_const else ''}{shown}"
        if isinstance(type_, Array):
            return f"{self.text(type_.element)}[{', '.join(map(str, type_.shape))}]"
        return str(type_)


def _records(type_: Type) -> Iterator[Struct]:
    """The records in a type, those that another one holds first."""
    if isinstance(type_, Struct):
        for _, field in type_.fields:
            yield from _records(field)
        yield type_
    elif isinstance(type_, Pointer):
        yield from _records(type_.pointee)
    elif isinstance(type_, Array):
        yield from _records(type_.element)


def scalar_named(name: str) -> Scalar | None:
    if name == "bool":
        return BOOL
    found = SCALAR_TYPE.fullmatch(name)
    kind = name.rstrip("0123456789")
    return Scalar(kind, int(name[len(kind) :])) if found else None


def vector_named(name: str) -> Vector | None:
    found = VECTOR_TYPE.fullmatch(name)
    element = scalar_named(found.group(1)) if found else None
    return Vector(element, int(found.group(2))) if found and element else None


# --- numbers ---


def format_number(value: int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def format_constant(value: int | float | bool, type_: Scalar) -> str:
    """A number with the suffix of its type."""
    if type_.kind == "bool":
        return "true" if value else "false"
    if type_.kind in ("int", "uint"):
        return f"{int(value)}{_suffix(type_)}"
    shown = shortest_float32(float(value)) if type_ == FLOAT32 else repr(float(value))
    return shown + _suffix(type_)


def _suffix(type_: Scalar) -> str:
    return SUFFIXES.get(type_, f"{type_.kind[0]}{type_.bits}")


def shortest_float32(value: float) -> str:
    """The fewest digits that give the same single-precision number."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        try:
            same = struct.unpack("f", struct.pack("f", float(text)))[0] == value
        except OverflowError:
            continue
        if same:
            return repr(float(text))
    return repr(float(value))
