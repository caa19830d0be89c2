"""`python -m porter.hip.read_versions FOLDER`: writes `versions.toml` from HIPIFY's public documentation.

FOLDER holds the Markdown tables of HIPIFY's "supported APIs" (docs/tables, later docs/reference/tables).
They state for each HIP name the version that added it and the one that removed it. Kept are these two facts
about the names of porter's own tables. What the tables call newer is added to them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.hip.name_table import NameTable, load_tables
from porter.hip.rocm_version import RocmVersion
from porter.hip.versions import VERSIONS_FILE

_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")
_HEADING = """\
# The ROCm version that each HIP name came with, and the one it was removed in; names by version.
# Written by `python -m porter.hip.read_versions` from HIPIFY's documentation of supported APIs.
"""


@dataclass(frozen=True)
class Documented:
    """What a row says of a HIP name."""

    name: str
    since: RocmVersion
    removed: RocmVersion | None


def main(arguments: list[str]) -> int:
    """The command; returns its exit code."""
    rows = [row for path in sorted(Path(arguments[0]).glob("*.md")) for row in documented(path.read_text())]
    table = load_tables()
    VERSIONS_FILE.write_text(written(rows, table), encoding="utf-8")
    known = {row.name for row in rows} | table.newer.keys()
    unknown = sorted({entry.hip for entry in table.mapped.values()} - known)
    print(f"{len(unknown)} names of the tables have no documented version: {', '.join(unknown)}")
    return 0


def documented(markdown: str) -> Iterator[Documented]:
    """The rows of the tables that name something of HIP and say when it was added."""
    hip = added = removed = 0
    for line in markdown.splitlines():
        cells = [cell.strip(" `*") for cell in line.split("|")]
        if "HIP" in cells or "MIOPEN" in cells:
            hip = cells.index("HIP" if "HIP" in cells else "MIOPEN")
            added, removed = hip + 1, hip + 4
        elif hip and len(cells) > removed and cells[hip] and _VERSION.fullmatch(cells[added]):
            gone = cells[removed] if _VERSION.fullmatch(cells[removed]) else ""
            since = RocmVersion.parse(cells[added])
            yield Documented(cells[hip], since, RocmVersion.parse(gone) if gone else None)


def written(rows: list[Documented], table: NameTable) -> str:
    """The file's text: the first version that added a name; its removal where every row of it has one."""
    wanted = {entry.hip for entry in table.mapped.values()}
    wanted |= {form.name for forms in table.calls.values() for form in forms}
    since = {name: RocmVersion.parse(text) for name, text in table.newer.items()}
    for row in rows:
        if row.name in wanted:
            since[row.name] = min(since.get(row.name, row.since), row.since)
    kept = {row.name for row in rows if row.removed is None}
    removed = {row.name: row.removed for row in rows if row.removed and row.name in wanted - kept}
    return f"{_HEADING}{_section('since', since)}{_section('removed', removed)}"


def _section(title: str, versions: Mapping[str, RocmVersion]) -> str:
    lines = [f"\n[{title}]\n"]
    for version in sorted(set(versions.values())):
        names = sorted(name for name, of in versions.items() if of == version)
        lines.append(f'"{version}" = [\n' + "".join(f'  "{name}",\n' for name in names) + "]\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
