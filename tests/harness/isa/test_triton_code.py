"""Code objects that Triton makes, executed, against numpy in double precision.

Triton knows the layouts of matrix instructions on its own: these products check the executor's independently.
"""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import numpy as np
import pytest

from porter.harness.isa.dispatch import Argument, IsaLaunch, execute
from porter.harness.isa.image import load_image
from porter.harness.toolchains.records import Built
from porter.harness.toolchains.triton_aot import LauncherCall, TensorSpec, build_triton
from tests.harness.isa.compiled import Array

if (
    importlib.util.find_spec("triton") is None
):  # it must not be imported here: tests in the interpreter come later
    pytest.skip("triton is not installed", allow_module_level=True)
pytest.importorskip("tinygrad")
MODULE = Path(__file__).with_name("matmul.py")
RANDOM = np.random.default_rng(11)


def _run(
    arch: str, call: LauncherCall, grid: tuple[int, int, int], arguments: list[Array | int]
) -> tuple[dict[int, Array], str]:
    """The arrays afterwards by position, and the assembly."""
    built = build_triton(MODULE, [call], arch)
    assert isinstance(built, Built), built
    (kernel,), (code,) = built.kernels, built.code_objects
    image = load_image(code.data)
    passed = [
        Argument.pointer(str(k)) if isinstance(a, np.ndarray) else Argument(struct.pack("<i", a))
        for k, a in enumerate(arguments)
    ]
    # Triton's own two pointers to scratch memory follow, unused here.
    passed += [Argument(bytes(8))] * 2
    launch = IsaLaunch(
        kernel.symbol, grid, (kernel.threads_per_block, 1, 1), tuple(passed),
        dynamic_lds_bytes=kernel.lds_bytes,
    )  # fmt: skip
    buffers = {str(k): a.tobytes() for k, a in enumerate(arguments) if isinstance(a, np.ndarray)}
    done = execute(image, arch, launch, buffers)
    return {
        int(name): np.frombuffer(data, arguments[int(name)].dtype) for name, data in done.buffers.items()
    }, code.assembly


def _bf16(values: Array) -> Array:
    """Rounded to bfloat16 (to nearest even), as its bits."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def _double(bits: Array) -> Array:
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


@pytest.mark.parametrize(
    ("arch", "transposed"),
    [
        ("gfx942", False),
        ("gfx950", True),
        pytest.param("gfx942", True, marks=pytest.mark.slow),
        pytest.param("gfx950", False, marks=pytest.mark.slow),
    ],
)
def test_bfloat16_matrix_product(arch: str, transposed: bool) -> None:
    m, n, k, tile = 64, 64, 96, 32
    a, b = _bf16(RANDOM.normal(size=(m, k))), _bf16(RANDOM.normal(size=(n, k) if transposed else (k, n)))
    keywords = {"BLOCK_M": tile, "BLOCK_N": tile, "BLOCK_K": 32, "TRANSPOSED": transposed}
    call = LauncherCall(
        "matmul_kernel",
        (TensorSpec("bfloat16", m * k), TensorSpec("bfloat16", k * n), TensorSpec("float32", m * n), n, k),
        grid=(m // tile, n // tile, 1),
        keywords=keywords,
    )
    found, assembly = _run(arch, call, (m // tile, n // tile, 1), [a, b, np.zeros((m, n), np.float32), n, k])
    assert "v_mfma" in assembly
    left, right = _double(a), _double(b).T if transposed else _double(b)
    # Rounding of K sums of products of this size: K · 2⁻²⁴ · Σ|a·b| bounds every order of accumulation.
    bound = k * 2.0**-24 * (np.abs(left) @ np.abs(right))
    assert (np.abs(found[2].reshape(m, n) - left @ right) <= bound).all()


@pytest.mark.parametrize(("dtype", "kind"), [("float16", np.float16), ("float32", np.float32)])
def test_products_of_other_types(dtype: str, kind: type) -> None:
    m, n, k, tile = 32, 32, 64, 32
    a, b = RANDOM.integers(-9, 10, (m, k)).astype(kind), RANDOM.integers(-9, 10, (k, n)).astype(kind)
    call = LauncherCall(
        "matmul_kernel",
        (TensorSpec(dtype, m * k), TensorSpec(dtype, k * n), TensorSpec("float32", m * n), n, k),
        grid=(1, 1, 1),
        keywords={"BLOCK_M": tile, "BLOCK_N": tile, "BLOCK_K": 32, "TRANSPOSED": False},
    )
    found, _ = _run("gfx950", call, (1, 1, 1), [a, b, np.zeros((m, n), np.float32), n, k])
    assert np.array_equal(found[2].reshape(m, n), a.astype(np.float64) @ b.astype(np.float64))


def test_row_sums_through_lanes_and_waves() -> None:
    rows, columns = 5, 1000
    x = (RANDOM.integers(-64, 64, (rows, columns)) / 8).astype(np.float32)  # exact in every order
    call = LauncherCall(
        "row_sum_kernel", (TensorSpec("float32", rows * columns), TensorSpec("float32", rows), columns),
        grid=(rows, 1, 1), keywords={"BLOCK": 1024},
    )  # fmt: skip
    found, _ = _run("gfx950", call, (rows, 1, 1), [x, np.zeros(rows, np.float32), columns])
    assert np.array_equal(found[1], x.sum(axis=1, dtype=np.float64))
