"""`min` and `max` of a signed and an unsigned integer in device code.

CUDA has integer overloads for the mixed pair, HIP finds only the template that goes through double: it does
not compile as an index, and loses bits of 64-bit values. The types are guessed from names and literals; a
call that is rewritten without need means the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, join, replace

_UNSIGNED_BUILTINS = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim", "sizeof"))
_UNSIGNED_TYPES = frozenset(
    ("unsigned", "uint", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uchar", "ushort", "dim3")
)


def rewrite_mixed_extrema(unit: TranslationUnit) -> Step:
    """Calls of which exactly one argument looks unsigned go to a definition that keeps integers."""
    found = calls(unit, frozenset(("min", "max")))
    return join(_rewritten(call) for call in found if _is_device(unit, call) and _is_mixed(unit, call))


def _rewritten(call: CallSite) -> Step:
    name = call.name.text
    edit = replace(call.name, f"porter_{name}", f"HIP's {name} of mixed integers goes through double")
    return Step((edit,), shims=frozenset((name,)))


def _is_device(unit: TranslationUnit, call: CallSite) -> bool:
    function = unit.function_at(call.name.start)
    return function is not None and function.kind.on_device


def _is_mixed(unit: TranslationUnit, call: CallSite) -> bool:
    if len(call.arguments) != 2:
        return False
    function = unit.function_at(call.name.start)
    assert function is not None
    start, end = (unit.tokenized.code_index(at) for at in (function.span.start, function.span.end))
    unsigned = frozenset(_unsigned_names(unit.tokenized.code[start:end]))
    sides = [call.stream.tokens[slice(*argument)] for argument in call.arguments]
    if any(_is_floating(side) for side in sides):
        return False
    return _is_unsigned(sides[0], unsigned) != _is_unsigned(sides[1], unsigned)


def _unsigned_names(tokens: tuple[Token, ...]) -> Iterator[str]:
    """Names declared with an unsigned type: what follows the type, `int` or `long` in between."""
    for i, token in enumerate(tokens[:-1]):
        if token.text not in _UNSIGNED_TYPES:
            continue
        after = i + 1
        while after < len(tokens) - 1 and tokens[after].text in ("int", "long", "short", "char"):
            after += 1
        if tokens[after].kind is Kind.IDENTIFIER:
            yield tokens[after].text


def _is_unsigned(tokens: tuple[Token, ...], names: frozenset[str]) -> bool:
    return any(
        t.text in _UNSIGNED_BUILTINS or t.text in names or t.text in _UNSIGNED_TYPES or _has_suffix(t)
        for t in tokens
    )


def _has_suffix(token: Token) -> bool:
    return token.kind is Kind.NUMBER and "u" in token.text.lower() and "x" not in token.text[:1]


def _is_floating(tokens: tuple[Token, ...]) -> bool:
    return any(t.text in ("float", "double") or (t.kind is Kind.NUMBER and "." in t.text) for t in tokens)
