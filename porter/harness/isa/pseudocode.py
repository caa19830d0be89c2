"""The grammar of the ISA documents' pseudo-code: text to a small syntax tree.

Only what the arithmetic instructions use: assignments, conditionals, expressions. Loops, lambdas and the
register file (`VGPR[…]`) are not part of it; instructions described with them are written by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias


class PseudocodeError(Exception):
    """The text is outside of the grammar."""


@dataclass(frozen=True)
class Number:
    """A literal. `kind` is U, I, F or "" (takes the type of its surroundings); `bits` 0: not stated."""

    value: float | int
    kind: str
    bits: int


@dataclass(frozen=True)
class Name:
    text: str


@dataclass(frozen=True)
class Typed:
    """`value.f32`: the same bits under another type."""

    value: Expression
    kind: str
    bits: int


@dataclass(frozen=True)
class Slice:
    value: Expression
    high: Expression
    low: Expression


@dataclass(frozen=True)
class Index:
    value: Expression
    at: Expression


@dataclass(frozen=True)
class Cast:
    """`64'U(x)`: the same number in another type."""

    value: Expression
    kind: str
    bits: int


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Unary:
    operator: str
    value: Expression


@dataclass(frozen=True)
class Binary:
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Choice:
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class Concat:
    """`{ high, low }`."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = Number | Name | Typed | Slice | Index | Cast | Call | Unary | Binary | Choice | Concat


@dataclass(frozen=True)
class Assign:
    target: Expression
    value: Expression


@dataclass(frozen=True)
class If:
    """`branches` in order; a condition of None is the `else`."""

    branches: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]


Statement: TypeAlias = Assign | If

_TOKEN = re.compile(
    r"""
    (?P<cast>\d+'(?:BF|[UIFB])(?=\())
  | (?P<sized>\d+'-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)[UIF]?)
  | (?P<number>0x[0-9a-fA-F]+(?:ULL|LL|U)?|\d+\.\d+F?|\d+(?:ULL|LL|U|F)?)
  | (?P<type>\.(?:u|i|f|b|bf|fp|bf)\d+\b)
  | (?P<name>[A-Za-z_][\w.]*)
  | (?P<op>\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-=|[-+*/%&|^~!<>=?:(){}\[\],;])
  | (?P<space>\s+)
    """,
    re.VERBOSE,
)
_BINARY = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!=", "<>"),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
    ("**",),
)
_ENDS = ("elsif", "else", "endif")


def parse(text: str) -> tuple[Statement, ...]:
    """The statements of one instruction. Raises PseudocodeError for what the grammar does not have."""
    plain = re.sub(r"declare[^;]*;", "", re.sub(r"//[^\n]*", "", text))
    parser = _Parser(_tokens(plain))
    statements = parser.block()
    if not parser.at_end:
        raise PseudocodeError(f"{parser.peek!r} is not expected")
    return statements


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise PseudocodeError(f"{text[at : at + 12]!r} is no token")
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "name" and (
            tagged := re.fullmatch(r"([A-Za-z_]\w*)\.((?:u|i|f|b|bf|fp)\d+)", match.group())
        ):
            found += [("name", tagged.group(1)), ("type", "." + tagged.group(2))]
        elif kind != "space":
            found.append((kind, match.group()))
    return found


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def at_end(self) -> bool:
        return self._at == len(self._tokens)

    @property
    def peek(self) -> str:
        return "" if self.at_end else self._tokens[self._at][1]

    def _take(self, *texts: str) -> str | None:
        if not self.at_end and self.peek in texts:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return None

    def _expect(self, text: str) -> None:
        if self._take(text) is None:
            raise PseudocodeError(f"{text!r} expected before {self.peek!r}")

    def block(self) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        while not self.at_end and self.peek not in _ENDS:
            if self._take(";"):
                continue
            statements += self._statement()
        return tuple(statements)

    def _statement(self) -> list[Statement]:
        if self._take("if"):
            return [self._conditional()]
        targets = [self._postfix()]
        if operator := self._take("+=", "-="):
            return [Assign(targets[0], Binary(operator[0], targets[0], self.expression()))]
        self._expect("=")
        while (further := self._chained_target()) is not None:
            targets.append(further)
        value = self.expression()
        return [Assign(target, value) for target in targets]

    def _chained_target(self) -> Expression | None:
        """The `b` of `a = b = c`; None, and nothing consumed, where a value follows."""
        start = self._at
        try:
            target = self._postfix()
        except PseudocodeError:
            self._at = start
            return None
        if self._take("="):
            return target
        self._at = start
        return None

    def _conditional(self) -> If:
        branches: list[tuple[Expression | None, tuple[Statement, ...]]] = []
        condition: Expression | None = self.expression()
        self._expect("then")
        while True:
            branches.append((condition, self.block()))
            if self._take("elsif"):
                condition = self.expression()
                self._expect("then")
            elif self._take("else"):
                condition = None
            else:
                self._expect("endif")
                return If(tuple(branches))

    def expression(self) -> Expression:
        condition = self._binary(0)
        if not self._take("?"):
            return condition
        then = self.expression()
        self._expect(":")
        return Choice(condition, then, self.expression())

    def _binary(self, level: int) -> Expression:
        if level == len(_BINARY):
            return self._unary()
        left = self._binary(level + 1)
        while operator := self._take(*_BINARY[level]):
            left = Binary(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        operator = self._take("-", "+", "~", "!")
        return Unary(operator, self._unary()) if operator else self._postfix()

    def _postfix(self) -> Expression:
        value = self._primary()
        while not self.at_end:
            kind, text = self._tokens[self._at]
            if kind == "type":
                self._at += 1
                letters, bits = re.fullmatch(r"\.([a-z]+)(\d+)", text).groups()  # type: ignore[union-attr]
                value = Typed(value, letters, int(bits))
            elif self._take("["):
                high = self.expression()
                low = self.expression() if self._take(":") else None
                self._expect("]")
                value = Slice(value, high, low) if low is not None else Index(value, high)
            else:
                break
        return value

    def _primary(self) -> Expression:
        if self.at_end:
            raise PseudocodeError("the text ends in an expression")
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "cast":
            bits, letter = text.split("'")
            self._expect("(")
            value = self.expression()
            self._expect(")")
            return Cast(value, letter, int(bits))
        if kind in ("number", "sized"):
            return _number(text)
        if kind == "name":
            return self._call(text) if self._take("(") else Name(text)
        if text == "(":
            value = self.expression()
            self._expect(")")
            return value
        if text == "{":
            return Concat(self._list("}"))
        raise PseudocodeError(f"{text!r} is not expected")

    def _call(self, function: str) -> Call:
        return Call(function, self._list(")"))

    def _list(self, end: str) -> tuple[Expression, ...]:
        items = [self.expression()]
        while self._take(","):
            items.append(self.expression())
        self._expect(end)
        return tuple(items)


def _number(text: str) -> Number:
    bits, _, digits = text.rpartition("'")
    suffix = (
        re.search(r"(ULL|LL|U|I|F)$", digits)
        if not digits.startswith("0x")
        else re.search(r"(ULL|LL|U)$", digits)
    )
    body = digits[: suffix.start()] if suffix else digits
    ending = suffix.group() if suffix else ""
    if "." in body or ending == "F":
        return Number(float(body), "F", int(bits) if bits else (32 if ending == "F" else 64))
    width = int(bits) if bits else {"ULL": 64, "LL": 64, "U": 32}.get(ending, 0)
    kind = "U" if ending in ("ULL", "U") else "I" if ending in ("LL", "I") else ""
    return Number(int(body, 0), kind, width)
