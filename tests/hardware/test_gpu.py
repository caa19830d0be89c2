"""GPUs as data: every figure has a source, and the figures agree with each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porter.hardware
from porter.core.errors import PorterError
from porter.hardware.gpu import known_gpus, known_products, load_gpu

_FILES = sorted(Path(porter.hardware.__file__).parent.glob("*.toml"))


def test_the_six_architectures_are_known() -> None:
    assert set(known_gpus()) == {"gfx90a", "gfx942", "gfx950", "sm_80", "sm_90", "sm_100"}


@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_every_figure_names_a_source_of_its_file(path: Path) -> None:
    text = path.read_text()
    figures = [line for line in text.splitlines() if re.match(r"\w+ = [\d.]+", line)]
    sources = set(re.findall(r'^([A-Z]) = "', text, re.MULTILINE))
    assert len(figures) > 20
    for line in figures:
        mark = re.search(r"# \[([A-Z])\]", line)
        assert mark is not None, line
        assert mark.group(1) in sources, line


@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_no_source_is_listed_in_vain(path: Path) -> None:
    text = path.read_text()
    for key in re.findall(r'^([A-Z]) = "', text, re.MULTILINE):
        assert f"# [{key}]" in text


@pytest.mark.parametrize("name", known_products())
def test_peaks_follow_from_clock_and_units(name: str) -> None:
    """A compute unit retires a power of two of operations a cycle; boost clocks differ by 10 % at most."""
    gpu = load_gpu(name)
    for matrix, rates in ((False, gpu.vector_tflops), (True, gpu.matrix_tflops)):
        for dtype in rates:
            rate = gpu.flops_per_clock_per_compute_unit(dtype, matrix=matrix)
            nearest = min((2**k for k in range(5, 16)), key=lambda p: abs(p - rate))
            assert abs(rate - nearest) / nearest < 0.1, (dtype, rate)


def test_amd_peaks_are_exact_multiples_of_the_clock() -> None:
    assert load_gpu("MI300X").flops_per_clock_per_compute_unit("f16", matrix=True) == pytest.approx(
        2048, rel=1e-3
    )
    assert load_gpu("MI355X").flops_per_clock_per_compute_unit("fp8", matrix=True) == pytest.approx(
        8192, rel=1e-3
    )
    assert load_gpu("MI250X").flops_per_clock_per_compute_unit("f64", matrix=False) == pytest.approx(
        128, rel=1e-3
    )


def test_an_architecture_is_its_default_product() -> None:
    assert load_gpu("gfx950").product == "MI355X"
    assert load_gpu("gfx942").product == "MI300X"


def test_products_share_limits_and_differ_in_clock_and_memory() -> None:
    slow, fast = load_gpu("mi350x"), load_gpu("MI355X")
    assert slow.memory == fast.memory
    assert slow.clock_mhz < fast.clock_mhz
    assert slow.matrix_tflops["bf16"] < fast.matrix_tflops["bf16"]


def test_target_features_are_ignored() -> None:
    assert load_gpu("gfx942:sramecc+:xnack-") == load_gpu("gfx942")


def test_limits_a_port_must_respect() -> None:
    assert load_gpu("gfx942").memory.lds_bytes_per_workgroup == 64 * 1024
    assert load_gpu("gfx950").memory.lds_bytes_per_workgroup == 160 * 1024
    assert load_gpu("gfx90a").compute.wavefront_size == 64
    assert load_gpu("sm_90").compute.wavefront_size == 32
    assert load_gpu("gfx950").l2_bytes == 32 * 2**20


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(PorterError) as caught:
        load_gpu("gfx906")
    assert "gfx906" in caught.value.message
    assert "gfx942" in caught.value.hint
    assert "MI350X" in caught.value.hint
