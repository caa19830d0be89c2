"""How long `porter check --diff` takes on a change of 20 files: a cold start, and again in a warm process.

`python benchmarks/check_speed.py [FILES]` makes a repository of FILES CUDA files (200), commits it, adds a
kernel and a launch to 20 of them, and checks that change. Seconds are wall time; processor time stands beside
them, because others may use the machine. The findings must be those of the change and no others.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from porter.migrate.check.configuration import CheckConfig
from porter.migrate.check.request import CheckRequest
from porter.migrate.check.run import run_check
from porter.migrate.discovery import find_tree

FIXTURES = Path(__file__).parents[1] / "fixtures" / "cuda_kernels"
CHANGED = 20
ADDED = """
__global__ void added(float* p) { p[threadIdx.x % 32] = 0.f; }
void launch(float* p) { added<<<1, 2048>>>(p); }
"""


def make_repository(root: Path, files: int) -> None:
    """`files` copies of porter's own programs in folders of ten, committed, and the change on top."""
    sources = [path.read_text() for path in sorted(FIXTURES.glob("*/kernel.cu"))]
    paths = [root / f"m{i // 10}" / f"k{i}.cu" for i in range(files)]
    for i, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        path.write_text(sources[i % len(sources)])
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in ("init -q", "add -A", "commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=root, env={**os.environ, **who}, check=True)
    for path in paths[:: max(1, files // CHANGED)][:CHANGED]:
        path.write_text(path.read_text() + ADDED)


def timed(name: str, work: Callable[[], int]) -> None:
    """Prints what `work` took, and how many findings it gives."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin, own = time.perf_counter(), time.process_time()
    findings = work()
    wall, own = time.perf_counter() - begin, time.process_time() - own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = own + after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    print(f"{name}: {wall:.2f} s, {spent:.2f} s of processor time, {findings} findings")


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_repository(root, files)
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}

        def cold() -> int:
            command = [sys.executable, "-m", "porter", "check", "--diff", "HEAD", "--format", "json"]
            done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, check=False)
            return len(json.loads(done.stdout)["findings"])

        def warm() -> int:
            report = run_check(CheckRequest((root,), base="HEAD"), find_tree((root,)), CheckConfig())
            return len(report.findings)

        print(f"{files} files, {CHANGED} of them changed")
        timed("cold", cold)
        timed("first in a process", warm)
        timed("warm", warm)


if __name__ == "__main__":
    main()
