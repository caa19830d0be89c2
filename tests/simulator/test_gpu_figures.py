"""The chosen GPU's figures, as programs see them."""

from __future__ import annotations

import pytest

from porter.core.errors import InputError
from porter.simulator.gpu_figures import gpu_environment
from porter.simulator.options import Face


def test_no_gpu_no_figures() -> None:
    assert gpu_environment(None, Face.CUDA) == {}


def test_figures_are_those_of_the_hardware_files() -> None:
    figures = gpu_environment("H200", Face.CUDA)
    assert figures["PORTER_SIM_GPU_NAME"] == "NVIDIA H200 (simulated)"
    assert figures["PORTER_SIM_GPU_UNITS"] == "132"
    assert (figures["PORTER_SIM_GPU_MAJOR"], figures["PORTER_SIM_GPU_MINOR"]) == ("9", "0")
    assert figures["PORTER_SIM_GPU_UNIT_THREADS"] == "2048"
    assert figures["PORTER_SIM_GPU_UNIT_REGISTERS"] == "65536"
    assert gpu_environment("gfx942", Face.HIP)["PORTER_SIM_GPU_SHARED_BYTES"] == "65536"
    assert "PORTER_SIM_GPU_MAJOR" not in gpu_environment("gfx942", Face.HIP)
    assert gpu_environment("sm_100", Face.CUDA)["PORTER_SIM_GPU_MAJOR"] == "10"


def test_an_unknown_gpu() -> None:
    with pytest.raises(InputError, match="no GPU 'sm_1'") as caught:
        gpu_environment("sm_1", Face.CUDA)
    assert "gfx950" in caught.value.hint
