"""The arguments of `__launch_bounds__`, which libclang does not hand out: read from the text and folded."""

from __future__ import annotations

import re

from porter.core.span import SourceText
from porter.cuda.clang_cursor import Cursor, Kind
from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import file_definitions, macro_definitions
from porter.cuda.directives import find_macros
from porter.cuda.structure import find_functions
from porter.cuda.tokens import tokenize

_LAUNCH_BOUNDS = re.compile(r"__launch_bounds__\s*\(")


def launch_bounds(
    source: SourceText, start: int, template: Cursor | None, arguments: tuple[str, ...]
) -> tuple[int, ...]:
    """The bounds of the kernel that starts at byte `start`; empty where there are none or one is unknown."""
    head = source.text[start:].partition("{")[0]
    match = _LAUNCH_BOUNDS.search(head)
    if match is None:
        return ()
    scopes = dict(zip(_parameter_names(template), arguments, strict=False)), _file_scope(source)
    values = [fold(part, lookup_in(*scopes)) for part in _split(head[match.end() :])]
    return tuple(v for v in values if v is not None) if None not in values else ()


def _parameter_names(template: Cursor | None) -> list[str]:
    kinds = (Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.TEMPLATE_TYPE_PARAMETER)
    return [] if template is None else [c.spelling for c in template.get_children() if c.kind in kinds]


def _file_scope(source: SourceText) -> dict[str, str]:
    tokenized = tokenize(source)
    constants = {d.name: d.value for d in file_definitions(tokenized, find_functions(tokenized))}
    return {**macro_definitions(find_macros(tokenized)), **constants}


def _split(text: str) -> list[str]:
    """The comma-separated parts up to the parenthesis that closes the list."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([<") - (character in ")]>")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [*parts, current]
