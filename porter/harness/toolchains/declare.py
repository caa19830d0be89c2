"""Writes the host headers of ROCm's libraries below `include/` from the tables `declarations/*.toml`.

A table says what a caller must know: handles, enumerators, and each function's parameter types as a list of
words that the table defines. A name with letters in braces stands for one function a letter, `T` being that
letter's type and `R` its real type. Functions under `[blas]` also come as Batched, StridedBatched and with
64-bit sizes, where `A` and `W` (a matrix that is read or written, with its stride) change their form.

Run as `python -m porter.harness.toolchains.declare`; a test says when the result is out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TABLES = Path(__file__).parent / "declarations"
_HEADERS = Path(__file__).parent / "include"
_COUNT = "count"  # where a batched form has its number of problems; at the end if not named
_LETTERS = {
    "S": ("float", "float"),
    "D": ("double", "double"),
    "C": ("hipFloatComplex", "float"),
    "Z": ("hipDoubleComplex", "double"),
    "H": ("hipblasHalf", "hipblasHalf"),
}
_TITLE = (
    "// porter's own {path}: what host code needs to be parsed without ROCm, and no definitions.\n"
    "// Written by porter.harness.toolchains.declare from {table}. It is searched after every real header.\n"
)


@dataclass(frozen=True)
class Prototype:
    """One C function: its return type, and its parameters' types in order."""

    returns: str
    name: str
    parameters: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.returns} {self.name}({', '.join(self.parameters)});"


@dataclass(frozen=True)
class Header:
    """A header to be written: its path below the include folder, and its text."""

    path: str
    text: str


def all_headers() -> tuple[Header, ...]:
    """Every header the tables describe, with the short names that only include another."""
    return tuple(header for table in sorted(_TABLES.glob("*.toml")) for header in _headers(table))


def _headers(table: Path) -> Iterator[Header]:
    document = tomllib.loads(table.read_text(encoding="utf-8"))
    path = str(document["path"])
    title = _TITLE.format(path=path, table=f"declarations/{table.name}")
    if not document.get("written_by_hand", False):
        yield Header(path, title + "#pragma once\n\n" + _body(document))
    for alias in document.get("also", ()):
        yield Header(alias, f"// porter's own {alias}.\n#pragma once\n#include <{path}>\n")


def _body(document: Mapping[str, Any]) -> str:
    lines = [f"#include <{name}>" for name in document.get("includes", ())]
    # Programs test the real header's guard to see what was included.
    lines += [f"#define {document['guard']}"] if "guard" in document else []
    lines += ["", *(f"typedef void* {name};" for name in document.get("handles", ()))]
    lines += [_alias(name, of) for name, of in document.get("aliases", {}).items()]
    for name, words in document.get("enums", {}).items():
        lines.append(f"typedef enum {{ {', '.join(words.split())} }} {name};")
    lines += [f"struct {name} {{ {members} }};" for name, members in document.get("structs", {}).items()]
    lines += [f"#define {name} {value}" for name, value in document.get("macros", {}).items()]
    lines += ["", 'extern "C" {', *(str(p) for p in prototypes(document)), "}"]
    lines += [str(line) for line in document.get("inline", ())]
    return "\n".join(lines) + "\n"


def _alias(name: str, of: str) -> str:
    element, bracket, rest = of.partition("[")
    return f"typedef {element} {name}{bracket}{rest};"


def prototypes(document: Mapping[str, Any]) -> Iterator[Prototype]:
    """Every function of a table, spelled out."""
    returns, words = str(document["returns"]), document.get("words", {})
    for pattern, text in document.get("functions", {}).items():
        signature, _, result = text.partition("->")
        for name, letter in spelled(pattern):
            yield Prototype(result.strip() or returns, name, _types(signature, words, letter, "plain"))
    for pattern, text in document.get("blas", {}).items():
        for name, letter in spelled(pattern):
            for form, suffix in (("plain", ""), ("batched", "Batched"), ("strided", "StridedBatched")):
                whole = _with_form(name, suffix)
                types = _types(text, words, letter, form)
                yield Prototype(returns, whole, types)
                yield Prototype(returns, f"{whole}_64", tuple(map(_wide, types)))


def _with_form(name: str, suffix: str) -> str:
    """`hipblasGemmEx` batches as `hipblasGemmBatchedEx`, `hipblasSgemm` as `hipblasSgemmBatched`."""
    return f"{name[:-2]}{suffix}Ex" if name.endswith("Ex") else name + suffix


def _wide(parameter: str) -> str:
    return "int64_t" if parameter == "int" else re.sub(r"^int\*$", "int64_t*", parameter)


def spelled(pattern: str) -> Iterator[tuple[str, str]]:
    """`a{S,D}b` as (aSb, S) and (aDb, D); `{Sc=C}` gives the spelling Sc with the letter C."""
    found = re.search(r"\{([^}]*)\}", pattern)
    if found is None:
        yield pattern, "S"
        return
    for choice in found.group(1).split(","):
        spelling, _, letter = choice.strip().partition("=")
        yield pattern[: found.start()] + spelling + pattern[found.end() :], letter or spelling.upper()


def _types(signature: str, words: Mapping[str, str], letter: str, form: str) -> tuple[str, ...]:
    listed = signature.split()
    if form != "plain" and _COUNT not in listed:
        listed.append(_COUNT)
    types = [t for word in listed for t in _expanded(word, words, form)]
    scalar, real = _LETTERS[letter]
    return tuple(re.sub(r"\bR\b", real, re.sub(r"\bT\b", scalar, t)) for t in types)


def _expanded(word: str, words: Mapping[str, str], form: str) -> tuple[str, ...]:
    if word == _COUNT:
        return () if form == "plain" else ("int",)
    if word in ("A", "W"):
        const = "const " if word == "A" else ""
        pointer = f"{const}T* const*" if form == "batched" else f"{const}T*"
        return (pointer, "int", "hipblasStride") if form == "strided" else (pointer, "int")
    return tuple(part.strip() for part in words[word].split(","))


def main() -> None:
    """Writes every header below `include/`."""
    for header in all_headers():
        path = _HEADERS / header.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(header.text, encoding="ascii")


if __name__ == "__main__":
    main()
