"""`docs/public-kernels.md` from the rows of `public_kernels.py`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

HEADING = """\
# Kernels of public programs, ported to Triton

Written by `python benchmarks/public_kernels.py --checkouts FOLDER`. The rule by which the kernels were
chosen, before any was ported: from seven repositories the programs in the order of their paths (or of
[public-programs.md](public-programs.md), where the repository is there) that are one `.cu` file, read no
files and pass their own check in the simulator; of each at most the first two kernels, by name, that the
file defines and the run launches; a program of each repository in turn, up to 40 kernels. Results are kept by
program: `--resume` adds those that are lacking, `--only` renews some, and the others stay as an earlier
version of porter had them. Seconds and time budgets are those of a machine that did other work as well; where
a program was given more time than `porter translate` gives, the last column says so.

*verified*: porter's own verdict, with everything it asks for. *partial*: right wherever it was compared,
but something was not checked. *declined*: porter says why and writes no code. *failed*: porter's check found
other results than the original's, or an end of its time, and says so.

*again* is the second opinion on every verified kernel, without porter's judge: the module runs on the
launches of a second run of the program (other sizes, where the program has any), and on those with all floats
in another order, and numpy compares every buffer with what the simulator left (sorted where only the order
differs: some kernels store in any). *wrong* counts launches that disagree.
"""


class Row(Protocol):
    repository: str
    program: str
    kernel: str
    verdict: str
    reason: str
    seconds: float
    again: int
    disagree: int
    note: str


def page(rows: Sequence[Row]) -> str:
    """The counts, then a row a kernel."""
    counts = Counter(row.verdict for row in rows)
    wrong = sum(row.disagree > 0 for row in rows)
    looked = sum(row.again > 0 for row in rows)
    lines = [HEADING.format(kernels=len(rows))]
    lines.append(", ".join(f"{counts[v]} {v}" for v in ("verified", "partial", "declined", "failed")))
    launches = sum(row.again for row in rows)
    slow = sum(row.verdict == "failed" and "does not end within" in row.reason for row in rows)
    lines += [f"({slow} of the failed at the end of their time, not for another result)"] if slow else []
    lines.append(f"of {len(rows)} kernels that were run; {looked} verified kernels looked at again on")
    lines.append(f"{launches} launches;")
    lines.append(f"**wrong but reported right: {wrong}**.\n")
    lines += ["| repository | program | kernel | verdict | s | again | wrong | why |"]
    lines += ["|---|---|---|---|---:|---:|---:|---|"]
    for r in rows:
        again = f"{r.again} | {r.disagree}" if r.verdict == "verified" else "- | -"
        why = _cell("; ".join(t for t in (r.reason, r.note) if t))
        what = f"{r.repository} | {r.program} | `{r.kernel}`"
        lines.append(f"| {what} | {r.verdict} | {r.seconds:.0f} | {again} | {why} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    # Only the names of files: their folders are this machine's.
    return re.sub(r"(?<![\w<])/\S*/", "", text).replace("|", "\\|").replace("\n", " ")[:240]
