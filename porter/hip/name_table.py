"""What each CUDA name becomes in HIP, from `tables/*.toml`.

Assumes that no name stands in two tables; `load_tables` says so otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DIRECTORY = Path(__file__).parent / "tables"
_KINDS = ("functions", "types", "constants")


@dataclass(frozen=True)
class Mapped:
    """`hip` replaces the name; `kind` is functions, types or constants."""

    hip: str
    kind: str
    api: str


@dataclass(frozen=True)
class Unsupported:
    """HIP has no such thing; `way_out` says what to do instead."""

    way_out: str
    api: str


@dataclass(frozen=True)
class Rearranged:
    """A call with other arguments: `hip` is its text, `{i}` being CUDA's i-th argument of `arguments`.

    `when` says which literals must stand at which places for that; `warning` what changes all the same.
    """

    hip: str
    api: str
    arguments: int
    when: tuple[tuple[int, tuple[str, ...]], ...] = ()
    warning: str = ""

    @property
    def name(self) -> str:
        return self.hip.partition("(")[0]

    @property
    def given(self) -> int:
        """How many arguments the HIP call has."""
        return self.hip.count(",") + 1


@dataclass(frozen=True)
class NameTable:
    """`headers` maps an include's target to HIP's, "" where HIP needs none.

    `newer` gives the ROCm version for HIP names that are newer than the headers the tables were checked
    against, or than the documentation that `versions.toml` was read from.
    `calls` has the forms of each function whose arguments stand otherwise.
    """

    mapped: Mapping[str, Mapped]
    unsupported: Mapping[str, Unsupported]
    headers: Mapping[str, str]
    newer: Mapping[str, str]
    calls: Mapping[str, tuple[Rearranged, ...]]

    def hip_name(self, name: str) -> str | None:
        entry = self.mapped.get(name)
        return entry.hip if entry is not None else None


@cache
def load_tables() -> NameTable:
    """All tables as one. Raises ValueError when two tables disagree about a name."""
    mapped: dict[str, Mapped] = {}
    unsupported: dict[str, Unsupported] = {}
    headers: dict[str, str] = {}
    newer: dict[str, str] = {}
    calls: dict[str, tuple[Rearranged, ...]] = {}
    for name, entry in _entries():
        if name in mapped and mapped[name].hip != entry.hip:
            raise ValueError(f"{name} stands in the tables of {mapped[name].api} and {entry.api}")
        mapped[name] = entry
    for document in _documents():
        library = str(document["library"])
        headers.update(document.get("headers", {}))
        newer.update(document.get("newer", {}))
        for entry in document.get("call", ()):
            calls[entry["cuda"]] = (*calls.get(entry["cuda"], ()), _rearranged(entry, library))
        for name, way_out in document.get("unsupported", {}).items():
            unsupported[name] = Unsupported(way_out, library)
    return NameTable(mapped, unsupported, headers, newer, calls)


def _rearranged(entry: Mapping[str, Any], api: str) -> Rearranged:
    when = tuple((int(index), tuple(values)) for index, values in entry.get("when", {}).items())
    return Rearranged(entry["hip"], api, int(entry["arguments"]), when, entry.get("warning", ""))


def _entries() -> Iterator[tuple[str, Mapped]]:
    for document in _documents():
        for kind in _KINDS:
            for name, hip in document.get(kind, {}).items():
                yield name, Mapped(hip, kind, str(document["library"]))


@cache
def _documents() -> tuple[dict[str, Any], ...]:
    paths = sorted(_DIRECTORY.glob("*.toml"))
    return tuple(tomllib.loads(path.read_text(encoding="utf-8")) for path in paths)
