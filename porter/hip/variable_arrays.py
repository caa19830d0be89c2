"""Arrays of variable length with an initialiser of zeros, which g++ accepts and clang does not.

`T name[n] = {0};` becomes the declaration and a memset. The licence is that `n` is a parameter of the
function, that the list holds nothing but zero, and that the element's type is CUDA's or C's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.edit import Edit
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step

_LIST = re.compile(r"\{(0|NULL|nullptr)?\};")
_PLAIN = re.compile(r"(cu[A-Z]|cuda[A-Z])\w+|int|unsigned|char|float|double|size_t|bool|u?int\d+_t")


def clear_variable_arrays(unit: TranslationUnit) -> Step:
    """Edits of each such declaration in a function's body."""
    if "[" not in unit.words or unit.words.isdisjoint(("{", "NULL")):
        return Step()
    return Step(tuple(edit for function in unit.functions for edit in _in_function(unit, function)))


def _in_function(unit: TranslationUnit, function: Function) -> Iterator[Edit]:
    if function.body is None or not function.parameters:
        return
    lengths = frozenset(p.name for p in function.parameters)
    start, end = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    tokens = unit.tokenized.code
    for i in range(start + 1, end - 6):
        if tokens[i].text == "[" and tokens[i + 1].text in lengths and tokens[i + 2].text == "]":
            yield from _declaration(tokens, i)


def _declaration(tokens: tuple[Token, ...], bracket: int) -> Iterator[Edit]:
    name, type_ = tokens[bracket - 1], tokens[bracket - 2]
    behind = "".join(t.text for t in tokens[bracket + 3 : bracket + 8])
    zeros = _LIST.match(behind.removeprefix("="))
    if zeros is None or name.kind is not Kind.IDENTIFIER or not _PLAIN.fullmatch(type_.text):
        return
    close = bracket + 3 + behind.startswith("=") + 2 + (zeros[1] is not None)
    text = f"; __builtin_memset({name.text}, 0, sizeof({name.text}));"
    yield Edit(
        tokens[bracket + 2].end, tokens[close].end, text.encode("latin-1"), "clang does not initialise it"
    )
