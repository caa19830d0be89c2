"""Checks the tables of the CUDA runtime and driver against HIP's own headers.

A mapped name that no header declares is a defect of the table. The other libraries' headers are rarely at
hand; their tables were generated from ROCm's published bindings.
"""

from __future__ import annotations

import re
from pathlib import Path

from porter.hip.name_table import NameTable

CHECKED_LIBRARIES = ("CUDA runtime", "CUDA driver")

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PROTOTYPE = re.compile(r"\b(hip\w+)\s*\(([^;{}()]*(?:\([^()]*\)[^;{}()]*)*)\)\s*[;{]")


def disagreements(table: NameTable, headers: Path) -> tuple[str, ...]:
    """One line for each mapped runtime or driver name that no header below `headers` declares."""
    known = declared_names(headers)
    return tuple(
        f"{name} is mapped to {entry.hip}, which no HIP header declares"
        for name, entry in sorted(table.mapped.items())
        if entry.library in CHECKED_LIBRARIES and entry.hip.rstrip("*") not in known
    )


def declared_names(headers: Path) -> frozenset[str]:
    """Every identifier that stands in a header outside comments."""
    names: set[str] = set()
    for path in headers.rglob("*.h"):
        names.update(re.findall(r"\b[A-Za-z_]\w+", _code(path)))
    return frozenset(names)


def count_arguments(headers: Path) -> dict[str, frozenset[int]]:
    """The numbers of arguments that the headers give each function; overloads have several."""
    counts: dict[str, set[int]] = {}
    for path in headers.glob("*.h"):
        for name, arguments in _PROTOTYPE.findall(_code(path)):
            plain = re.sub(r"\([^()]*\)|<[^<>]*>", "", arguments).strip()
            counts.setdefault(name, set()).add(0 if plain in ("", "void") else plain.count(",") + 1)
    return {name: frozenset(found) for name, found in counts.items()}


def _code(path: Path) -> str:
    return _COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
