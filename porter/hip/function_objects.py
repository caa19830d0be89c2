"""libcu++'s function objects: ROCm has Thrust's of the same names, and for `identity` a definition is added.

The rest of libcu++ has no counterpart; see `namespaces`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.edit import Edit
from porter.cuda.call_sites import streams
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step

_IDENTITY = "identity"
_OF_THRUST = frozenset(
    (
        "plus", "minus", "multiplies", "divides", "modulus", "negate", "less", "greater", "less_equal",
        "greater_equal", "equal_to", "not_equal_to", "logical_and", "logical_or", "logical_not", "bit_and",
        "bit_or", "bit_xor",
    )
)  # fmt: skip
_REASON = "ROCm has no libcu++"


def port_function_objects(unit: TranslationUnit) -> Step:
    """`cuda::std::plus<int>` is `thrust::plus<int>`, `cuda::std::identity` porter's own."""
    edits: list[Edit] = []
    shims: set[str] = set()
    for tokens, at in uses(unit):
        name, after = tokens[at + 4], tokens[at + 5].text if at + 5 < len(tokens) else ""
        text = "porter_identity" if name.text == _IDENTITY else f"thrust::{name.text}"
        text += "" if after == "<" or name.text == _IDENTITY else "<>"
        edits.append(Edit(tokens[at].start, name.end, text.encode(), _REASON))
        if name.text == _IDENTITY:
            shims.add(_IDENTITY)
    return Step(tuple(edits), shims=frozenset(shims))


def uses(unit: TranslationUnit) -> Iterator[tuple[tuple[Token, ...], int]]:
    """Where `cuda::std::` and the name of a function object stand: the tokens and the index of `cuda`."""
    if "cuda" not in unit.words:
        return
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 4):
            qualified = [t.text for t in tokens[i : i + 4]] == ["cuda", "::", "std", "::"]
            if qualified and (tokens[i + 4].text == _IDENTITY or tokens[i + 4].text in _OF_THRUST):
                yield tokens, i
