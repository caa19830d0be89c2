"""Whether all launches of a kernel are seen: nothing else in the file or its headers may be one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.directives import Macro
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hip.widen.records import Kept

_PASTE = ("##", "%:%:")


def unseen_launches(unit: TranslationUnit, function: Function) -> Kept | None:
    """Where a launch of the kernel may stand that is not among the unit's; None where all are known."""
    headers = tuple(_headers(unit))
    texts = (unit, *headers)
    for text in texts:
        for macro in text.macros:
            if _may_paste(macro, function.name) and _is_used(macro, texts):
                reason = f"the macro `{macro.name}` pastes names, and `{function.name}` may be one of them"
                return Kept(function.name, reason, text.source.span(macro.name_span.start, macro.span.end))
    named = any(t.text == function.name for header in headers for t in header.references)
    if not named and _all_mentioned(unit, function):
        return None
    reason = "not every launch of it is known: another file or a use of its name may be one"
    return Kept(function.name, reason, function.name_span)


def _all_mentioned(unit: TranslationUnit, function: Function) -> bool:
    """Whether nothing but its launches and its definition names the kernel, and no other file can."""
    own = _hidden(unit, function)
    mentions = sum(t.text == function.name and t.start not in own for t in unit.references)
    launches = sum(x.kernel == function.name for x in unit.launches)
    definitions = sum(f.name == function.name for f in unit.functions)
    macros = {m.name for m in unit.macros}
    in_macro = any(x.kernel == function.name and x.enclosing_function in macros for x in unit.launches)
    whole = any(f.name == "main" and f.body is not None for f in unit.functions)
    return whole and mentions == launches + definitions and not in_macro


def _hidden(unit: TranslationUnit, function: Function) -> set[int]:
    """Where the kernel's own text has the name for a parameter or a variable of its own."""
    assert function.body is not None
    name = function.name
    first, last = (unit.tokenized.code_index(a) for a in (function.name_span.end, function.body.end))
    tokens = unit.tokenized.code[first:last]
    at = [i for i, t in enumerate(tokens) if t.text == name and t.kind is Kind.IDENTIFIER]
    if not at or any(t.text == "<<<" for t in tokens):
        return set()
    is_parameter = any(p.name == name for p in function.parameters)
    return {tokens[i].start for i in at} if is_parameter or _declares(tokens, at[0]) else set()


def _declares(tokens: tuple[Token, ...], at: int) -> bool:
    """`int name = …`, `int name[…]`, `int name;`."""
    typed = (
        at > 0 and tokens[at - 1].kind is Kind.IDENTIFIER and tokens[at - 1].text not in ("return", "case")
    )
    return typed and at + 1 < len(tokens) and tokens[at + 1].text in ("=", ";", ",", "[", "(", "{")


def _may_paste(macro: Macro, name: str) -> bool:
    """Whether tokens that the macro pastes may give `name`; a parameter stands for anything."""
    tokens = macro.tokens
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i + 1].text in _PASTE:
            pieces = [tokens[i]]
            while i + 2 < len(tokens) and tokens[i + 1].text in _PASTE:
                pieces.append(tokens[i + 2])
                i += 2
            given = (*(macro.parameters or ()), "__VA_ARGS__")
            pattern = "".join(r"\w*" if p.text in given else re.escape(p.text) for p in pieces)
            if re.fullmatch(pattern, name):
                return True
        i += 1
    return False


def _is_used(macro: Macro, texts: tuple[TranslationUnit, ...]) -> bool:
    mentions = sum(t.text == macro.name for text in texts for t in text.references)
    definitions = sum(m.name == macro.name for text in texts for m in text.macros)
    return mentions > definitions


def _headers(unit: TranslationUnit) -> Iterator[TranslationUnit]:
    """The headers of the program beside the file, and those that they include."""
    pending, seen = [unit], {Path(unit.source.path).absolute()}
    while pending:
        text = pending.pop()
        for include in text.includes:
            path = (Path(text.source.path).parent / include.target).absolute()
            if path not in seen and path.is_file():
                seen.add(path)
                header = read_translation_unit(SourceText.read(path))
                pending.append(header)
                yield header
