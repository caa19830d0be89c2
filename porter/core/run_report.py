"""A run with everything that its reports show: the numbers, and each file with its texts and kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from porter.core.migration_report import MigrationReport


@dataclass(frozen=True)
class FileReport:
    """`kind` and `state` are those of a migration's unit. `original` is None where the file has changed, or
    is gone. `ports` are the texts that were written for it, by their names. `document` has `units` (one a
    kernel) and `findings`, as in `porter-report-1`, and perhaps a `reason`.
    """

    name: str
    kind: str
    state: str
    original: bytes | None
    ports: Mapping[str, bytes]
    document: Mapping[str, Any]

    @property
    def kernels(self) -> list[Mapping[str, Any]]:
        return list(self.document["units"])

    def findings(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Each with its kernel, "" for those of the file."""
        for finding in self.document["findings"]:
            yield "", finding
        for kernel in self.kernels:
            for finding in kernel["findings"]:
                yield kernel["kernel"], finding


@dataclass(frozen=True)
class RunReport:
    """`name` is the run's folder. `left_out` files of the run are not in `files`."""

    name: str
    started: str
    summary: MigrationReport
    files: tuple[FileReport, ...]
    left_out: int = 0
