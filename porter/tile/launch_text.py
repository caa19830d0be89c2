"""The host code's grid expression as Python over the launcher's arguments.

Understands integer arithmetic, parentheses, casts to integer types, `dim3(…)`, and the usual spellings of a
rounded-up division. Anything else gives None: the launcher then asks for its grid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"\s*(?:(\d+(?:[uUlL]*))|([A-Za-z_]\w*(?:::\w+)*)|(<=|>=|==|!=|&&|\|\||<<|>>|.))")
_CASTS = frozenset(
    {"int", "unsigned", "long", "size_t", "uint", "uint32_t", "int32_t", "int64_t", "uint64_t", "std::size_t"}
)
_CALLS = {"min": "min", "max": "max", "std::min": "min", "std::max": "max"}
_DEPTH = 12


@dataclass(frozen=True)
class _Term:
    """Python text with its precedence: 0 sum, 1 product, 2 atom."""

    text: str
    level: int

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


class _Unknown(Exception):
    pass


def python_grid(
    text: str, names: Mapping[str, str], resolved: Mapping[str, str]
) -> tuple[str, str, str] | None:
    """The three grid extents as Python, or None.

    `names` maps an argument's text in the launch to the launcher's parameter; `resolved` an identifier to
    the initialiser of the constant it names.
    """
    try:
        parts = _dim3(text.strip(), names, resolved, 0)
    except _Unknown:
        return None
    x, y, z = [*parts, "1", "1", "1"][:3]
    return x, y, z


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether Python text of `python_grid` has one of the launcher's names (`n`, `block[0]`) in it."""
    found = set(re.findall(r"[A-Za-z_]\w*(?:\[\d\])?", text))
    return not found.isdisjoint(names)


def python_integer(text: str, names: Mapping[str, str], resolved: Mapping[str, str]) -> str | None:
    """One integer expression as Python, or None."""
    try:
        return _Parser(text, names, resolved, 0).whole()
    except _Unknown:
        return None


def python_shared_bytes(text: str, names: Mapping[str, str], resolved: Mapping[str, str]) -> str | None:
    """The launch's third parameter as Python, or None."""
    return python_integer(_without_sizeof(text), names, {k: _without_sizeof(v) for k, v in resolved.items()})


def times_size(text: str, size: int) -> str | None:
    """`n` for `n * 4` and a size of 4; None for what is no such product."""
    elements = text.removesuffix(f" * {size}")
    if elements == text:
        return None
    if elements.startswith("(") and _encloses(elements):
        return elements[1:-1]
    return elements if re.fullmatch(r"[\w\[\]]+( \* [\w\[\]]+)*", elements) else None


def _without_sizeof(text: str) -> str:
    """`sizeof` of the arithmetic types as numbers; of anything else it stays, and is not understood."""
    return _SIZEOF.sub(lambda found: str(_SIZES.get(" ".join(found[1].split()), found[0])), text)


_SIZEOF = re.compile(r"\bsizeof\s*\(\s*([\w ]+?)\s*\)")
_SIZES = {
    "float": 4, "double": 8, "int": 4, "unsigned": 4, "unsigned int": 4, "uint": 4, "char": 1, "bool": 1,
    "unsigned char": 1, "short": 2, "unsigned short": 2, "half": 2, "__half": 2, "__nv_bfloat16": 2,
    "long": 8, "unsigned long": 8, "size_t": 8, "long long": 8, "unsigned long long": 8,
    "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8,
    "uint64_t": 8, "float2": 8, "float3": 12, "float4": 16, "int2": 8, "int4": 16, "uint4": 16, "double2": 16,
}  # fmt: skip


def _dim3(text: str, names: Mapping[str, str], resolved: Mapping[str, str], depth: int) -> list[str]:
    if depth > _DEPTH:
        raise _Unknown
    if re.fullmatch(r"[A-Za-z_]\w*", text) and text in resolved and text not in names:
        return _dim3(resolved[text].strip(), names, resolved, depth + 1)
    match = re.fullmatch(r"(?:dim3\s*(?:\w+\s*)?)?([({])(.*)[)}]", text, re.DOTALL)
    if match and text.startswith(("dim3", "{")):
        return [_Parser(part, names, resolved, depth).whole() for part in split_arguments(match.group(2))]
    if match and len(split_arguments(match.group(2))) > 1 and _encloses(text):
        return [_Parser(part, names, resolved, depth).whole() for part in split_arguments(match.group(2))]
    return [_Parser(text, names, resolved, depth).whole()]


def _encloses(text: str) -> bool:
    """Whether the first bracket closes with the last character."""
    level = 0
    for position, char in enumerate(text):
        level += (char in "([{") - (char in ")]}")
        if level == 0:
            return position == len(text) - 1
    return False


def grid_rank(text: str, resolved: Mapping[str, str]) -> int:
    """How many dimensions of the grid may have more than one block: 1 for a plain number."""
    text = text.strip()
    for _ in range(_DEPTH):
        if text not in resolved:
            break
        text = resolved[text].strip()
    match = re.fullmatch(r"(?:dim3\s*(?:\w+\s*)?)?[({](.*)[)}]", text, re.DOTALL)
    if match is None or not _encloses(text[text.index("(") if "(" in text else text.index("{") :]):
        return 3 if "dim3" in text else 1
    parts = split_arguments(match.group(1))
    while len(parts) > 1 and parts[-1] == "1":
        parts.pop()
    return len(parts)


def split_arguments(text: str) -> list[str]:
    """Splits at top-level commas."""
    parts, level, current = [], 0, ""
    for char in text:
        level += (char in "([{") - (char in ")]}")
        if char == "," and level == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in (*parts, current)]


class _Parser:
    """Recursive descent over one integer expression."""

    def __init__(self, text: str, names: Mapping[str, str], resolved: Mapping[str, str], depth: int) -> None:
        self.tokens = [m.group(m.lastindex or 0) for m in _TOKEN.finditer(text.strip())]
        self.names, self.resolved, self.depth = names, resolved, depth
        self.position = 0

    def whole(self) -> str:
        result = self.sum()
        if self.position != len(self.tokens):
            raise _Unknown
        return _rounded_up(result.text)

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise _Unknown

    def sum(self) -> _Term:
        left = self.product()
        while self.peek() in ("+", "-"):
            op = self.take()
            left = _Term(f"{left.at(0)} {op} {self.product().at(1)}", 0)
        return left

    def product(self) -> _Term:
        left = self.atom()
        while self.peek() in ("*", "/", "%"):
            op = self.take()
            right = self.atom()
            left = _Term(f"{left.at(1)} {'//' if op == '/' else op} {right.at(2)}", 1)
            left = _Term(_rounded_up(left.text), 2 if left.text != _rounded_up(left.text) else 1)
        return left

    def atom(self) -> _Term:
        token = self.take()
        if token and token[0].isdigit():
            return _Term(token.rstrip("uUlL"), 2)
        if token == "(":
            return self.parenthesis()
        if token in ("static_cast", "int", "unsigned", "size_t"):
            return self.cast(token)
        if token in _CALLS and self.peek() == "(":
            return self.call(_CALLS[token])
        return self.name(token)

    def parenthesis(self) -> _Term:
        if self.peek() in _CASTS:
            while self.peek() in _CASTS:
                self.take()
            self.expect(")")
            return self.atom()
        inner = self.sum()
        self.expect(")")
        return inner

    def cast(self, token: str) -> _Term:
        if token == "static_cast":
            self.expect("<")
            while self.peek() != ">":
                if self.take() not in _CASTS:
                    raise _Unknown
            self.expect(">")
        self.expect("(")
        inner = self.sum()
        self.expect(")")
        return inner

    def call(self, function: str) -> _Term:
        self.expect("(")
        left = self.sum()
        self.expect(",")
        right = self.sum()
        self.expect(")")
        return _Term(f"{function}({left.text}, {right.text})", 2)

    def name(self, token: str) -> _Term:
        if token in self.names:
            return _Term(self.names[token], 2)
        if token not in self.resolved or self.depth > _DEPTH:
            raise _Unknown
        text = _Parser(self.resolved[token], self.names, self.resolved, self.depth + 1).whole()
        return _Term(text, 2 if re.fullmatch(r"\w+|triton\.cdiv\([^()]*\)", text) else 0)


def _rounded_up(text: str) -> str:
    """`(n + 255) // 256` and `(n + 256 - 1) // 256` as `triton.cdiv(n, 256)`."""
    match = re.fullmatch(r"\((.+) \+ ([\w\[\]]+) - 1\) // ([\w\[\]]+)", text)
    if match and match.group(2) == match.group(3):
        return f"triton.cdiv({match.group(1)}, {match.group(3)})"
    match = re.fullmatch(r"\((.+) - 1\) // (\w+)", text)
    if match and match.group(1).endswith(f" + {match.group(2)}"):
        return f"triton.cdiv({match.group(1).removesuffix(f' + {match.group(2)}')}, {match.group(2)})"
    match = re.fullmatch(r"\((.+) \+ (\d+)\) // (\d+)", text)
    if match and int(match.group(2)) + 1 == int(match.group(3)):
        return f"triton.cdiv({match.group(1)}, {match.group(3)})"
    return text
