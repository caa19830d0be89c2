"""Places that rules look at: calls that the file does not define itself, one of them a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porter.cuda.call_sites import CallSite, calls
from porter.cuda.structure import Function
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit


def foreign_calls(unit: TranslationUnit, names: frozenset[str]) -> Iterator[CallSite]:
    """Calls of CUDA's own functions: one that the file defines under the same name is no call of those."""
    own = {f.name for f in unit.functions}
    return (call for call in calls(unit, names) if call.name.text not in own)


def device_calls(unit: TranslationUnit, names: frozenset[str]) -> Iterator[CallSite]:
    """Those in device code, or in a macro, which may be used there."""
    return (call for call in foreign_calls(unit, names) if is_on_device(unit, call.name))


def is_on_device(unit: TranslationUnit, token: Token) -> bool:
    if token.directive >= 0:
        return True
    function = unit.function_at(token.start)
    return function is not None and function.kind.on_device


def first_of_each(unit: TranslationUnit, found: Iterable[CallSite]) -> Iterator[CallSite]:
    """The first call of each name in each function or macro."""
    seen: set[tuple[str, int, str]] = set()
    for call in found:
        function = unit.function_at(call.name.start)
        macro = call.stream.macro.name if call.stream.macro is not None else ""
        key = (macro, function.span.start if function is not None else -1, call.name.text)
        if key not in seen:
            seen.add(key)
            yield call


def body_tokens(unit: TranslationUnit, function: Function) -> tuple[Token, ...]:
    """The tokens of a definition from its head to its end."""
    first, last = (unit.tokenized.code_index(at) for at in (function.span.start, function.span.end))
    return unit.tokenized.code[first:last]
