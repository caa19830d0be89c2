"""What the units of a migration came to, as files: one result a unit, and the contents by their hash.

Each file is written whole, and is on the disk before the journal speaks of it.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.core.atomic_file import make_folder_on_disk, write_atomically
from porter.core.cache import digest
from porter.core.errors import InputError
from porter.migrate.repository.units import Kind, State, Unit, UnitDone

_KEY = re.compile(r"[0-9a-f]{32}")
_KERNEL = {"kernel", "outcome", "reason", "evidence", "findings"}
_FINDING = {"code", "severity", "path", "line", "message"}


@dataclass(frozen=True)
class Result:
    """`files` has the hash of the contents of each file to write."""

    unit: Unit
    state: State
    files: Mapping[str, str]
    document: Mapping[str, Any]
    around: str


@dataclass(frozen=True)
class Results:
    """`around` is a digest, for each kind, of what its units depend on besides their own file."""

    folder: Path
    around: Mapping[Kind, str] = field(default_factory=dict)

    def save(self, done: UnitDone) -> None:
        """Raises OSError where the disk is full; nothing half written is left then."""
        files = {}
        for name, data in done.files.items():
            key = digest(data)
            files[name] = key
            if not self._is_whole(key):
                self._write(self._object(key), data)
        unit = {"number": done.unit.number, "kind": done.unit.kind.value, "key": done.unit.key}
        unit["around"] = self.around.get(done.unit.kind, "")
        document = {"name": done.unit.name, **unit, "state": done.state.value, "files": files}
        text = json.dumps({**document, "document": done.document}, indent=1, sort_keys=True)
        self._write(self._result(done.unit.name), text.encode())

    def read(self, unit: Unit) -> Result | None:
        """None where there is none, or one for other contents of the file."""
        result = self._read(self._result(unit.name))
        if result is None or result.unit.key != unit.key or result.unit.kind is not unit.kind:
            return None
        return result if all(self._object(key).exists() for key in result.files.values()) else None

    def whole(self, unit: Unit) -> Result | None:
        """None too where something of its contents is not as it was written, or not made of what is around
        the file now."""
        result = self.read(unit)
        if result is None or result.around != self.around.get(unit.kind, ""):
            return None
        return result if all(self._is_whole(key) for key in result.files.values()) else None

    def all(self) -> Iterator[Result]:
        """Every unit's result, in no order of its own; what is broken is passed over."""
        for path in sorted((self.folder / "units").glob("*/*.json")):
            result = self._read(path)
            if result is not None:
                yield result

    def contents(self, key: str) -> bytes:
        """Raises InputError where they are gone or damaged."""
        try:
            data = self._object(key).read_bytes()
        except OSError as error:
            raise _lost(self._object(key), error.strerror or "cannot be read") from error
        if digest(data) != key:
            raise _lost(self._object(key), "is damaged")
        return data

    def _is_whole(self, key: str) -> bool:
        try:
            return digest(self._object(key).read_bytes()) == key
        except OSError:
            return False

    def _read(self, path: Path) -> Result | None:
        try:
            found = json.loads(path.read_bytes())
            unit = Unit(found["number"], found["name"], Kind(found["kind"]), found["key"])
            state, around = State(found["state"]), found.get("around", "")
            result = Result(unit, state, found["files"], found["document"], around)
            return result if _is_sound(result) else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _write(self, path: Path, data: bytes) -> None:
        if not self.folder.is_dir():  # its folders are made again, it is not
            raise FileNotFoundError(errno.ENOENT, "the folder of the run is gone", str(self.folder))
        make_folder_on_disk(path.parent)
        write_atomically(path, data, on_disk=True)

    def _object(self, key: str) -> Path:
        return self.folder / "objects" / key[:2] / key

    def _result(self, name: str) -> Path:
        key = digest(os.fsencode(name))
        return self.folder / "units" / key[:2] / f"{key}.json"


def _is_sound(result: Result) -> bool:
    """Whether everything is there that is read of it; raises what comes of other types."""
    kernels = result.document["units"]
    findings = [*result.document["findings"], *(f for kernel in kernels for f in kernel["findings"])]
    return (
        all(_KEY.fullmatch(key) for key in result.files.values())
        and all(kernel.keys() >= _KERNEL for kernel in kernels)
        and all(finding.keys() >= _FINDING for finding in findings)
    )


def _lost(path: Path, what: str) -> InputError:
    return InputError(f"{path}: {what}", hint="--resume makes again what the run has lost")


def each(results: Results, units: Iterator[Unit]) -> Iterator[Result]:
    """The results of units that are done, in their order. Raises InputError where one is gone: what is said
    of the run would be wrong without it."""
    for unit in units:
        result = results.read(unit)
        if result is None:
            raise _lost(results.folder, f"the result of {unit.name} is gone or damaged")
        yield result
