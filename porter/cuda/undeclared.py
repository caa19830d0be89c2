"""Declarations for names a source uses and never declares, so that what depends on them still parses.

Host code that calls a macro or a library of a missing header would otherwise take the launches around it
along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.cuda.clang_unit import ClangUnit, ParseError

_NAME = re.compile(r"(?:use of undeclared identifier|unknown type name|no template named) '(\w+)'")
# `std`, `cub`, `thrust` … are namespaces: their members cannot be made up one by one.
_NAMESPACES = frozenset(("std", "cub", "thrust", "nvcuda", "wmma", "cuda", "cooperative_groups"))


def missing_declarations(unit: ClangUnit) -> str:
    """C++ text that declares every undeclared name by its use: called, named as a type, or read."""
    declared: dict[str, str] = {}
    for error in unit.errors:
        match = _NAME.match(error.message)
        if match is None or match.group(1) in _NAMESPACES:
            continue
        for name, text in _declarations(unit, error, match.group(1)):
            declared.setdefault(name, text)
    return "\n".join(declared.values())


def _declarations(unit: ClangUnit, error: ParseError, name: str) -> Iterator[tuple[str, str]]:
    text = unit.text_of(error.span).text
    after = text[error.offset + len(name) :].lstrip()
    if error.message.startswith("unknown type name"):
        yield name, f"typedef struct porter_undeclared_{name} *{name};"
    elif after.startswith("("):
        yield name, f"template <class... A> int {name}(A &&...);"
    elif not after.startswith(("::", "<")):
        yield name, f"extern int {name};"
