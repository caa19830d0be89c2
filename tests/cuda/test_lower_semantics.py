"""The lowered kernels compute what a C++ compiler makes of the same text."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered
from tests.cuda.kir_interpreter import run_kernel
from tests.cuda.lowering import host_compiler, lower_text

SOURCE = Path(__file__).with_name("semantics.cu")
NAMES = re.findall(r"__global__ void (\w+)", SOURCE.read_text())
SIZES = tuple(range(1, 11))
N_OUT = 16

DRIVER = """
#include <cstdio>
#define __global__
#define __device__
#include "{source}"
int main() {{
    {calls}
}}
"""
CALL = """for (int n = 1; n <= 10; n++) {{
        long long out[16] = {{0}}; {name}(out, n);
        for (long long x : out) std::printf("%lld ", x);
        std::printf("\\n");
    }}"""


@cache
def kernels() -> dict[str, Kernel]:
    results = lower_text(SOURCE.read_text(), str(SOURCE))
    return {r.kernel.name: r.kernel for r in results if isinstance(r, Lowered)}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[int]]]:
    compiler = host_compiler()
    if compiler is None:
        pytest.skip("no C++ compiler on this machine")
    directory = tmp_path_factory.mktemp("semantics")
    calls = "\n    ".join(CALL.format(name=name) for name in NAMES)
    (directory / "driver.cpp").write_text(DRIVER.format(source=SOURCE, calls=calls))
    options = ["-std=c++17", "-w", "-fwrapv", "-ffp-contract=off", "driver.cpp", "-o", "driver"]
    subprocess.run([*compiler, *options], cwd=directory, check=True)
    lines = subprocess.run(
        [directory / "driver"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [[int(word) for word in line.split()] for line in lines]
    return {name: rows[i * len(SIZES) : (i + 1) * len(SIZES)] for i, name in enumerate(NAMES)}


def computed(kernel: Kernel) -> list[list[int]]:
    rows = []
    for n in SIZES:
        out = [0] * N_OUT
        run_kernel(kernel, [out, n])
        rows.append([int(x) for x in out])
    return rows


def test_every_kernel_lowers() -> None:
    assert sorted(kernels()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_lowered_kernel_computes_what_the_compiler_does(
    name: str, expected: dict[str, list[list[int]]]
) -> None:
    assert computed(kernels()[name]) == expected[name]
