"""The double-precision reference: the user's `float` compiled as `double`.

Only the user's own text changes, token by token: types, literals (which keep their float value) and the
names of functions on float. Where a program depends on a float having 32 bits it is refused, at the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.edit import Edit, apply_edits
from porter.core.errors import PorterError
from porter.core.span import SourceText, Span
from porter.simulator.rewrite import Rewritten, rewrite
from porter.simulator.tokens import OPENING, Kind, Token, matching_close, tokenize


class WideUnsupported(PorterError):
    """With float promoted to double the program would not keep its meaning; `span` shows where."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(f"{span}: {reason}")
        self.reason = reason
        self.span = span


_TYPES = {"float": "double"} | {
    f"{prefix}float{n}": f"{prefix}double{n}" for n in (1, 2, 3, 4) for prefix in ("", "make_")
}
_PLAIN_FUNCTIONS = (
    *("sqrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "fabs"),
    *("fmax", "fmin", "fmod", "floor", "ceil", "round", "trunc", "rint", "nearbyint", "lround"),
    *("llround", "lrint", "llrint", "copysign", "ldexp", "frexp", "modf", "cbrt", "hypot", "erf", "erfc"),
    *("tgamma", "lgamma", "fma", "remainder", "fdim", "nextafter", "logb", "ilogb", "scalbn", "sincos"),
    *("rsqrt", "rcbrt", "sinpi", "cospi", "sincospi", "normcdf", "normcdfinv", "erfinv", "erfcinv"),
    *("erfcx", "rhypot"),
)
_FAST = {"__expf": "exp", "__exp10f": "exp10", "__logf": "log", "__log2f": "log2", "__log10f": "log10"} | {
    "__powf": "pow",
    "__sinf": "sin",
    "__cosf": "cos",
    "__tanf": "tan",
    "__tanhf": "tanh",
    "__sincosf": "sincos",
    "__frsqrt_rn": "rsqrt",
    "norm3df": "norm3d",
}
_ROUNDED = {
    f"__f{operation}_{mode}": f"__d{operation}_{mode}"
    for operation in ("add", "sub", "mul", "div", "sqrt", "rcp")
    for mode in ("rn", "rz", "ru", "rd")
} | {f"__fmaf_{mode}": f"__fma_{mode}" for mode in ("rn", "rz", "ru", "rd")}
_CONVERSIONS = {
    f"__float2{to}_{mode}": f"__double2{to}_{mode}"
    for to in ("int", "uint", "ll", "ull")
    for mode in ("rn", "rz", "ru", "rd")
} | {f"__{kind}2float_rn": f"__{kind}2double_rn" for kind in ("int", "uint", "ll", "ull")}
_NAMES = {**_TYPES, **{f"{name}f": name for name in _PLAIN_FUNCTIONS}, **_FAST, **_ROUNDED, **_CONVERSIONS}

_BIT_FUNCTIONS = {"__float_as_int", "__float_as_uint", "__int_as_float", "__uint_as_float"}
_FLOAT_TYPES = {"float", "float1", "float2", "float3", "float4"}
_INTEGER_TYPES = {
    *("int", "unsigned", "uint", "int2", "int4", "uint2", "uint4", "uint8_t", "int8_t", "short", "ushort"),
    *("int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "long"),
}
_FLOAT_LITERAL = re.compile(r"(?:[0-9.][0-9.']*(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F.]*[pP][+-]?[0-9]+)[fF]\Z")
_FLOAT_FORMAT = re.compile(r"%[0-9*]*[fgeFGE]")


def rewrite_wide(path: str, data: bytes) -> Rewritten:
    """`data` (the text of `path`) promoted, then rewritten as any program. Raises WideUnsupported."""
    text = data.decode("latin-1")
    tokens = tokenize(text)
    for token, reason in _obstacles(tokens):
        raise WideUnsupported(reason, SourceText(path, data).span(token.start, token.end))
    edits = tuple(sorted(_promotions(tokens)))
    inner = rewrite(path, apply_edits(data, edits))
    return Rewritten(inner.data, (edits, *inner.stages), inner.prelude)


def _promotions(tokens: list[Token]) -> Iterator[Edit]:
    for token in tokens:
        if token.kind is Kind.NAME and token.text in _NAMES:
            yield Edit(token.start, token.end, _NAMES[token.text].encode("latin-1"), "widen")
        elif token.kind is Kind.NUMBER and _FLOAT_LITERAL.match(token.text) and _has_fraction(token.text):
            yield Edit(token.start, token.end, f"((double){token.text})".encode("latin-1"), "widen")


def _has_fraction(text: str) -> bool:
    """`0x1f` is an integer; `1.f`, `1e3f` and `0x1p3f` are not."""
    return text[:2] not in ("0x", "0X") or "p" in text.lower()


def _obstacles(tokens: list[Token]) -> Iterator[tuple[Token, str]]:
    """Places that read a float's bits, or floats from outside the program."""
    floats = _declared(tokens, _FLOAT_TYPES)
    integers = _declared(tokens, _INTEGER_TYPES) - floats
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME:
            yield from _c_cast(tokens, index, floats, integers)
        elif token.text in _BIT_FUNCTIONS:
            yield token, f"{token.text} depends on float having 32 bits"
        elif token.text == "union":
            yield from _punning_union(tokens, index)
        elif token.text == "reinterpret_cast":
            yield from _reinterpreted(tokens, index, floats, integers)
        elif (
            token.text in ("fread", "read")
            and tokens[index + 1 : index + 2]
            and tokens[index + 1].text == "("
        ):
            yield token, "binary input may hold floats of 32 bits"
        elif token.text in ("scanf", "fscanf", "sscanf"):
            yield from _scans_float(tokens, index)
        elif token.text in ("asm", "__asm__"):
            yield token, "inline assembly depends on its operands' widths"


def _declared(tokens: list[Token], types: set[str]) -> set[str]:
    """Names declared with one of `types`: variables, parameters, members, pointers to them."""
    names: set[str] = set()
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME or token.text not in types:
            continue
        at = index + 1
        while at < len(tokens) and tokens[at].text in (
            "*",
            "&",
            "const",
            "volatile",
            "__restrict__",
            "__restrict",
        ):
            at += 1
        if at < len(tokens) and tokens[at].kind is Kind.NAME and tokens[at].text not in types:
            names.add(tokens[at].text)
    return names


def _punning_union(tokens: list[Token], index: int) -> Iterator[tuple[Token, str]]:
    opening = next((i for i in range(index, min(index + 4, len(tokens))) if tokens[i].text == "{"), None)
    close = matching_close(tokens, opening) if opening is not None else None
    if opening is None or close is None:
        return
    inside = {t.text for t in tokens[opening:close]}
    if inside & _FLOAT_TYPES and inside & (_INTEGER_TYPES | {"char"}):
        yield tokens[index], "a union of float and integer members depends on float having 32 bits"


def _reinterpreted(
    tokens: list[Token], index: int, floats: set[str], integers: set[str]
) -> Iterator[tuple[Token, str]]:
    close = next((i for i in range(index, min(index + 12, len(tokens))) if tokens[i].text == "("), None)
    if close is None:
        return
    end = matching_close(tokens, close) or close
    target = {t.text for t in tokens[index:close]}
    operand = {t.text for t in tokens[close:end] if t.kind is Kind.NAME}
    yield from _between(tokens[index], target, operand, floats, integers)


def _c_cast(
    tokens: list[Token], index: int, floats: set[str], integers: set[str]
) -> Iterator[tuple[Token, str]]:
    """`(int *)&x` and `(float4 *)words`; an allocation's result may be cast to anything."""
    if tokens[index].text != "(":
        return
    close = matching_close(tokens, index)
    if close is None or close - index > 6 or tokens[close - 1].text != "*" or tokens[close - 2].text == "*":
        return
    target = {t.text for t in tokens[index:close]}
    operand = {t.text for t in _operand(tokens, close + 1)}
    yield from _between(tokens[index], target, operand, floats, integers)


def _operand(tokens: list[Token], start: int) -> list[Token]:
    """Names of the expression that a cast applies to: up to the first operator that binds less."""
    names: list[Token] = []
    for index in range(start, min(start + 12, len(tokens))):
        token = tokens[index]
        if token.kind is Kind.NAME:
            if index + 1 < len(tokens) and tokens[index + 1].text == "(":
                return []
            names.append(token)
        elif token.text == "[" or token.text not in ("&", ".", "->", *OPENING, "+"):
            break
    return names


def _between(
    place: Token, target: set[str], operand: set[str], floats: set[str], integers: set[str]
) -> Iterator[tuple[Token, str]]:
    reason = "a cast between pointers to float and to integers depends on float having 32 bits"
    to_integer = bool(target & _INTEGER_TYPES) and bool(operand & floats)
    to_float = bool(target & _FLOAT_TYPES) and bool(operand & integers) and not operand & floats
    if to_integer or to_float:
        yield place, reason


def _scans_float(tokens: list[Token], index: int) -> Iterator[tuple[Token, str]]:
    close = matching_close(tokens, index + 1) if tokens[index + 1].text == "(" else None
    for token in tokens[index : close or index]:
        if token.kind is Kind.STRING and _FLOAT_FORMAT.search(token.text):
            yield tokens[index], "scanf writes floats of 32 bits"
            return
