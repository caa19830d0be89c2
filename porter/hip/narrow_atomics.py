"""`atomicAdd` on 16-bit floats and pairs of them, which HIP does not overload.

The type is that of a cast in the first argument, or of the array or pointer it names in the same function.
"""

from __future__ import annotations

from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, join, replace

_NARROW = frozenset(
    (
        "half",
        "half2",
        "__half",
        "__half2",
        "__nv_bfloat16",
        "__nv_bfloat162",
        "nv_bfloat16",
        "nv_bfloat162",
    )
)
_BETWEEN = frozenset(("*", "const", "volatile", "__restrict__", "&"))


def rewrite_narrow_atomics(unit: TranslationUnit) -> Step:
    """Sends such calls to a compare-and-swap on the word that holds the value."""
    return join(_rewritten(call) for call in calls(unit, frozenset(("atomicAdd",))) if _is_narrow(unit, call))


def _rewritten(call: CallSite) -> Step:
    edit = replace(call.name, "porter_atomic_add", "HIP has no atomicAdd for 16-bit floats")
    return Step((edit,), shims=frozenset(("atomic_add",)))


def _is_narrow(unit: TranslationUnit, call: CallSite) -> bool:
    if not call.arguments:
        return False
    argument = call.stream.tokens[slice(*call.arguments[0])]
    if any(t.text in _NARROW for t in argument):
        return True
    function = unit.function_at(call.name.start)
    if function is None:
        return False
    start, end = (unit.tokenized.code_index(at) for at in (function.span.start, function.span.end))
    names = _narrow_names(unit.tokenized.code[start:end])
    first = next((t.text for t in argument if t.kind is Kind.IDENTIFIER), "")
    return first in names


def _narrow_names(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Pointers to and arrays of narrow types that are declared in `tokens`."""
    names: set[str] = set()
    for i, token in enumerate(tokens):
        if token.text not in _NARROW:
            continue
        at = i + 1
        while at < len(tokens) and tokens[at].text in _BETWEEN:
            at += 1
        if at < len(tokens) and tokens[at].kind is Kind.IDENTIFIER:
            names.add(tokens[at].text)
    return frozenset(names)
