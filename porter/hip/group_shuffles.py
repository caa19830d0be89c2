"""`tile.shfl_xor(v, 1)` of a vector or a struct: HIP's groups shuffle numbers only.

The value's type is guessed from the last name in the argument; a call that is rewritten without need means
the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, member_calls
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, join

_SHUFFLES = frozenset(("shfl", "shfl_up", "shfl_down", "shfl_xor"))
_VECTOR = re.compile(r"u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]")


def port_group_shuffles(unit: TranslationUnit) -> Step:
    """Calls by a group of one name, of a value declared with a vector type or a struct of the file."""
    if unit.words.isdisjoint(_SHUFFLES):
        return Step()
    wide = frozenset(_wide_names(unit.tokenized.code))
    return join(_shuffled(call) for call in member_calls(unit, _SHUFFLES) if _is_of_group(call, wide))


def _wide_names(tokens: tuple[Token, ...]) -> Iterator[str]:
    structs = {b.text for a, b in pairwise(tokens) if a.text == "struct"}
    for i, token in enumerate(tokens):
        if not _VECTOR.fullmatch(token.text) and token.text not in structs:
            continue
        # `uint4 a, b;` and `const float4& v`, not `float4* p`.
        at = i + 1
        while at < len(tokens) and (tokens[at].kind is Kind.IDENTIFIER or tokens[at].text in (",", "&")):
            if tokens[at].kind is Kind.IDENTIFIER:
                yield tokens[at].text
            at += 1


def _is_of_group(call: CallSite, wide: frozenset[str]) -> bool:
    tokens, at = call.stream.tokens, call.at
    if at < 2 or tokens[at - 2].kind is not Kind.IDENTIFIER:
        return False
    alone = at == 2 or tokens[at - 3].text not in (".", "->", "::")
    if not alone or len(call.arguments) != 2:
        return False
    value = tokens[slice(*call.arguments[0])]
    return bool(value) and value[-1].text in wide


def _shuffled(call: CallSite) -> Step:
    tokens, at = call.stream.tokens, call.at
    group = tokens[at - 2]
    text = f"porter_group_{call.name.text}({group.text}, ".encode()
    edit = Edit(group.start, call.open.end, text, "HIP's groups shuffle numbers only")
    return Step((edit,), shims=frozenset(("group_shuffle",)))
