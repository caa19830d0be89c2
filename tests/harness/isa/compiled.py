"""The test kernels as code objects, and launches of them with numpy arrays as buffers."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from porter.harness.isa.dispatch import Argument, Executed, IsaLaunch, execute
from porter.harness.isa.image import Image, load_image
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import Built, NotAvailable

KERNELS = Path(__file__).with_name("kernels.hip")
ARCHES = ("gfx942", "gfx950")
Array = npt.NDArray[Any]


@cache
def image_of(arch: str) -> Image:
    pytest.importorskip("tinygrad")
    built = build_hip(KERNELS, arch)
    if isinstance(built, NotAvailable):
        pytest.skip(str(built))
    assert isinstance(built, Built), built
    return load_image(built.code_objects[0].data)


def launch(
    arch: str,
    kernel: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    *arguments: Array | int,
    lds: int = 0,
    symbols: Mapping[str, Array] | None = None,
) -> list[Array]:
    """Runs a kernel of `kernels.hip`; the arrays afterwards (symbols last), in the order of the arguments."""
    variables = dict(symbols or {})
    done = run(arch, kernel, grid, block, *arguments, lds=lds, symbols=symbols)
    arrays = {**_buffers(arguments), **variables}
    return [np.frombuffer(done.buffers[name], a.dtype) for name, a in arrays.items()]


def _buffers(arguments: Sequence[Array | int]) -> dict[str, Array]:
    return {f"argument {k}": a for k, a in enumerate(arguments) if isinstance(a, np.ndarray)}


def run(
    arch: str,
    kernel: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    *arguments: Array | int,
    lds: int = 0,
    symbols: Mapping[str, Array] | None = None,
) -> Executed:
    """What the executor says of a launch."""
    variables = dict(symbols or {})
    passed = tuple(
        Argument.pointer(f"argument {k}") if isinstance(a, np.ndarray) else Argument(struct.pack("<i", a))
        for k, a in enumerate(arguments)
    )
    described = IsaLaunch(kernel, grid, block, passed, lds, {name: name for name in variables})
    contents = {name: a.tobytes() for name, a in {**_buffers(arguments), **variables}.items()}
    return execute(image_of(arch), arch, described, contents)
