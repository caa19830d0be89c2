"""The simulator against plain C++ loops, in one run: ratios, never a pass or fail.

`python benchmarks/simulator_speed.py` prints, for a million elements, the elapsed time on all cores, the CPU
time, that of the same loop, and the ratio of the two CPU times; then what the headers cost a compilation. CPU
times hold on a busy machine too.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

SOURCE = Path(__file__).with_name("simulator_speed.cu")


def measure() -> dict[str, tuple[float, ...]]:
    """Milliseconds (elapsed, CPU, CPU of the loop) by kernel; under `memory` KiB a suspended thread."""
    result = run_program(build_program([SOURCE], face=Face.CUDA))
    rows = (line.split() for line in result.stdout.decode().splitlines())
    return {name: tuple(map(float, times)) for name, *times in rows}


def compile_seconds() -> float:
    """One build of a small program that was never built before, headers and runtime already cached."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tiny.cu"
        path.write_text(f"__global__ void k{time.time_ns()}() {{}}\nint main() {{}}\n")
        start = time.perf_counter()
        build_program([path], face=Face.CUDA)
        return time.perf_counter() - start


def main() -> None:
    figures = measure()
    (memory,) = figures.pop("memory")
    print(f"{'kernel':20}{'elapsed ms':>12}{'CPU ms':>10}{'loop ms':>10}{'CPU / loop':>12}")
    for name, (elapsed, busy, loop) in figures.items():
        print(f"{name:20}{elapsed:12.2f}{busy:10.2f}{loop:10.3f}{busy / max(loop, 0.001):12.1f}")
    print(f"memory: {memory:.1f} KiB a suspended thread")
    print(f"compiling a small file, headers cached: {compile_seconds():.2f} s")


if __name__ == "__main__":
    main()
