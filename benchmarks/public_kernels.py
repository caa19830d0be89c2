"""Kernels of public programs, ported to Triton, and a second opinion on every verdict.

`python benchmarks/public_kernels.py --checkouts FOLDER` ports the kernels of `public_kernels.toml` as `porter
translate --target triton` does, then runs each ported module on launches that porter did not see, and writes
`docs/public-kernels.md`. FOLDER holds each repository as `<owner>+<name>`. `--only NAME` does some programs
again. None of the public code is part of porter.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from public_kernels_again import dtype_of, launches
from public_kernels_page import page
from public_programs import Entry, Repository, build_inputs, entry_of, load, tomllib
from safetensors.numpy import load_file, save_file

from porter.core.cache import cache_directory
from porter.core.errors import PorterError
from porter.core.outcome import Declined, Failed, Outcome, Partial, Target
from porter.core.process import Limits
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.simulator.build import Program, build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

LIST = Path(__file__).with_suffix(".toml")
PAGE = Path(__file__).parent.parent / "docs" / "public-kernels.md"
KERNELS_A_PROGRAM = 2
KERNELS = 40
CAPTURE_BYTES = 1 << 28
NEW_CONTENTS_A_KERNEL = 3


@dataclass(frozen=True)
class Chosen:
    """A program and the second run of it: other sizes, where it has any."""

    entry: Entry
    again: Entry


@dataclass(frozen=True)
class Row:
    """One kernel. `again` are the launches of the second opinion, `disagree` those with another result."""

    repository: str
    program: str
    kernel: str
    verdict: str
    reason: str
    seconds: float
    again: int = 0
    disagree: int = 0
    note: str = ""


def chosen() -> tuple[Chosen, ...]:
    """The list, a program of each repository in turn."""
    known = {(e.repository.name, e.name): e for e in load()}
    document = tomllib.loads(LIST.read_text(encoding="utf-8"))
    groups = []
    for table in document["repository"]:
        programs = table.pop("program")
        repository = (
            Repository(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})
            if ("licence" in table)
            else next(e.repository for e in load() if e.repository.name == table["name"])
        )
        groups.append([_chosen(p, repository, known) for p in programs])
    longest = max(len(group) for group in groups)
    return tuple(group[i] for i in range(longest) for group in groups if i < len(group))


def _chosen(table: dict[str, Any], repository: Repository, known: dict[tuple[str, str], Entry]) -> Chosen:
    changes = {k.removeprefix("again_"): tuple(v) for k, v in table.items() if k.startswith("again_")}
    own = {k: v for k, v in table.items() if not k.startswith("again_")}
    base = known.get((repository.name, own["name"]))
    if base is None or "folder" in own:
        entry = entry_of(own, repository)
    else:
        entry = replace(base, **{k: tuple(v) for k, v in own.items() if k != "name"})
    return Chosen(entry, replace(entry, name=f"{entry.name}-again", **changes))


def attempt(item: Chosen, checkouts: Path) -> list[Row]:
    """The rows of one program: its first kernels by name, ported and looked at again."""
    entry = item.entry
    with tempfile.TemporaryDirectory(prefix="porter-kernels-") as scratch:
        first, again = Path(scratch) / "first", Path(scratch) / "again"
        program = _captured(entry, checkouts, first)
        source = build_inputs(entry, checkouts / entry.repository.folder).sources[0]
        kernels = _kernels(source, first)
        if not kernels:
            return []
        start = time.perf_counter()
        outcomes, module = _ported(entry, checkouts, kernels, Path(scratch))
        seconds = (time.perf_counter() - start) / len(kernels)
        rows = [_row(entry, kernel, outcomes, seconds) for kernel in kernels]
        good = [row.kernel for row in rows if row.verdict == "verified"]
        if not good:
            return rows
        other = _captured(item.again, checkouts, again)
        opinions = _opinions(module, again, good)
        new = _with_new_contents(item.again, other or program, again, good, Path(scratch) / "new")
        opinions += _opinions(module, new, good)
        return [_judged(row, opinions) if row.kernel in good else row for row in rows]


def _captured(entry: Entry, checkouts: Path, folder: Path) -> Program:
    """Runs the program with a capture in `folder`. Its own check has to pass."""
    given = build_inputs(entry, checkouts / entry.repository.folder)
    program = build_program(
        given.sources, face=Face.CUDA, include_dirs=given.include_dirs, defines=given.defines
    )
    folder.mkdir()
    done = run_program(
        program,
        entry.arguments,
        capture_dir=folder,
        limits=Limits(wall_seconds=entry.seconds),
        environment={"PORTER_CAPTURE_LIMIT": str(CAPTURE_BYTES)},
    )
    output = (done.stdout + done.stderr).decode(errors="replace")
    if done.timed_out or (entry.passes and not re.search(entry.passes, output, re.MULTILINE)):
        raise PorterError(f"{entry.name} does not pass: {output[-200:]}")
    return program


def _kernels(source: Path, capture: Path) -> list[str]:
    """The first kernels, by name, that the file defines and its run launches."""
    text = source.read_text(encoding="latin-1")
    events = [json.loads(line) for line in (capture / "events.jsonl").read_text().splitlines()]
    names = {e["kernel"].partition("<")[0] for e in events if e["event"] == "launch"}
    return sorted(n for n in names if re.search(rf"\b{re.escape(n)}\s*\(", text))[:KERNELS_A_PROGRAM]


def _ported(
    entry: Entry, checkouts: Path, kernels: Sequence[str], scratch: Path
) -> tuple[dict[str, list[Outcome]], Path]:
    given = build_inputs(entry, checkouts / entry.repository.folder)
    request = PortRequest(
        source=given.sources[0],
        target=Target.TRITON,
        kernels=tuple(kernels),
        arguments=entry.arguments,
        include_dirs=given.include_dirs,
        defines=given.defines,
    )
    run = RunDirectory.create(scratch / "porter", "translate", entry.name.encode())
    result = port(request, run)
    module = scratch / "port.py"
    module.write_bytes(result.draft.text)
    kept = cache_directory("public-kernels") / "modules" / f"{entry.repository.folder}+{entry.name}.py"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(result.draft.text)
    outcomes: dict[str, list[Outcome]] = {}
    for unit in result.report.units:
        outcomes.setdefault(unit.outcome.kernel.partition("<")[0], []).append(unit.outcome)
    return outcomes, module


def _row(entry: Entry, kernel: str, outcomes: dict[str, list[Outcome]], seconds: float) -> Row:
    """The worst verdict of a kernel's instantiations."""
    verdicts = [_verdict(o) for o in outcomes.get(kernel, ())] or [("declined", "no verdict")]
    order = ["failed", "declined", "partial", "verified"]
    verdict, reason = min(verdicts, key=lambda v: order.index(v[0]))
    return Row(entry.repository.name, entry.name, kernel, verdict, reason, round(seconds, 1))


def _verdict(outcome: Outcome) -> tuple[str, str]:
    match outcome:
        case Declined():
            found = next((f for f in outcome.findings), None)
            return "declined", f"{found.code}: {found.message}" if found else outcome.reason
        case Failed():
            mismatch = outcome.comparison.first_mismatches if outcome.comparison else ()
            return "failed", f"{outcome.reason} {mismatch[0] if mismatch else ''}".strip()
        case Partial():
            return "partial", outcome.reason
    return "verified", ""


def _opinions(module: Path, capture: Path, kernels: Sequence[str]) -> list[dict[str, Any]]:
    """The launches of a capture on the module, in a process of their own."""
    script = Path(__file__).with_name("public_kernels_again.py")
    done = subprocess.run(
        [sys.executable, str(script), str(module), str(capture), *kernels],
        capture_output=True, text=True, check=False, timeout=1500,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode:
        lines += [{"kernel": k, "status": "raises", "detail": done.stderr[-300:]} for k in kernels]
    return lines


def _with_new_contents(
    entry: Entry, program: Program, capture: Path, kernels: Sequence[str], folder: Path
) -> Path:
    """A capture whose floats stand in another order than any that the program gave its kernels."""
    folder.mkdir()
    picked = [x for k in kernels for x in list(launches(capture, k))[:NEW_CONTENTS_A_KERNEL]]
    plan, inputs = [], {}
    for launch in picked:
        index = launch.event["index"]
        inputs[index] = _shuffled(launch.event, launch.tensors, np.random.default_rng(index))
        save_file(inputs[index], folder / f"in-{index}.safetensors")
        plan.append(f"case c{index} {index} {(folder / f'in-{index}.safetensors').absolute()}")
    (folder / "plan").write_text("\n".join(plan) + "\n", encoding="utf-8")
    run_program(
        program, entry.arguments, capture_dir=folder, replay_plan=folder / "plan",
        limits=Limits(wall_seconds=120.0),
    )  # fmt: skip
    return _as_capture(
        folder, [x.event for x in picked], {x.event["index"]: x.tensors for x in picked}, inputs
    )


def _first_pointers(event: dict[str, Any] | Any) -> Iterator[tuple[int, str, str]]:
    """For every allocation the first argument that points into it: position, allocation, type."""
    seen: set[str] = set()
    for position, argument in enumerate(event["arguments"]):
        if argument["kind"] == "pointer" and argument.get("allocation") is not None:
            identifier = str(argument["allocation"])
            if identifier not in seen:
                seen.add(identifier)
                yield position, identifier, argument["type"]


def _shuffled(event: Any, tensors: Any, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Floats keep their values and change their places: what a kernel expects of them still holds."""
    found = {}
    for position, identifier, spelling in _first_pointers(event):
        contents = tensors[f"{identifier}/before"].copy()
        dtype = dtype_of(spelling)
        if dtype is not None and dtype.kind == "f":
            whole = contents[: contents.size // dtype.itemsize * dtype.itemsize].view(dtype)
            whole[:] = random.permutation(whole)
        found[f"a{position}"] = contents
    return found


def _as_capture(folder: Path, events: Sequence[Any], tensors: dict[int, Any], inputs: dict[int, Any]) -> Path:
    lines = []
    for event in events:
        index = event["index"]
        done = folder / f"replay-c{index}.safetensors"
        if not done.exists():
            continue
        after = load_file(done)
        memory = dict(tensors[index])
        for position, identifier, _ in _first_pointers(event):
            memory[f"{identifier}/before"] = inputs[index][f"a{position}"]
            memory[f"{identifier}/after"] = after[f"a{position}"].view(np.uint8)
        save_file(memory, folder / f"new-{index}.safetensors")
        lines.append(json.dumps({**event, "tensors": f"new-{index}.safetensors"}))
    (folder / "events.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _judged(row: Row, opinions: Sequence[dict[str, Any]]) -> Row:
    mine = [o for o in opinions if o["kernel"] == row.kernel]
    bad = [o for o in mine if o["status"] in ("differs", "raises")]
    ran = [o for o in mine if o["status"] in ("differs", "raises", "equal")]
    silent = sorted({o["status"] for o in mine if o not in ran})
    note = "; ".join([str(o.get("detail", "")) for o in bad[:1]] + silent)
    return replace(row, again=len(ran), disagree=len(bad), note=note)


def _record(item: Chosen) -> Path:
    name = f"{item.entry.repository.folder}+{item.entry.name}.json"
    return cache_directory("public-kernels") / "rows" / name


def kept_rows() -> list[Row]:
    """The latest rows of every program, in the order of the list."""
    rows = []
    for item in chosen():
        if _record(item).exists():
            rows += [Row(**r) for r in json.loads(_record(item).read_text(encoding="utf-8"))]
    return rows[:KERNELS]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", type=Path, required=True, help="folder of the repositories")
    parser.add_argument(
        "--only", action="append", default=[], help="programs whose name holds this (repeatable)"
    )
    parser.add_argument("--resume", action="store_true", help="leave out programs that have rows")
    options = parser.parse_args()
    for item in chosen():
        if options.only and not any(part in item.entry.name for part in options.only):
            continue
        if options.resume and _record(item).exists():
            continue
        if len(kept_rows()) >= KERNELS and not options.only and not _record(item).exists():
            break
        try:
            rows = attempt(item, options.checkouts.resolve())
        except PorterError as error:
            print(f"{item.entry.name}: {error}", flush=True)
            continue
        for row in rows:
            print(row, flush=True)
        _record(item).parent.mkdir(parents=True, exist_ok=True)
        _record(item).write_text(json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8")
    rows = kept_rows()
    PAGE.write_text(page(rows), encoding="utf-8")
    return 1 if any(row.disagree for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
