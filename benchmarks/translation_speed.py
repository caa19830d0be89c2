"""How long a kernel takes from CUDA text to Triton text in a warm process, without verification.

`python benchmarks/translation_speed.py` translates every fixture twice and counts the second time: reading,
libclang, the kernel IR and the module. It prints the kernels by their seconds of processor time, slowest
first, the median and the share below 0.3 s. A launcher for blocks of any size is compiled for the usual ones.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.tile.api import KernelLaunch, TileOptions
from porter.tile.lower import translate_triton

FIXTURES = Path(__file__).parents[1] / "fixtures" / "cuda_kernels"
USUAL_BLOCK = (256, 1, 1)
LIMIT_SECONDS = 0.3


def seconds_of(source: Path) -> list[tuple[str, float]]:
    """Each kernel of the file with its share of reading the file and its own translation."""
    begin = time.process_time()
    text = SourceText.read(source)
    lowered = lower_kernels(text, read_translation_unit(text).launches)
    kernels = [item for item in lowered if isinstance(item, Lowered)]
    reading = (time.process_time() - begin) / max(1, len(kernels))
    found = []
    for item in kernels:
        begin = time.process_time()
        block = item.launch.block_dim if item.launch and item.launch.block_dim else USUAL_BLOCK
        launch = KernelLaunch(item.kernel, item.launch, block)
        translate_triton((launch,), TileOptions(), source_name=source.name)
        found.append((item.kernel.name, reading + time.process_time() - begin))
    return found


def main() -> None:
    sources = sorted(FIXTURES.glob("*/kernel.cu"))
    for source in sources:
        seconds_of(source)
    rows = sorted((row for source in sources for row in seconds_of(source)), key=lambda row: -row[1])
    for name, seconds in rows:
        print(f"{seconds:6.3f} {name}")
    times = [seconds for _, seconds in rows]
    below = sum(seconds <= LIMIT_SECONDS for seconds in times)
    print(
        f"{len(rows)} kernels: median {statistics.median(times):.3f} s, mean {statistics.mean(times):.3f} s,"
        f" {below} within {LIMIT_SECONDS} s"
    )


if __name__ == "__main__":
    main()
