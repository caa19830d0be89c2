"""Thrust and libcu++: NVIDIA's headers on the simulator's memory."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.errors import ToolMissing
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.simulator.conftest import run


def _installed() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("nvidia", "nvidia.cu13"))


needs_headers = pytest.mark.skipif(not _installed(), reason="the package nvidia-cuda-cccl is not installed")
_HIP = """
#include <cstdio>
#include <hip/hip_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

int main() {
  thrust::device_vector<int> v(3);
  v[0] = 2, v[1] = 3, v[2] = 1;
  thrust::sort(thrust::hip::par.on(hipStream_t{}), v.begin(), v.end());
  if (v[0] == 1 && v[2] == 3) printf("all passed\\n");
}
"""


@needs_headers
def test_algorithms() -> None:
    result = run("thrust.cu")
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())


@needs_headers
def test_rocthrust(program_file: Callable[[str, str], Path]) -> None:
    result = run_program(build_program([program_file(_HIP, "program.hip")], face=Face.HIP), ())
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())


def test_without_the_headers_the_package_is_named(
    program_file: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    path = program_file("#include <thrust/sort.h>\nint main() {}\n", "program.cu")
    with pytest.raises(ToolMissing, match="nvidia-cuda-cccl") as raised:
        build_program([path], face=Face.CUDA)
    assert "porter[libraries]" in str(raised.value.hint)
