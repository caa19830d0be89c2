"""`docs/public-ports.md` from the results of `public_ports.py`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

HEADING = """\
# Public programs ported to HIP

Written by `python benchmarks/public_ports.py --checkouts FOLDER`. Every source of a repository is ported in
place into a mirror of it, each once; then each `.cu` and `.cuh` is compiled, assembled and linked to a code
object for {arch}. *within*: a fragment that builds as part of a file which includes it. *refused*: porter
says at a line what has no counterpart. *excluded*: graphics, or a header that the repository does not hold.
The programs are those of [public-programs.md](public-programs.md): built from the ported sources and run
whole at 64 lanes, judged by their own check. Results are kept by file and program: `--failed`, `--resume` and
`--only` renew some and leave the others as an earlier version of porter had them.
"""


class File(Protocol):
    repository: str
    path: str
    status: str
    reason: str


class Program(Protocol):
    repository: str
    name: str
    reason: str
    seconds: float


def page(files: Sequence[File], programs: Sequence[Program], arch: str) -> str:
    """The whole page; what builds is counted, everything else is a row with its reason."""
    lines = [HEADING.format(arch=arch), *_summary(files, programs, arch), ""]
    for status in ("fails", "refused", "excluded", "within"):
        rows = [f for f in files if f.status == status]
        lines += [f"## Files: {status} ({len(rows)})", "", "| file | why |", "|---|---|"]
        lines += [f"| {f.repository}: {f.path} | {_cell(f.reason)} |" for f in rows] + [""]
    lines += _programs(programs)
    return "\n".join(lines) + "\n"


def _summary(files: Sequence[File], programs: Sequence[Program], arch: str) -> Iterator[str]:
    yield "| repository | files | excluded | build | refused | fail | share built | verified at 64 lanes |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in dict.fromkeys(f.repository for f in files):
        own = [p for p in programs if p.repository == name]
        yield _line(name, [f for f in files if f.repository == name], own)
    yield _line(f"all, {arch}", files, programs)


def _line(name: str, files: Sequence[File], programs: Sequence[Program]) -> str:
    count = Counter(f.status for f in files)
    good = count["builds"] + count["within"]
    counted = len(files) - count["excluded"]
    run = [p for p in programs if not p.reason.startswith("not at 32 lanes")]
    passed = sum(not p.reason for p in run)
    share = f"{good / counted:.1%}" if counted else "-"
    verified = f"{passed} of {len(run)} ({passed / len(run):.1%})" if run else "-"
    return (
        f"| {name} | {len(files)} | {count['excluded']} | {good} | {count['refused']} | {count['fails']} "
        f"| {share} | {verified} |"
    )


def _programs(programs: Sequence[Program]) -> Iterator[str]:
    yield from ("## Programs at 64 lanes", "", "| program | s | result |", "|---|---:|---|")
    for program in programs:
        result = _cell(program.reason) or "passed"
        yield f"| {program.repository}: {program.name} | {program.seconds:.1f} | {result} |"


def _cell(text: str) -> str:
    # Only the names of files: their folders are this machine's.
    return re.sub(r"(?<![\w<])/\S*/", "", text).replace("|", "\\|").replace("\n", " ")[:300]
