"""Folds integer expressions of C++ to numbers, with names looked up by the caller.

Assumes the usual 64-bit data model for `sizeof`. Anything it is not sure of is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from porter.core.span import SourceText
from porter.cuda.tokens import Kind, Token, matching, matching_angle, split_arguments, text_of, tokenize

Lookup = Callable[[str], str | None]
_MAX_DEPTH = 24
_SIZES = {
    "char": 1,
    "bool": 1,
    "short": 2,
    "int": 4,
    "unsigned": 4,
    "float": 4,
    "long": 8,
    "double": 8,
    "half": 2,
    "__half": 2,
    "__nv_bfloat16": 2,
    "float2": 8,
    "float3": 12,
    "float4": 16,
    "int2": 8,
    "int4": 16,
    "double2": 16,
    "size_t": 8,
    "int8_t": 1,
    "uint8_t": 1,
    "int32_t": 4,
    "uint32_t": 4,
    "int64_t": 8,
    "uint64_t": 8,
}
_INTEGER_TYPES = frozenset(
    (
        "int",
        "unsigned",
        "long",
        "short",
        "size_t",
        "uint",
        "char",
        "const",
        "int32_t",
        "uint32_t",
        "int64_t",
    )
)
_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}


class _NotConstant(Exception):
    pass


def fold(expression: str, lookup: Lookup, depth: int = 0) -> int | None:
    """The value of an integer constant expression, or None; `lookup` gives what a name stands for."""
    if not expression.strip() or depth > _MAX_DEPTH:
        return None
    tokens = tokenize(SourceText("", expression.encode("latin-1", "replace"))).code
    parser = _Parser(tokens, lookup, depth)
    try:
        value = parser.conditional()
    except _NotConstant:
        return None
    return value if parser.at == len(tokens) else None


def lookup_in(*scopes: Mapping[str, str]) -> Lookup:
    """Looks a name up in each scope in turn, innermost first."""

    def lookup(name: str) -> str | None:
        return next((scope[name] for scope in scopes if name in scope), None)

    return lookup


class _Parser:
    """Precedence climbing over the tokens of one expression."""

    def __init__(self, tokens: tuple[Token, ...], lookup: Lookup, depth: int) -> None:
        self.tokens, self.lookup, self.depth, self.at = tokens, lookup, depth, 0

    def text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].text if at < len(self.tokens) else ""

    def take(self, text: str) -> None:
        if self.text() != text:
            raise _NotConstant
        self.at += 1

    def conditional(self) -> int:
        condition = self.binary(1)
        if self.text() != "?":
            return condition
        self.at += 1
        if_true = self.conditional()
        self.take(":")
        if_false = self.conditional()
        return if_true if condition else if_false

    def binary(self, lowest: int) -> int:
        left = self.unary()
        while _PRECEDENCE.get(self.text(), 0) >= lowest:
            operator = self.text()
            self.at += 1
            left = _apply(operator, left, self.binary(_PRECEDENCE[operator] + 1))
        return left

    def unary(self) -> int:
        operator = self.text()
        if operator in ("-", "+", "~", "!"):
            self.at += 1
            value = self.unary()
            return {"-": -value, "+": value, "~": ~value, "!": int(not value)}[operator]
        return self.primary()

    def primary(self) -> int:
        if self.at >= len(self.tokens):
            raise _NotConstant
        token = self.tokens[self.at]
        if token.kind is Kind.NUMBER:
            self.at += 1
            return _number(token.text)
        if token.text == "(":
            return self.bracketed()
        if token.kind is Kind.IDENTIFIER:
            return self.named()
        raise _NotConstant

    def bracketed(self) -> int:
        close = matching(self.tokens, self.at)
        if close is None:
            raise _NotConstant
        inner = self.tokens[self.at + 1 : close]
        if inner and all(t.text in _INTEGER_TYPES for t in inner):
            self.at = close + 1
            return self.unary()
        self.at += 1
        value = self.conditional()
        self.take(")")
        return value

    def named(self) -> int:
        while self.text() in ("std", "cuda") and self.text(1) == "::":
            self.at += 2
        name = self.text()
        if name == "sizeof":
            return self.sizeof()
        if name in ("static_cast", "const_cast") and self.text(1) == "<":
            return self.cast()
        if name in _INTEGER_TYPES and self.text(1) == "(":
            self.at += 1
            return self.bracketed()
        if name in ("min", "max") and self.text(1) == "(":
            return self.extremum(min if name == "min" else max)
        return self.variable(name)

    def variable(self, name: str) -> int:
        self.at += 1
        expression = self.lookup(name)
        if self.text() == "." and expression is not None:
            expression = self.extent(expression)
        if self.text() in ("(", "::", ".", "->", "[", "{"):
            raise _NotConstant
        value = None if expression is None else fold(expression, self.lookup, self.depth + 1)
        if value is None:
            raise _NotConstant
        return value

    def extent(self, expression: str) -> str | None:
        """`block.x` where `block` stands for `dim3(16, 16)`; a missing extent is 1."""
        axis = "xyz".find(self.text(1) or "?")
        parts = dim3_of(expression)
        if parts is None or axis < 0:
            raise _NotConstant
        self.at += 2
        return parts[axis] if axis < len(parts) else "1"

    def cast(self) -> int:
        closed = matching_angle(self.tokens, self.at + 1)
        if closed is None or not all(t.text in _INTEGER_TYPES for t in self.tokens[self.at + 2 : closed]):
            raise _NotConstant
        self.at = closed + 1
        return self.bracketed()

    def sizeof(self) -> int:
        close = matching(self.tokens, self.at + 1) if self.text(1) == "(" else None
        if close is None:
            raise _NotConstant
        words = [t.text for t in self.tokens[self.at + 2 : close]]
        self.at = close + 1
        if words and words[-1] == "*":
            return 8
        sizes = [_SIZES[w] for w in words if w in _SIZES]
        if not sizes or any(w not in _SIZES and w not in ("const", "signed") for w in words):
            raise _NotConstant
        return max(sizes) if "char" not in words and "short" not in words else min(sizes)

    def extremum(self, choose: Callable[[int, int], int]) -> int:
        open_ = self.at + 1
        close = matching(self.tokens, open_)
        pieces = split_arguments(self.tokens, open_ + 1, close) if close is not None else ()
        if close is None or len(pieces) != 2:
            raise _NotConstant
        values = []
        for start, end in pieces:
            part = _Parser(self.tokens[start:end], self.lookup, self.depth)
            values.append(part.conditional())
            if part.at != end - start:
                raise _NotConstant
        self.at = close + 1
        return choose(values[0], values[1])


def _apply(operator: str, left: int, right: int) -> int:
    if operator in ("/", "%"):
        if right == 0:
            raise _NotConstant
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 64:
            raise _NotConstant
        return left << right if operator == "<<" else left >> right
    return int(_SIMPLE[operator](left, right))


_SIMPLE: dict[str, Callable[[int, int], int | bool]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def _number(text: str) -> int:
    digits = text.replace("'", "").lower().rstrip("ulz")
    base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 10
    if base == 10 and len(digits) > 1 and digits.startswith("0"):
        base = 8
    try:
        return int(digits.removeprefix("0x").removeprefix("0b"), base)
    except ValueError:
        raise _NotConstant from None


def dim3_of(expression: str) -> tuple[str, ...] | None:
    """The one to three parts of `dim3(a, b)`, `dim3{a, b}` or `{a, b}`; None for anything else."""
    source = SourceText("", expression.encode("latin-1", "replace"))
    tokens = tokenize(source).code
    at = 1 if tokens and tokens[0].text == "dim3" else 0
    if len(tokens) <= at or tokens[at].text not in (("(", "{") if at else ("{",)):
        return None
    if matching(tokens, at) != len(tokens) - 1:
        return None
    pieces = split_arguments(tokens, at + 1, len(tokens) - 1)
    return tuple(text_of(source, tokens, *piece) for piece in pieces) if len(pieces) <= 3 else None
