"""Every fixture program lowers, stays valid, and can be read back from its text."""

from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.kir_parser import parse_kernel
from porter.cuda.kir_printer import print_kernel
from porter.cuda.kir_verifier import verify_kernel
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, lower_kernels

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cuda_kernels"
NAMES = sorted(p.parent.name for p in FIXTURES.glob("*/kernel.cu"))


@pytest.mark.parametrize("name", NAMES)
def test_fixture_lowers(name: str) -> None:
    source = SourceText.read(FIXTURES / name / "kernel.cu")
    launches = find_launches(source)
    results = lower_kernels(source, launches)
    assert results
    for result in results:
        assert isinstance(result, Lowered), result
        assert replace(result.launch, other_blocks=()) in launches
        verify_kernel(result.kernel)
        text = print_kernel(result.kernel)
        parsed = parse_kernel(text)
        verify_kernel(parsed)
        assert print_kernel(parsed) == text


def test_row_softmax_reads_as_its_source() -> None:
    source = SourceText.read(FIXTURES / "row_softmax" / "kernel.cu")
    (result,) = lower_kernels(source, find_launches(source))
    assert isinstance(result, Lowered)
    text = print_kernel(result.kernel)
    assert "row_max: float32 = scratch[0]" in text
    assert "y[c] = exp(x[c] - row_max) * scale" in text
    assert text.count("barrier block") == source.text.count("__syncthreads()")
