"""What the units of a migration came to, as files: one result a unit, and the contents by their hash.

Each file is written whole, and is on the disk before the journal speaks of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.core.atomic_file import make_folder_on_disk, write_atomically
from porter.core.cache import digest
from porter.migrate.repository.units import Kind, State, Unit, UnitDone


@dataclass(frozen=True)
class Result:
    """`files` has the hash of the contents of each file to write."""

    unit: Unit
    state: State
    files: Mapping[str, str]
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Results:
    folder: Path

    def save(self, done: UnitDone) -> None:
        """Raises OSError where the disk is full; nothing half written is left then."""
        files = {}
        for name, data in done.files.items():
            key = digest(data)
            files[name] = key
            if not self._object(key).exists():
                _write(self._object(key), data)
        unit = {"number": done.unit.number, "kind": done.unit.kind.value, "key": done.unit.key}
        document = {"name": done.unit.name, **unit, "state": done.state.value, "files": files}
        text = json.dumps({**document, "document": done.document}, indent=1, sort_keys=True)
        _write(self._result(done.unit.name), text.encode())

    def read(self, unit: Unit) -> Result | None:
        """None where there is none, or one for other contents of the file."""
        result = self._read(self._result(unit.name))
        if result is None or result.unit.key != unit.key or result.unit.kind is not unit.kind:
            return None
        return result if all(self._object(key).exists() for key in result.files.values()) else None

    def all(self) -> Iterator[Result]:
        """Every unit's result, in no order of its own; what is broken is passed over."""
        for path in sorted((self.folder / "units").glob("*/*.json")):
            result = self._read(path)
            if result is not None:
                yield result

    def contents(self, key: str) -> bytes:
        return self._object(key).read_bytes()

    def _read(self, path: Path) -> Result | None:
        try:
            found = json.loads(path.read_bytes())
            unit = Unit(found["number"], found["name"], Kind(found["kind"]), found["key"])
            return Result(unit, State(found["state"]), found["files"], found["document"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _object(self, key: str) -> Path:
        return self.folder / "objects" / key[:2] / key

    def _result(self, name: str) -> Path:
        key = digest(os.fsencode(name))
        return self.folder / "units" / key[:2] / f"{key}.json"


def _write(path: Path, data: bytes) -> None:
    make_folder_on_disk(path.parent)
    write_atomically(path, data, on_disk=True)


def each(results: Results, units: Iterator[Unit]) -> Iterator[Result]:
    """The results of units that are done, in their order."""
    for unit in units:
        result = results.read(unit)
        if result is not None:
            yield result
