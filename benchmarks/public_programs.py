"""Public CUDA programs in the simulator: each one is built unmodified, run, and judged by its own check.

`python benchmarks/public_programs.py --checkouts FOLDER` runs what `public_programs.toml` lists and writes
`docs/public-programs.md`. FOLDER holds each repository as `<owner>+<name>`; the clone lines of missing ones
are printed. None of the public code is part of porter.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from porter.core.cache import cache_directory
from porter.core.errors import InputError, PorterError
from porter.core.process import Limits
from porter.simulator.build import CompileError, Program, build_program
from porter.simulator.options import Face
from porter.simulator.run import RunResult, run_program

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LIST = Path(__file__).with_suffix(".toml")
PAGE = Path(__file__).parent.parent / "docs" / "public-programs.md"
HEADING = """\
# Public programs in the simulator

Written by `python benchmarks/public_programs.py --checkouts FOLDER`. Every program is built from its own
sources and run whole on the CPU at 32 lanes; the result is that of the program's own check. Where a line of
source is listed, it replaces the program's own in a copy: the program takes that size from nowhere else.
Seconds are elapsed times on the machine that ran the command, which did other work as well; a cached build
takes none. `--only NAME` runs some of them again and keeps the rows of the others.
"""


@dataclass(frozen=True)
class Repository:
    """Where public programs come from, and what their builds share."""

    name: str
    licence: str
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    passes: str = ""
    fails: str = ""

    @property
    def folder(self) -> str:
        return self.name.replace("/", "+")


@dataclass(frozen=True)
class Entry:
    """One program. Sources and files are patterns below `folder`; files are copied to where it runs.

    It passes when it exits with `exit_code`, its output matches `passes` and not `fails`, and the simulator
    reports nothing but `faults`, which the program makes on purpose. `edits` are pairs of texts. `why` is
    what stands behind a failure that is known.
    """

    name: str
    repository: Repository
    folder: str
    passes: str
    sources: tuple[str, ...] = ("*.cu", "*.cpp")
    fails: str = ""
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    exit_code: int = 0
    seconds: float = 60.0
    why: str = ""
    generated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """`reason` is empty for a program whose check passed."""

    entry: Entry
    build_seconds: float
    run_seconds: float
    reason: str


def load(path: Path = LIST) -> tuple[Entry, ...]:
    """The list; what a repository says holds for its programs unless they say otherwise."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = []
    for table in document["repository"]:
        programs = table.pop("program")
        repository = Repository(**_tuples(table))
        entries += [entry_of(program, repository) for program in programs]
    return tuple(entries)


def entry_of(table: dict[str, Any], repository: Repository) -> Entry:
    shared = {"name": Path(table["folder"]).name, "passes": repository.passes, "fails": repository.fails}
    return Entry(**{**shared, **_tuples(table), "repository": repository})


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def attempt(entry: Entry, checkouts: Path, face: Face = Face.CUDA) -> Outcome:
    """Builds and runs one program in a scratch folder of its own; a port's sources have the HIP face."""
    start = time.perf_counter()
    try:
        program = _build(entry, checkouts / entry.repository.folder, face)
    except CompileError as error:
        first = error.diagnostics[0]
        place = f"{Path(first.span.path).name}:{first.span.line}: "
        return Outcome(entry, time.perf_counter() - start, 0.0, f"does not build: {place}{first.message}")
    except PorterError as error:
        return Outcome(entry, time.perf_counter() - start, 0.0, f"does not build: {error}")
    built = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="porter-public-") as scratch:
        _provide(entry, checkouts / entry.repository.folder, Path(scratch))
        limits = Limits(wall_seconds=entry.seconds)
        done = run_program(program, entry.arguments, cwd=Path(scratch), limits=limits)
    reason = _verdict(entry, done).replace(f"{checkouts.absolute() / entry.repository.folder}/", "")
    return Outcome(entry, built - start, time.perf_counter() - built, reason)


@dataclass(frozen=True)
class Build:
    """What a program is compiled from: the sources with their edits, folders of headers, macros."""

    sources: tuple[Path, ...]
    include_dirs: tuple[Path, ...]
    defines: tuple[str, ...]


def build_inputs(entry: Entry, checkout: Path, face: Face = Face.CUDA) -> Build:
    """The files of an entry. Raises InputError where a text that is to be replaced does not occur."""
    folder = checkout / entry.folder
    sources = [path for pattern in entry.sources for path in sorted(folder.glob(pattern))]
    include_dirs = [folder, *(folder / d for d in entry.include_dirs)]
    include_dirs += [checkout / d for d in entry.repository.include_dirs]
    include_dirs += written_headers(entry.repository)
    defines = (*entry.repository.defines, *entry.defines)
    if entry.edits:
        sources = _edited(entry, folder, sources, face)
    return Build(tuple(sources), tuple(include_dirs), defines)


def _build(entry: Entry, checkout: Path, face: Face) -> Program:
    given = build_inputs(entry, checkout, face)
    return build_program(given.sources, face=face, include_dirs=given.include_dirs, defines=given.defines)


def written_headers(repository: Repository) -> list[Path]:
    folder = cache_directory("public-programs") / repository.folder / "headers"
    for name, text in repository.headers.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n", encoding="utf-8")
    return [folder] if repository.headers else []


def _edited(entry: Entry, folder: Path, sources: Sequence[Path], face: Face) -> list[Path]:
    """Copies of the sources with the changed constants; every pair must occur in one of them."""
    kind = "public-programs" if face is Face.CUDA else "public-ports-edited"
    target = cache_directory(kind) / entry.repository.folder / entry.name
    target.mkdir(parents=True, exist_ok=True)
    pairs = list(zip(entry.edits[::2], entry.edits[1::2], strict=True))
    texts = {path: path.read_text(encoding="latin-1") for path in sources}
    for old, _ in pairs:
        if not any(old in text for text in texts.values()):
            raise InputError(f"{folder}: no source holds '{old}'")
    copies = []
    for path, text in texts.items():
        for old, new in pairs:
            text = text.replace(old, new)
        copies.append(target / path.name)
        copies[-1].write_text(text, encoding="latin-1")
    return copies


def _provide(entry: Entry, checkout: Path, scratch: Path) -> None:
    folder = checkout / entry.folder
    for pattern in entry.files:
        for path in sorted(folder.glob(pattern)):
            if path.is_dir():
                shutil.copytree(path, scratch / path.name)
            else:
                shutil.copy(path, scratch / path.name)
    for name, recipe in entry.generated.items():
        (scratch / name).write_text(generated_text(recipe), encoding="utf-8")


def generated_text(recipe: str) -> str:
    """`4096 lines of uniform 0 1`: numbers for a program that reads a file, the same ones every time."""
    count, low, high = re.fullmatch(r"(\d+) lines of uniform (\S+) (\S+)", recipe).groups()  # type: ignore[union-attr]
    random = Random(0)
    return "".join(f"{random.uniform(float(low), float(high)):.6g}\n" for _ in range(int(count)))


def _verdict(entry: Entry, done: RunResult) -> str:
    output = (done.stdout + b"\n" + done.stderr).decode(errors="replace")
    unexpected = [error for error in done.errors if error.code not in entry.faults]
    if unexpected:
        first = unexpected[0]
        return f"[{first.code}] {Path(first.file).name}:{first.line}: {first.message}"
    if done.timed_out:
        return f"did not end within {entry.seconds:g} s"
    if done.returncode != entry.exit_code:
        return f"exit code {done.returncode}: {_last_line(output)}"
    if entry.fails and re.search(entry.fails, output, re.MULTILINE):
        return f"its check failed: {_matching_line(entry.fails, output)}"
    if not re.search(entry.passes, output, re.MULTILINE):
        return f"its check did not pass: {_last_line(output)}"
    return ""


def _matching_line(pattern: str, output: str) -> str:
    return next((line.strip() for line in output.splitlines() if re.search(pattern, line)), "")


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def _record(entry: Entry) -> Path:
    return cache_directory("public-programs") / "outcomes" / f"{entry.repository.folder}+{entry.name}.json"


def keep(outcome: Outcome) -> None:
    """Remembers how a program's latest run ended: a few programs run again still give a whole page."""
    path = _record(outcome.entry)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps([outcome.build_seconds, outcome.run_seconds, outcome.reason]), encoding="utf-8"
    )


def kept() -> list[Outcome]:
    """The latest outcome of every program on the list."""
    outcomes = []
    for entry in load():
        if _record(entry).exists():
            outcomes.append(Outcome(entry, *json.loads(_record(entry).read_text(encoding="utf-8"))))
        else:
            outcomes.append(Outcome(entry, 0.0, 0.0, "not run yet"))
    return outcomes


def page(outcomes: Sequence[Outcome]) -> str:
    """The table as Markdown."""
    passed = sum(not outcome.reason for outcome in outcomes)
    lines = [HEADING, f"**{passed} of {len(outcomes)} pass.**"]
    for repository in dict.fromkeys(outcome.entry.repository for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.entry.repository == repository]
        lines += [
            "",
            f"## {repository.name}",
            "",
            f"https://github.com/{repository.name} ({repository.licence})",
            "",
        ]
        lines += ["| program | arguments, sizes | build s | run s | result |", "|---|---|---:|---:|---|"]
        lines += [_row(outcome) for outcome in own]
    return "\n".join(lines) + "\n"


def _row(outcome: Outcome) -> str:
    entry = outcome.entry
    changed = [f"`{new}`" for new in entry.edits[1::2]]
    size = " ".join([*(f"`-D{d}`" for d in entry.defines), *entry.arguments, *changed]) or "its own"
    # Only the names of files: their folders are this machine's.
    result = re.sub(r"(?<!\w)/\S*/", "", outcome.reason).replace("|", "\\|")[:300] or "passed"
    if outcome.reason and entry.why:
        result += f" ({entry.why})"
    times = f"{outcome.build_seconds:.1f} | {outcome.run_seconds:.1f}"
    return f"| {entry.name} | {size} | {times} | {result} |"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", type=Path, required=True, help="folder of the repositories")
    parser.add_argument(
        "--only", action="append", help="run only programs whose name holds this (repeatable)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time")
    options = parser.parse_args()
    entries = [e for e in load() if not options.only or any(part in e.name for part in options.only)]
    missing = {e.repository for e in entries if not (options.checkouts / e.repository.folder).is_dir()}
    for repository in sorted(missing, key=lambda r: r.name):
        target = options.checkouts / repository.folder
        print(f"git clone --depth 1 https://github.com/{repository.name} {target}")
    if missing:
        return 2
    passed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda e: attempt(e, options.checkouts), entries):
            times = f"{outcome.build_seconds:6.1f} {outcome.run_seconds:6.1f}"
            print(f"{times}  {outcome.entry.name}: {outcome.reason or 'passed'}", flush=True)
            keep(outcome)
            passed += not outcome.reason
    PAGE.write_text(page(kept()), encoding="utf-8")
    print(f"{passed} of {len(entries)} passed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
