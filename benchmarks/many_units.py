"""What a migration of very many files costs besides its work: seconds and peak memory of each stage.

`python benchmarks/many_units.py [--files N …] [--folder FOLDER]` makes a tree of N files, plans it, begins a
migration, keeps a result for every unit without doing its work, goes on with the finished migration, and
writes the new tree. Each stage is a process of its own, so that its peak memory is its own. Prints a table.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from porter.core.garbage import collect_rarely
from porter.core.outcome import Target
from porter.migrate.discovery import whole_tree
from porter.migrate.executors.protocol import Finished
from porter.migrate.repository.output import port_of, write_tree
from porter.migrate.repository.planning import plan
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.run import opened
from porter.migrate.repository.units import Kind, State, Unit, UnitDone

_FILES_PER_FOLDER = 100
_KERNEL = """\
#include "part{folder}/common{number}.cuh"
// {number}
__global__ void k{number}(const float* in, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * {number}.0f;
}}
void launch{number}(const float* in, float* out, int n) {{ k{number}<<<n / 256, 256>>>(in, out, n); }}
"""
_HEADER = (
    "#pragma once\n#include <cuda_runtime.h>\n__device__ inline float f{number}(float x) {{ return x; }}\n"
)
_HOST = "#include <cuda_runtime.h>\nvoid* get{number}() {{ void* p; cudaMalloc(&p, {number}); return p; }}\n"
_PLAIN = "int plain{number}() {{ return {number}; }}\n"
_KINDS = ((".cu", _KERNEL), (".cuh", _HEADER), (".cu", _KERNEL), (".cpp", _HOST), (".cpp", _PLAIN))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, nargs="+", default=[10_000, 100_000], help="sizes of trees")
    parser.add_argument("--folder", type=Path, help="where they are made; default: a temporary one")
    parser.add_argument("--stage", choices=[s.__name__ for s in _STAGES], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        _measure(next(s for s in _STAGES if s.__name__ == options.stage), options.folder)
        return 0
    with tempfile.TemporaryDirectory(prefix="porter-many-", dir=options.folder) as folder:
        print("| files | stage | seconds | peak MiB |\n|---:|---|---:|---:|", flush=True)
        for files in options.files:
            where = Path(folder) / str(files)
            make_tree(where / "tree", files)
            for stage in _STAGES:
                print(f"| {files} | {stage.__name__} | {_alone(stage, where)} |", flush=True)
    return 0


def make_tree(root: Path, files: int) -> None:
    """A build file in each folder of a hundred; of five files two have kernels, and one has no CUDA."""
    for number in range(files):
        folder = root / f"part{number // _FILES_PER_FOLDER}"
        if number % _FILES_PER_FOLDER == 0:
            folder.mkdir(parents=True)
            (folder / "Makefile").write_text("all:\n\tnvcc -c *.cu\n")
            continue
        suffix, text = _KINDS[number % len(_KINDS)]
        (folder / f"file{number}{suffix}").write_text(text.format(number=number, folder=number // 100))


def _alone(stage: Callable[[Path], None], where: Path) -> str:
    command = [sys.executable, __file__, "--stage", stage.__name__, "--folder", str(where)]
    environment = {**os.environ, "PORTER_CACHE": str(where / "cache")}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stdout.strip()


def _measure(stage: Callable[[Path], None], where: Path) -> None:
    """Its seconds and the peak of its process, modules that are loaded included."""
    collect_rarely()  # as the porter command does
    start = time.perf_counter()
    stage(where)
    seconds = time.perf_counter() - start
    print(f"{seconds:.1f} | {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


class _NoWork:
    """An executor that says at once of every unit that it was ported, with a report of the usual size."""

    def run(self, units: Iterable[Unit]) -> Iterator[Finished]:
        for unit in units:
            yield Finished(self._done(unit), 0.0)

    def _done(self, unit: Unit) -> UnitDone:
        finding = {"code": "WAV001", "severity": "warning", "path": unit.name, "line": 3, "column": 1}
        kernel = {
            "kernel": f"k{unit.number}",
            "outcome": "ported",
            "reason": "",
            "evidence": ["built:gfx942", "built:gfx950", "simulated:wave64"],
            "findings": [{**finding, "message": "as long as a message is " * 4}] * 3,
        }
        document = {"units": [kernel] if unit.kind is Kind.KERNELS else [], "findings": [], "reason": ""}
        return UnitDone(unit, State.PORTED, {unit.name: unit.name.encode() * 20}, document)


def _request(where: Path) -> MigrationRequest:
    return MigrationRequest((where / "tree").resolve(), Target.HIP)


def planned(where: Path) -> None:
    for _ in plan(whole_tree(where / "tree"), Target.HIP):
        pass


def begun_and_kept(where: Path) -> None:
    with opened(_request(where), whole_tree(where / "tree"), where / ".porter", resume=False) as migration:
        migration.run(_NoWork(), lambda _: None)


def gone_on_with(where: Path) -> None:
    with opened(_request(where), whole_tree(where / "tree"), where / ".porter", resume=True) as migration:
        migration.worker()


def summed_up(where: Path) -> None:
    with opened(_request(where), whole_tree(where / "tree"), where / ".porter", resume=True) as migration:
        migration.report()


def written(where: Path) -> None:
    tree = whole_tree(where / "tree")
    with opened(_request(where), tree, where / ".porter", resume=True) as migration:
        write_tree(tree, port_of(migration.journal, migration.results), where / "out")


_STAGES = (planned, begun_and_kept, gone_on_with, summed_up, written)


if __name__ == "__main__":
    sys.exit(main())
