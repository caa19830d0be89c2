"""A run that is on disk, as its reports show it: of `porter migrate` and of `porter translate`."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import nsmallest
from pathlib import Path
from typing import Any

from porter.core.cache import digest
from porter.core.errors import InputError
from porter.core.migration_report import MigrationReport, Reason
from porter.core.run_report import FileReport, RunReport
from porter.migrate.repository.results import Result, Results
from porter.migrate.repository.run import RECORD
from porter.migrate.repository.summary import paid, summed_up

MOST_FILES = 2000
"""In one report: the numbers are of all."""


def find_run(base: Path, name: str) -> Path:
    """The folder of a run: by its path, its name below `base`, or the last one for an empty name.

    Raises InputError where there is none."""
    if name:
        places = (Path(name), base / "runs" / name)
        found = next((path for path in places if (path / "run.json").is_file()), None)
        if found is None:
            raise InputError(f"{name}: no run of porter", hint="`porter runs` lists them")
        return found
    runs = sorted(path.parent for path in (base / "runs").glob("*/run.json"))
    if not runs:
        raise InputError(
            "there is no run here", hint="name one, or go to the folder where porter was started"
        )
    return runs[-1]


def read_run(folder: Path) -> RunReport:
    """Raises InputError for a folder that is no run, or none that has results."""
    run = _json(folder / "run.json")
    if (folder / RECORD).is_file():
        return _migration(folder, run, _json(folder / RECORD))
    return _single(folder, run)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise InputError(f"{path}: no record of a run")
    return found


def _migration(folder: Path, run: Mapping[str, Any], record: Mapping[str, Any]) -> RunReport:
    """Of a run that was stopped, what is done."""
    root, results = Path(record["root"]), Results(folder)
    head = MigrationReport(
        root=str(root),
        target=record["target"],
        arch=record.get("arch", ""),
        run_directory=str(folder),
        models=paid(folder) if record.get("agent") else None,
    )
    summary = summed_up(head, results.all(), checked=record.get("check", True))
    if not summary.files:
        raise InputError(f"{folder}: this run has no result", hint="it was stopped, or it is under way")
    first = nsmallest(MOST_FILES, results.all(), key=lambda result: os.fsencode(result.unit.name))
    shown = tuple(_file(root, results, result) for result in first)
    every = sum(count for by_state in summary.files.values() for count in by_state.values())
    return RunReport(folder.name, run.get("started", ""), summary, shown, every - len(shown))


def _file(root: Path, results: Results, result: Result) -> FileReport:
    try:
        original: bytes | None = (root / result.unit.name).read_bytes()
    except OSError:
        original = None
    if original is not None and digest(original) != result.unit.key:
        original = None
    ports = {name: results.contents(key) for name, key in sorted(result.files.items())}
    return FileReport(
        result.unit.name, result.unit.kind.value, result.state.value, original, ports, result.document
    )


def _single(folder: Path, run: Mapping[str, Any]) -> RunReport:
    """Units of `translate` and `verify`: a folder each, with what was there and what came of it."""
    units = sorted(path.parent for path in (folder / "units").glob("*/result.json"))
    if not units:
        raise InputError(f"{folder}: this run has no result", hint="it was stopped, or it is under way")
    files = tuple(_unit(path) for path in units)
    first = _json(units[0] / "result.json")
    counts: Counter[str] = Counter(file.state for file in files)
    kernels: Counter[str] = Counter()
    evidence: Counter[str] = Counter()
    for file in files:
        for kernel in file.kernels:
            kernels[kernel["outcome"]] += 1
            evidence.update(set(kernel["evidence"]))
    summary = MigrationReport(
        root=", ".join(file.name for file in files),
        target=first["target"] or "",
        arch=first["arch"],
        files={"kernels": dict(counts)},
        kernels=dict(kernels),
        evidence=dict(sorted(evidence.items())),
        reasons=tuple(_reasons(files)),
        run_directory=str(folder),
    )
    return RunReport(folder.name, run.get("started", ""), summary, files)


def _unit(path: Path) -> FileReport:
    document = _json(path / "result.json")
    source = next((u["source"] for u in document["units"]), path.name)
    original = path / "00-source.cu"
    candidates = sorted(path.glob("50-candidate.*"))
    ports = {Path(source).with_suffix(c.suffix).as_posix(): c.read_bytes() for c in candidates[:1]}
    totals = document["totals"]
    state = "ported" if totals["ported"] and totals["ported"] == sum(totals.values()) else "open"
    text = original.read_bytes() if original.is_file() else None
    return FileReport(source, "kernels", state, text, ports, document)


def _reasons(files: tuple[FileReport, ...]) -> Iterator[Reason]:
    found: dict[tuple[str, str], Reason] = {}
    for file in files:
        for kernel in file.kernels:
            if kernel["outcome"] == "ported":
                continue
            errors = [f for f in kernel["findings"] if f["severity"] == "error"]
            code, message = (errors[0]["code"], errors[0]["message"]) if errors else ("", kernel["reason"])
            place = f"{file.name}:{errors[0]['line']}" if errors else f"{file.name}: {kernel['kernel']}"
            known = found.get((code, message), Reason(code, message, 0, ()))
            found[code, message] = replace(known, count=known.count + 1, places=(*known.places, place)[:5])
    yield from found.values()
