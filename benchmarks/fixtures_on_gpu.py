"""Compiles every fixture with nvcc and runs it on this machine's GPU: do the programs pass on hardware?

Needs Python and nvcc and nothing else. Prints one row a fixture; exits with 1 when any does not pass and
with 2 when there is no nvcc or no GPU.

    python benchmarks/fixtures_on_gpu.py [--arch native] [--jobs 8] [NAME ...]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "cuda_kernels"
RUN_LIMIT_SECONDS = 60


@dataclass(frozen=True)
class Row:
    """What became of one fixture; the time is the program's wall time, the start of CUDA included."""

    name: str
    verdict: str
    run_seconds: float | None
    message: str


def find_nvcc() -> str | None:
    usual = Path("/usr/local/cuda/bin/nvcc")
    return shutil.which("nvcc") or (str(usual) if usual.exists() else None)


def gpu_name() -> str | None:
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return None
    names = done.stdout.splitlines()
    return names[0].strip() if done.returncode == 0 and names else None


def build(nvcc: str, arch: str, folder: Path, binary: Path) -> str:
    """The compiler's errors, or an empty string."""
    command = [nvcc, f"-arch={arch}", "-std=c++17", "-O3", str(folder / "kernel.cu"), "-o", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip() or "nvcc failed"


def run(name: str, binary: Path) -> Row:
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [str(binary)], capture_output=True, text=True, timeout=RUN_LIMIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Row(name, "TIMEOUT", None, f"after {RUN_LIMIT_SECONDS} s")
    seconds = time.perf_counter() - start
    message = (done.stdout + done.stderr).strip()
    passed = done.returncode == 0 and message.startswith(f"PASS {name} ")
    return Row(name, "PASS" if passed else "FAIL", seconds, message or f"exit code {done.returncode}")


def chosen_folders(names: list[str]) -> list[Path]:
    folders = sorted(path.parent for path in FIXTURES.glob("*/kernel.cu"))
    unknown = set(names) - {folder.name for folder in folders}
    if unknown:
        sys.exit(f"no such fixture: {', '.join(sorted(unknown))}")
    return [folder for folder in folders if not names or folder.name in names]


def check_all(nvcc: str, arch: str, jobs: int, folders: list[Path]) -> list[Row]:
    """Compiles side by side, then runs one after the other, so that the times mean something."""
    with tempfile.TemporaryDirectory(prefix="fixtures-") as directory, ThreadPoolExecutor(jobs) as pool:
        binaries = [Path(directory) / folder.name for folder in folders]
        errors = list(pool.map(lambda pair: build(nvcc, arch, *pair), zip(folders, binaries, strict=True)))
        return [
            Row(binary.name, "NO BUILD", None, error) if error else run(binary.name, binary)
            for binary, error in zip(binaries, errors, strict=True)
        ]


def print_table(rows: list[Row], gpu: str) -> None:
    width = max(len(row.name) for row in rows)
    print(f"{'fixture':{width}}  {'verdict':8}  {'GPU':20}  {'seconds':>7}  message")
    for row in rows:
        seconds = "" if row.run_seconds is None else f"{row.run_seconds:.3f}"
        print(f"{row.name:{width}}  {row.verdict:8}  {gpu:20}  {seconds:>7}  {row.message}")
    passed = sum(row.verdict == "PASS" for row in rows)
    print(f"{passed} of {len(rows)} pass on {gpu}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the CUDA fixtures on a GPU.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="fixtures to run; all without one")
    parser.add_argument("--arch", default="native", help="nvcc's -arch (default: the GPU that is there)")
    parser.add_argument("--jobs", type=int, default=8, help="compilers at a time")
    options = parser.parse_args()
    folders = chosen_folders(options.names)
    nvcc, gpu = find_nvcc(), gpu_name()
    if nvcc is None or gpu is None:
        print("needs nvcc" if nvcc is None else "needs an NVIDIA GPU", file=sys.stderr)
        return 2
    rows = check_all(nvcc, options.arch, options.jobs, folders)
    print_table(rows, gpu)
    return 0 if all(row.verdict == "PASS" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
