"""Arithmetic on `CUdeviceptr`: a number in CUDA, `void*` in HIP, which C++ does not add to."""

from __future__ import annotations

from collections.abc import Iterator

from porter.cuda.call_sites import streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, replace

_TYPE = "CUdeviceptr"
# What may stand before `name + bytes` without taking `name` for itself.
_BEFORE = ("=", "(", ",", "{", "return", "+", "?", ":", ";", "<", ">", "==", "!=")


def port_device_pointers(unit: TranslationUnit) -> Step:
    """`pointer + bytes` and `pointer - bytes` of variables that the file declares as device pointers."""
    if _TYPE not in unit.words:
        return Step()
    declared = frozenset(_declared(unit.tokenized.code))
    return Step(
        tuple(
            replace(token, f"static_cast<char*>({token.text})", "a device pointer is void* in HIP")
            for stream in streams(unit)
            for token in _operands(stream.tokens, declared)
        )
    )


def _declared(tokens: tuple[Token, ...]) -> Iterator[str]:
    for token, name, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.text == _TYPE and name.kind is Kind.IDENTIFIER and after.text in ("=", ";", ",", ")", "{"):
            yield name.text


def _operands(tokens: tuple[Token, ...], declared: frozenset[str]) -> Iterator[Token]:
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.text not in declared:
            continue
        if (after.text in ("+", "-") and before.text in _BEFORE) or before.text == "-":
            yield token
