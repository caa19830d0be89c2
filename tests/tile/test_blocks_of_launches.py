"""The thread blocks that a launcher takes: those of every launch of the kernel, and those of the run."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

from porter.core.span import SourceText
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.pipeline import translate
from porter.pipeline.original import NotRun, Original
from porter.tile.api import KernelLaunch, TileOptions
from porter.tile.lower import translate_triton
from tests.tile.replay import import_text

SEVERAL = """
__global__ void k(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * 2.0f + 1.0f;
}
__global__ void same(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }
template <int T> __global__ void of(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = T; }
void run(float* x, int n, int threads) {
    k<<<(n + 63) / 64, 64>>>(x, n);
    k<<<(n + 99) / 100, 100>>>(x, n);
    k<<<(n + threads - 1) / threads, threads>>>(x, n);
    same<<<1, 64>>>(x, n);
    same<<<2, 64>>>(x, n);
    of<64><<<1, 64>>>(x, n);
    of<96><<<1, 96>>>(x, n);
}
"""


@dataclass(frozen=True)
class _Ran(Original):
    """A run that launched every kernel with these blocks."""

    blocks: tuple[tuple[int, int, int], ...] = ()

    def blocks_of(self, kernel: str) -> tuple[tuple[int, int, int], ...]:
        return self.blocks


def _several() -> list[Lowered]:
    source = SourceText("kernel.cu", SEVERAL.encode())
    found = lower_kernels(source, find_launches(source))
    assert all(isinstance(item, Lowered) for item in found)
    return [item for item in found if isinstance(item, Lowered)]


def test_the_blocks_of_all_launches_are_known() -> None:
    k, same, *templates = _several()
    assert k.launch
    assert k.launch.block_dim == (64, 1, 1)
    assert k.launch.other_blocks == ((100, 1, 1), None)
    assert [item.launch.other_blocks for item in (same, *templates) if item.launch] == [(), (), ()]


def test_a_launcher_takes_the_blocks_of_all_launches_and_those_of_the_run() -> None:
    k, same, first, _ = _several()
    ran = _Ran(NotRun(), ((64, 1, 1), (48, 1, 1)))

    def blocks(item: Lowered, original: Original) -> tuple[tuple[int, int, int], ...]:
        return translate._blocks(item.kernel.name, translate._with_used_blocks(item, original), original)

    assert blocks(k, Original(NotRun())) == ((64, 1, 1), (100, 1, 1))
    assert blocks(k, ran) == ((64, 1, 1), (100, 1, 1), (48, 1, 1))
    assert blocks(same, Original(NotRun())) == ((64, 1, 1),)
    assert blocks(same, ran) == ((64, 1, 1), (48, 1, 1))
    assert blocks(first, ran) == ((64, 1, 1),), "a run does not tell instantiations apart"


def test_a_kernel_that_is_launched_with_several_blocks_runs_with_each() -> None:
    k = _several()[0]
    launch = KernelLaunch(k.kernel, k.launch, (64, 1, 1), ((100, 1, 1),))
    text = translate_triton((launch,), TileOptions(), source_name="kernel.cu").text
    assert "def k(x, n, *, grid, block=(64, 1, 1)):" in text
    module = import_text(text, Path(tempfile.mkdtemp()) / "several.py")
    for size in (64, 100, 128):
        x = torch.arange(250, dtype=torch.float32)
        module.k(x, 230, grid=(-(-230 // size),), block=(size, 1, 1))
        expected = np.arange(250, dtype=np.float32)
        expected[:230] = expected[:230] * 2 + 1
        assert np.array_equal(x.numpy(), expected)
    with pytest.raises(ValueError, match="written for blocks of"):
        module.k(x, 230, grid=(4,), block=(72, 1, 1))
