"""How fast a tree is ported: milliseconds a file in one process and in two, against a script in perl.

`python benchmarks/tree_speed.py [--files N]` makes a tree of CUDA files from `fixtures/`, each with names of
its own, times reading, translating and writing them, and writes `docs/tree-speed.md`. What it is held against
is a model of hipify-perl, which is not part of this repository: a script that perl starts for each file and
that compiles a pattern for each name of the tables before it reads. Milliseconds are processor time; only the
gain of the second process is elapsed time.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from porter.core.garbage import collect_rarely
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.name_table import load_tables
from porter.hip.translate import translate_hip

PAGE = Path(__file__).parent.parent / "docs" / "tree-speed.md"
HEADING = """\
# The speed of porting a tree

Written by `python benchmarks/tree_speed.py`: CUDA files in one process, read, translated with all findings
and written, against a script in perl that is started for each file and compiles a substitution for each
mapped name, as a model of hipify-perl. Milliseconds are processor time.

| what | measured |
|---|---:|"""
FIXTURES = Path(__file__).parent.parent / "fixtures"
_PERL_PATTERNS = 2000
_PERL_STARTS = 10


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=2000, help="files in the tree")
    files = parser.parse_args().files
    collect_rarely()  # as the porter command does
    with tempfile.TemporaryDirectory(prefix="porter-tree-") as folder:
        port_file(write_tree(Path(folder), 1)[0])  # the tables are read once
        paths = write_tree(Path(folder), files)
        size = sum(p.stat().st_size for p in paths) / len(paths)
        lines = [f"| files | {len(paths)}, of {size:.0f} bytes on average |"]
        spent = time.process_time()
        one = _elapsed(lambda: [port_file(p) for p in paths])
        each = (time.process_time() - spent) * 1e3 / len(paths)
        lines.append(f"| porter, one process | {each:.1f} ms a file |")
        two = _elapsed(lambda: _in_processes(paths, 2))
        lines.append(f"| porter, two processes | {one / two:.2f} times as fast |")
        lines += _perl_lines(Path(folder), paths)
    PAGE.write_text("\n".join((HEADING, *lines)) + "\n", encoding="utf-8")
    print("\n".join(lines))
    return 0


def write_tree(folder: Path, count: int) -> list[Path]:
    """`count` files, `.cu` and `.cuh` in turn, each a fixture with names of its own."""
    sources = sorted(FIXTURES.rglob("*.cu"))
    paths = []
    for i in range(count):
        text = sources[i % len(sources)].read_text(encoding="utf-8")
        kernels = re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", text)
        for name in kernels:
            text = re.sub(rf"\b{name}\b", f"{name}_{i}", text)
        path = folder / f"part{i % 40}" / f"file{i}{'.cu' if i % 4 else '.cuh'}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def port_file(path: Path) -> int:
    """Reads, translates and writes one file; the number of edits."""
    translation = translate_hip(read_translation_unit(SourceText.read(path)))
    path.with_suffix(".hip").write_bytes(translation.text)
    return len(translation.edits)


def _in_processes(paths: Sequence[Path], count: int) -> None:
    with ProcessPoolExecutor(count, initializer=collect_rarely) as pool:
        list(pool.map(port_file, paths, chunksize=25))


def _elapsed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _perl_lines(folder: Path, paths: Sequence[Path]) -> list[str]:
    script = folder / "substitute.pl"
    script.write_text(_perl_script(), encoding="ascii")
    try:
        bare = [_run(["perl", "-e", "1"]) for _ in range(_PERL_STARTS)]
    except FileNotFoundError:
        return ["| perl | is not installed: nothing to compare with |"]
    whole = [_run(["perl", str(script), str(p)]) for p in paths[:_PERL_STARTS]]
    started = [_run(["perl", str(script), "/dev/null"]) for _ in range(_PERL_STARTS)]
    model = f"perl that compiles {_PERL_PATTERNS} substitutions"
    return [
        f"| `perl -e 1` | {statistics.median(bare) * 1e3:.1f} ms a start |",
        f"| {model} | {statistics.median(started) * 1e3:.1f} ms a start |",
        f"| the same, one file read and written | {statistics.median(whole) * 1e3:.1f} ms a file |",
    ]


def _perl_script() -> str:
    """A line for each name of the tables, as a converter written in perl has them."""
    names = sorted(load_tables().mapped.items())[:_PERL_PATTERNS]
    lines = [f"  s/\\b{name}\\b/{entry.hip}/g;" for name, entry in names]
    return "while (<>) {\n" + "\n".join(lines) + "\n  print;\n}\n"


def _run(command: Sequence[str]) -> float:
    """Processor seconds of a child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
