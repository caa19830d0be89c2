"""Which kernel of a code object stands for a captured launch."""

from __future__ import annotations

import re
from collections.abc import Iterable

from porter.harness.capture import Launch
from porter.harness.isa.errors import IsaError
from porter.harness.launches import base_name
from porter.harness.toolchains.code_object import source_name
from porter.harness.toolchains.demangle import demangled


def symbol_of(symbols: Iterable[str], launch: Launch) -> str:
    """By name; of several instantiations the one of the launch's argument types, then template arguments.

    Raises IsaError where that leaves none or several: a guess could fail a right port.
    """
    base = base_name(launch.kernel)
    named = [symbol for symbol in symbols if source_name(symbol) == base]
    if len(named) > 1:
        types = [_plain(argument.type) for argument in launch.arguments]
        named = [symbol for symbol in named if _parameter_types(demangled(symbol)) == types]
    if len(named) > 1:
        wanted = _template_arguments(launch.kernel)
        named = [symbol for symbol in named if _template_arguments(demangled(symbol)) == wanted]
    if len(named) != 1:
        raise IsaError("ISA004", f"{len(named)} kernels of the code object could be {launch.kernel}")
    return named[0]


def _plain(type_: str) -> str:
    """A type without qualifiers and spaces, in one spelling."""
    text = re.sub(r"\b(const|volatile|__restrict__|__restrict|struct)\b", "", type_)
    text = re.sub(r"\bunsigned\b(?!\s*(int|char|short|long))", "unsigned int", text)
    return re.sub(r"\s+", "", text)


def _parameter_types(declaration: str) -> list[str]:
    """Of `void scale<float>(float*, int)`: `float*` and `int`."""
    start = _outside_brackets(declaration, "(")
    if start < 0:
        return []
    inner = declaration[start + 1 : declaration.rindex(")")]
    return [_plain(part) for part in _split(inner)] if inner.strip() else []


def _template_arguments(name: str) -> list[str]:
    match = re.search(r"<(.*?)>\s*(?:\(|$)", name)
    parts = _split(match.group(1)) if match else []
    return [re.sub(r"(?<=\d)[uUlL]+$", "", _plain(part)) for part in parts]


def _outside_brackets(text: str, wanted: str) -> int:
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == wanted and depth == 0:
            return place
    return -1


def _split(text: str) -> list[str]:
    """At the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
