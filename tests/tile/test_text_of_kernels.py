"""A kernel that is read back from its text is translated as the one that was printed."""

import re
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.kir_parser import parse_kernel
from porter.cuda.kir_printer import print_kernel
from porter.cuda.kir_verifier import verify_kernel
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.tile.api import KernelLaunch, TileOptions
from porter.tile.idioms import CountBins, DeclareBins, Dot, ForEachBin, GroupBroadcast, GroupReduce, GroupScan
from porter.tile.lower import raise_kernel, translate_triton

EXTENSIONS = (GroupReduce, GroupScan, GroupBroadcast, Dot, DeclareBins, CountBins, ForEachBin)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "cuda_kernels"


@pytest.mark.parametrize("name", ["adam_step", "row_argmax", "game_of_life", "tiled_sgemm"])
def test_the_parsed_kernel_means_the_same(name: str) -> None:
    source = SourceText.read(FIXTURES / name / "kernel.cu")
    result = lower_kernels(source, find_launches(source))[0]
    assert isinstance(result, Lowered)
    assert result.launch is not None
    parsed = parse_kernel(print_kernel(result.kernel))
    block = result.launch.block_dim or (256, 1, 1)
    texts = [
        translate_triton(
            (KernelLaunch(kernel, result.launch, block),), TileOptions(), source_name="kernel.cu"
        ).text
        for kernel in (result.kernel, parsed)
    ]
    assert "@triton.jit" in texts[0]
    assert re.sub(r"#.*", "", texts[0]) == re.sub(r"#.*", "", texts[1])


@pytest.mark.parametrize(
    ("name", "statement"),
    [("shuffle_reduction", "GroupReduce "), ("block_scan", "GroupScan "), ("shared_histogram", "CountBins ")],
)
def test_raised_kernels_are_read_back(name: str, statement: str) -> None:
    source = SourceText.read(FIXTURES / name / "kernel.cu")
    result = lower_kernels(source, find_launches(source))[0]
    assert isinstance(result, Lowered)
    text = print_kernel(raise_kernel(result.kernel, (256, 1, 1)).kernel)
    assert statement in text
    parsed = parse_kernel(text, extensions=EXTENSIONS)
    verify_kernel(parsed)
    assert print_kernel(parsed) == text
