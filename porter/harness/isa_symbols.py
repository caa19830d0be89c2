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
    """By name; of several instantiations the one with the launch's template arguments, as far as the capture
    knows them, and its argument types.

    Raises IsaError where that leaves none or several: a guess could fail a right port.
    """
    base = base_name(launch.kernel)
    named = [symbol for symbol in symbols if source_name(symbol) == base]
    known = {symbol: demangled(symbol) for symbol in named} if len(named) > 1 else {}
    if len(named) > 1:
        types = [_plain(argument.type) for argument in launch.arguments]
        named = [symbol for symbol in named if _parameter_types(known[symbol]) == types]
    if len(named) > 1:
        wanted = _launched_with(launch)
        named = [symbol for symbol in named if _template_arguments(known[symbol]) == wanted]
    if len(named) != 1:
        raise IsaError("ISA004", f"{len(named)} kernels of the code object could be {launch.kernel}")
    return named[0]


def _launched_with(launch: Launch) -> list[str]:
    """The template arguments of the launched function; those written at the launch where it is not known."""
    if launch.template_arguments:
        return [_value(argument) for argument in launch.template_arguments]
    return _template_arguments(launch.function or launch.kernel)


_INTEGER_WORDS = re.compile(r"\b(?:(?:unsigned|signed|long|short|int|char)\b\s*)+")


def _plain(type_: str) -> str:
    """A type without qualifiers and spaces, in one spelling."""
    text = re.sub(r"\b(const|volatile|__restrict__|__restrict|struct)\b", "", type_)
    return re.sub(r"\s+", "", _INTEGER_WORDS.sub(lambda found: _integer(found[0].split()), text))


def _integer(words: list[str]) -> str:
    """`unsigned long` for `long unsigned int`, as a demangler spells it."""
    sign = ["unsigned"] if "unsigned" in words else ["signed"] if {"signed", "char"} <= set(words) else []
    sizes = [word for word in words if word in ("char", "short", "long")]
    return " ".join([*sign, *(sizes or ["int"])])


def _value(argument: str) -> str:
    """A template argument: a type, or a value without its suffix."""
    return re.sub(r"(?<=\d)[uUlL]+$", "", _plain(argument))


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
    return [_value(part) for part in parts]


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
