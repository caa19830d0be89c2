"""The CUDA originals against their Triton ports on one NVIDIA GPU, on the same tensors in one run.

`python benchmarks/triton_on_gpu.py prepare FOLDER` translates the fixtures that `triton_on_gpu.toml`
launches; it needs no GPU. `python FOLDER/measure.py` runs where there is a GPU with nvcc, torch, triton and
cupy: each original is compiled by nvcc for that GPU and both run from the same data; their results are
compared, then each is captured in a CUDA graph and timed by events: the median of 30 replays after 5. It
prints a table and writes `triton-on-gpu.tsv` to the folder that `OUT` names, else to its own. `page FILE`
prints the table for `docs/`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

SPEC = Path(__file__).with_suffix(".toml")
FIXTURES = Path(__file__).parents[1] / "fixtures" / "cuda_kernels"
MEASURE = Path(__file__).with_name("triton_on_gpu_measure.py")


def prepare(folder: Path) -> None:
    """The spec, the sources and their Triton modules in `folder`."""
    import tomllib

    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SPEC, folder / "launches.toml")
    shutil.copy(MEASURE, folder / "measure.py")
    for name in sorted({launch["fixture"] for launch in tomllib.loads(SPEC.read_text())["launch"]}):
        shutil.copy(FIXTURES / name / "kernel.cu", folder / f"{name}.cu")
        command = [sys.executable, "-m", "porter", "translate", FIXTURES / name / "kernel.cu"]
        done = subprocess.run(
            [*map(str, command), "--target", "triton", "--force", "-o", str(folder / f"{name}.py")],
            capture_output=True,
            text=True,
        )
        print(name, done.stdout.strip().splitlines()[-1:], flush=True)


def page(table: Path) -> None:
    """The rows of `triton-on-gpu.tsv` as a table in Markdown, and the geometric mean of the ratios."""
    rows = [line.split("\t") for line in table.read_text().splitlines() if line.strip()]
    print("| kernel | CUDA, ms | Triton, ms | speed of the port | results |")
    print("|---|---:|---:|---:|---|")
    ratios = []
    for kernel, cuda, triton, result in sorted(rows):
        ratio = float(cuda) / float(triton) if triton != "-" and cuda != "-" else None
        ratios += [ratio] if ratio else []
        print(f"| {kernel} | {cuda} | {triton} | {f'{ratio:.2f}' if ratio else '-'} | {result} |")
    print(f"\n{len(ratios)} kernels; geometric mean of the speed {statistics.geometric_mean(ratios):.2f}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, call in (("prepare", prepare), ("page", page)):
        command = commands.add_parser(name)
        command.add_argument("path", type=Path)
        command.set_defaults(call=call)
    options = parser.parse_args()
    options.call(options.path)


if __name__ == "__main__":
    main()
