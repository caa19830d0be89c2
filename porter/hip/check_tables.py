"""`python -m porter.hip.check_tables [--cuda DIR] [DIR …]`: the name tables against real headers.

Looks at the folders given, at ROCm's include folder, and at the HIP headers in the triton package. Prints a
line for each library that was checked and each that was not; exit code 1 when a table is wrong.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from porter.hip.name_table import load_tables
from porter.hip.table_check import LibraryCheck, check_tables


def main(arguments: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="porter.hip.check_tables", description=__doc__)
    parser.add_argument("headers", nargs="*", type=Path, help="folders with HIP headers")
    parser.add_argument("--cuda", type=Path, help="folder with CUDA's headers, to compare argument counts")
    options = parser.parse_args(arguments)
    table = load_tables()
    checks = check_tables(table, [*options.headers, *installed_headers()], options.cuda)
    for check in checks:
        print(_line(check))
        for defect in (*check.missing, *check.counts):
            print(f"  {defect}")
    without = sorted({e.api for e in table.mapped.values()} - {c.api for c in checks})
    print(f"no headers at hand: {', '.join(without)}")
    return 1 if any(c.missing or c.counts for c in checks) else 0


def _line(check: LibraryCheck) -> str:
    good = check.names - len(check.missing)
    return f"{check.api}: {good} of {check.names} names are declared ({check.header})"


def installed_headers() -> tuple[Path, ...]:
    """ROCm's include folder and the triton package's, those that exist."""
    spec = importlib.util.find_spec("triton")
    folders = [Path(os.environ.get("ROCM_PATH", "/opt/rocm")) / "include"]
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "backends" / "amd" / "include")
    return tuple(folder for folder in folders if folder.is_dir())


if __name__ == "__main__":
    sys.exit(main())
