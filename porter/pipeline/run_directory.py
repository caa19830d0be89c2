"""`.porter/runs/<time>-<hash>/`: everything a run made, in numbered stage files; `.porter/candidates/`;
`.porter/agent/`: what models were asked and answered, which every later run goes on from.

`result.json` of a unit is written last and atomically: a unit without one did not finish. Runs are the user's
to keep or delete; of the candidates, which every run can write again, the last ones stay.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from porter import __version__
from porter.core.atomic_file import write_atomically
from porter.core.cache import digest
from porter.core.cache_limit import SAFE_SECONDS
from porter.core.errors import InputError, PorterError
from porter.pipeline.run_lock import held

KEPT_CANDIDATES = 200
"""The folders of candidates that stay, those used last; a run that is under way may have more."""


@dataclass(frozen=True)
class UnitDirectory:
    """The stage files of one source file; `candidates` is a folder that all runs share, and so is
    `trajectories`, unless a run has one of its own."""

    path: Path
    candidates: Path
    trajectories: Path

    def below(self, name: str) -> UnitDirectory:
        """A folder in this one, for the same work on something else."""
        (self.path / name).mkdir(exist_ok=True)
        return replace(self, path=self.path / name)

    def write(self, name: str, data: bytes | str) -> Path:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)
        return target

    def write_candidate(self, name: str, files: Mapping[str, bytes]) -> Path:
        """Writes `files` here, and again where every run has them: the path of `name` there.

        What compilers make of a file is kept by its path and contents: the same candidate of another run is
        not compiled again.
        """
        parts = [part for item in sorted(files.items()) for part in item]
        shared = self.candidates / digest(name, *parts)[:16]
        shared.mkdir(parents=True, exist_ok=True)
        for own, data in files.items():
            self.write(own, data)
            (shared / own).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(shared / own, data)
        return shared / name

    def finish(self, result: str) -> None:
        write_atomically(self.path / "result.json", result.encode())


@dataclass(frozen=True)
class RunDirectory:
    """`own_trajectories` is where this run keeps what models said, if not where all runs do."""

    path: Path
    candidates: Path
    own_trajectories: Path | None = None

    @classmethod
    def create(
        cls, base: Path, command: str, inputs: bytes, *, subject: str = "", target: str = ""
    ) -> RunDirectory:
        """Makes a fresh directory below `base`; two runs in one second get different names.

        `subject` and `target` are for who lists the runs. While what is returned lives, the run is in use and
        is not deleted. Deletes old candidates of earlier runs. Raises InputError where it cannot be written.
        """
        stamp = time.strftime("%Y%m%d-%H%M%S")
        key = digest(inputs, command, str(time.time_ns()))[:8]
        path = base / "runs" / f"{stamp}-{key}"
        run = {"porter": __version__, "command": command, "started": stamp}
        run |= {"subject": subject, "target": target}
        try:
            (path / "units").mkdir(parents=True)
            write_atomically(base / ".gitignore", b"*\n")
            write_atomically(path / "run.json", json.dumps(run, indent=2).encode())
        except OSError as error:
            raise cannot_be_kept(error) from error
        candidates = base / "candidates"
        _delete_old(candidates)
        created = cls(path, candidates)
        weakref.finalize(created, os.close, held(path))
        return created

    @contextlib.contextmanager
    def of_use(self) -> Iterator[None]:
        """Where the input cannot be used nothing is left of the run: it would be listed as the last one."""
        try:
            yield
        except PorterError:
            shutil.rmtree(self.path, ignore_errors=True)
            raise

    def unit(self, name: str) -> UnitDirectory:
        path = self.path / "units" / name.strip("/").replace("/", "__")
        path.mkdir(parents=True, exist_ok=True)
        trajectories = self.own_trajectories or self.candidates.parent / "agent"
        return UnitDirectory(path, self.candidates, trajectories)

    def event(self, stage: str, **fields: Any) -> None:
        """Appends one line to `events.jsonl`."""
        line = json.dumps({"time": round(time.time(), 3), "stage": stage, **fields})
        with (self.path / "events.jsonl").open("a") as log:
            log.write(line + "\n")


def cannot_be_kept(error: OSError) -> InputError:
    """What a run makes cannot be written to its folder."""
    gone = error.errno == errno.ENOENT
    hint = "begin a new one" if gone else "make room, or let it be written"
    return InputError(f"{error.filename}: {error.strerror or error}", hint=hint)


def _delete_old(candidates: Path) -> None:
    """All but the last ones. A folder's time is when it was last written to, which is once a run."""
    by_age: list[tuple[float, Path]] = []
    with contextlib.suppress(FileNotFoundError):
        for folder in candidates.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process has deleted it
                by_age.append((folder.stat().st_mtime, folder))
    by_age.sort(reverse=True)
    for used_at_s, folder in by_age[KEPT_CANDIDATES:]:
        if time.time() - used_at_s > SAFE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
