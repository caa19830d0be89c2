"""Random CUDA kernels: the simulator against their Triton ports, and the counts in `docs/random-kernels.md`.

`python benchmarks/random_kernels.py --kernels 2000 --seed 1` makes that many different kernels by the
generator of `tests/tile/random_kernels` (Hypothesis), runs them in batches, `--jobs` at a time, and prints
what differs, cut down.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from porter.core.errors import PorterError
from tests.tile.random_kernels.compare import Agrees, Declines, Differs, Result, compare
from tests.tile.random_kernels.examples import all_examples
from tests.tile.random_kernels.kernels import RandomKernel
from tests.tile.random_kernels.reduce import reduced

PAGE = Path(__file__).parent.parent / "docs" / "random-kernels.md"
BATCH = 40
HEADING = """\
# Random kernels

Written by `python benchmarks/random_kernels.py --kernels {kernels} --seed {seed}`. The kernels of the
generator in `tests/tile/random_kernels` have no undefined behaviour by construction: every integer has a
range, and nothing overflows, divides by zero, shifts too far or reads outside; no thread reads what another
one may be writing. Floats are whole numbers of a unit as long as they decide anything, so that they are exact
in any order.

Each runs in the simulator (32 lanes) and, translated, in Triton's interpreter, with guards around every
buffer, and with garbage where a GPU leaves values open (masked loads, fresh memory). Integers and exact
floats have to be equal to the bit, floats that are rounded within the tolerance of
[verification.md](verification.md). No two kernels are the same but for their numbers.

What they hold: blocks and grids of one and two dimensions, padded ones too; all widths of integers with C's
promotions, unsigned wrapping, shifts, division, comparisons of mixed signs and narrowing; `float` and
`double`; `if`, `switch`, `for`, `while` and `do` with `break`, `continue` and `return` among threads that
part; local arrays, structs, pointers, device functions with early returns, effects within expressions; shared
memory, barriers, reductions, scans and histograms, shuffles and votes, atomic operations.
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    start = time.perf_counter()
    batches = list(_batches(options.seed, options.kernels))
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for batch, results in zip(batches, pool.map(compared, batches), strict=True):
            for kernel, result in zip(batch, results, strict=True):
                if isinstance(result, Differs):
                    _tell(counts.total(), kernel, result)
                counts[_kind(result)] += 1
            seconds = time.perf_counter() - start
            print(f"{counts.total()} kernels, {seconds:.0f} s: {dict(counts)}", flush=True)
            text = page(counts, options.seed, seconds, options.jobs)
            PAGE.write_text(text, encoding="utf-8")
    return 1 if any(kind.startswith("differ") for kind in counts) else 0


def _batches(seed: int, n_kernels: int) -> Iterator[list[RandomKernel]]:
    kernels = islice(all_examples(seed), n_kernels)
    while batch := list(islice(kernels, BATCH)):
        yield batch


def _tell(number: int, kernel: RandomKernel, result: Differs) -> None:
    print(f"kernel {number}: {result.problem}\n{_cut_down(kernel, result)}", flush=True)


def compared(kernels: Sequence[RandomKernel]) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="porter-random-") as folder:
        try:
            return compare(kernels, Path(folder))
        except PorterError as error:  # as one that every process can be told of
            raise RuntimeError(str(error)) from None


def _kind(result: Result) -> str:
    match result:
        case Agrees():
            return "agree"
        case Declines(code, message):
            # Without the names of variables, which only count.
            return f"declined: {code} " + re.sub(r"[\d]+`", "…`", message)
        case Differs(problem=problem):
            return f"differ: {problem}"


def _cut_down(kernel: RandomKernel, result: Differs) -> str:
    """The text of a smaller kernel that differs, or raises the same, and how it is launched."""

    def fails(candidate: RandomKernel) -> bool:
        try:
            (found,) = compared([candidate])
        except (AssertionError, RuntimeError):
            return False
        return isinstance(found, Differs) and found.problem[:20] == result.problem[:20]

    small = reduced(kernel, fails, tries=40)
    return f"{small.text('k')}grid {small.grid}, block {small.block}"


def page(counts: Counter[str], seed: int, seconds: float, jobs: int) -> str:
    total = counts.total()
    lines = [HEADING.format(kernels=total, seed=seed), "| result | kernels | share |", "|---|---:|---:|"]
    for result in ("agree", "declined", "differ"):
        n = sum(n for kind, n in counts.items() if kind.startswith(result))
        lines.append(f"| {result} | {n} | {n / total:.1%} |")
    lines += [f"\n{total} kernels in {seconds:.0f} s, {jobs} batches of {BATCH} at a time.", ""]
    for result, heading in (("declined", "declined because"), ("differ", "differ in")):
        found = [(n, kind) for kind, n in counts.items() if kind.startswith(result)]
        if found:
            lines += [f"| {heading} | kernels |", "|---|---:|"]
            lines += [
                f"| {kind.removeprefix(f'{result}: ')} | {n} |" for n, kind in sorted(found, reverse=True)
            ]
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.exit(main())
