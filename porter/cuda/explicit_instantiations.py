"""Explicit instantiations (`template void f<float>(float *);`), which libclang does not show, made visible.

Each becomes a variable after the source whose initialiser names the instance; where a kernel is launched only
from there, or only instantiated for other files, that is how its arguments are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

INSTANCE_PREFIX = "porter_instance_"

_INSTANTIATION = re.compile(r"^[ \t]*template\s+(?![<\s])([^;{}=]*?);", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPECIFIERS = re.compile(r"\b__\w+__(?:\s*\([^()]*\))?|\b(?:inline|static|extern)\b")
_CLASS = re.compile(r"(?:class|struct)\s+(.+)", re.DOTALL)
_FUNCTION = re.compile(
    r"(?P<returns>.*?)(?P<name>[\w:]+)\s*(?P<arguments><.*>)?\s*\((?P<parameters>.*)\)", re.DOTALL
)


def explicit_instantiations(text: str) -> str:
    """C++ text that names every explicit instantiation of `text`; empty where there are none."""
    cleaned = _COMMENT.sub(" ", text)
    return "\n".join(_variables(cleaned))


def _variables(text: str) -> Iterator[str]:
    for number, declared in enumerate(_declared(text)):
        function = _FUNCTION.fullmatch(declared)
        if function is not None and _CLASS.fullmatch(declared) is None:
            name = function.group("name") + (function.group("arguments") or "")
            returns, parameters = function.group("returns"), function.group("parameters")
            yield f"static {returns} (*{INSTANCE_PREFIX}e{number})({parameters}) = &{name};"


def explicit_classes(text: str) -> Iterator[tuple[str, str]]:
    """The class templates that are instantiated explicitly: name and instance (`Grid`, `Grid<float>`)."""
    for declared in _declared(_COMMENT.sub(" ", text)):
        match = _CLASS.fullmatch(declared)
        if match is not None:
            yield match.group(1).partition("<")[0].strip().rpartition("::")[2], match.group(1)


def _declared(text: str) -> Iterator[str]:
    for match in _INSTANTIATION.finditer(text):
        yield " ".join(_SPECIFIERS.sub(" ", match.group(1)).split())


def named_instance(number: int, kernel: str, arguments: tuple[str, ...]) -> str:
    """A variable that asks for one instance of a kernel template by its arguments."""
    return f"static auto *{INSTANCE_PREFIX}{number} = &{kernel}<{', '.join(arguments)}>;"
