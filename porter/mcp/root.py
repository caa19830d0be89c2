"""The folder that a server works in: no path that a client names leads out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError


@dataclass(frozen=True)
class Root:
    """`path` is absolute, without links."""

    path: Path

    @classmethod
    def of(cls, folder: Path) -> Root:
        """Raises InputError for what is no folder."""
        if not folder.is_dir():
            raise InputError(f"{folder}: this is no folder")
        return cls(folder.resolve())

    def file(self, name: str) -> Path:
        """The path relative to the root. Raises InputError for one outside, also by way of a link."""
        try:
            found = (self.path / name).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{name[:200]!r}: this is no path") from error
        if not found.is_relative_to(self.path):
            raise InputError(f"{name[:200]}: this is outside of the server's folder")
        return found.relative_to(self.path)

    def files(self, names: Sequence[str]) -> tuple[Path, ...]:
        return tuple(self.file(name) for name in names)
