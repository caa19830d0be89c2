"""Triton modules compiled ahead of time in a child process. Each starts Python with torch and Triton."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from porter.core.errors import PorterError
from porter.harness.toolchains import triton_aot
from porter.harness.toolchains.records import BuildFailed, BuildResult, Built, NotAvailable
from porter.harness.toolchains.triton_aot import LauncherCall, TensorSpec, build_triton

needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None or importlib.util.find_spec("torch") is None,
    reason="torch and triton are not installed",
)

MODULE = """
import torch
import triton
import triton.language as tl

from scale import FACTOR


@triton.jit
def doubled(v):
    return v * 2


@triton.jit
def saxpy_kernel(n, a, x, y, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = a * tl.load(x + offsets, mask=mask) + doubled(tl.load(y + offsets, mask=mask))
    tl.store(y + offsets, total, mask=mask)


@triton.jit
def total_kernel(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK))))


def saxpy(n, a, x, y, *, grid=None):
    scratch = torch.empty(n, dtype=x.dtype, device=x.device)
    assert scratch.numel() == n
    saxpy_kernel[grid or (triton.cdiv(n, 1024),)](n, a * FACTOR, x, y, BLOCK=1024)
    total_kernel[(1,)](x, y, BLOCK=256, num_warps=2)


@triton.jit
def gemm_kernel(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        depth = k + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * K + depth[None, :])
        total += tl.dot(left, tl.load(b + depth[:, None] * N + columns[None, :]))
    tl.store(c + rows[:, None] * N + columns[None, :], total)


def gemm(a, b, c, n, stages):
    gemm_kernel[(n // 64, n // 64)](a, b, c, n, n, BM=64, BN=64, BK=128, num_stages=stages)


@triton.jit
def odd_kernel(x):
    values = tl.load(x + tl.arange(0, 100))
    tl.store(x, values)


def odd(x):
    odd_kernel[(1,)](x)


def refuses(x):
    if not x.is_cuda:
        raise ValueError("wants a GPU tensor")


def launches_nothing(x):
    return x


"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "generated.py"
    path.write_text(MODULE)
    (tmp_path / "scale.py").write_text("FACTOR = 3.0\n")
    return path


def line_of(text: str) -> int:
    return next(i for i, line in enumerate(MODULE.splitlines(), 1) if text in line)


def failed(result: BuildResult) -> BuildFailed:
    assert isinstance(result, BuildFailed), result
    return result


SAXPY = LauncherCall(
    "saxpy",
    (1 << 20, 2.0, TensorSpec("float32", 1 << 20), TensorSpec("F32", 1 << 20)),
    grid=(4096,),
    block=(256,),
)


def _gemm(stages: int) -> LauncherCall:
    half = TensorSpec("float16", 1 << 20)
    return LauncherCall(
        "gemm", (half, half, TensorSpec("float32", 1 << 20), 1024), keywords={"stages": stages}
    )


@needs_triton
def test_every_kernel_a_launcher_launches_is_compiled(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = build_triton(module, [SAXPY, SAXPY], "gfx950")
    assert isinstance(result, Built), result
    assert [kernel.name for kernel in result.kernels] == ["saxpy_kernel", "total_kernel"]
    first, second = result.kernels
    assert (first.threads_per_block, second.threads_per_block) == (256, 128)
    assert second.lds_bytes > 0
    assert all(k.vgprs > 0 and k.vgpr_spills == 0 and k.wavefront_size == 64 for k in result.kernels)
    assert str(result.evidence) == "built:gfx950"
    assert set(result.evidence.tools) == {"triton", "torch"}
    assert all(code.data[:4] == b"\x7fELF" for code in result.code_objects)
    with monkeypatch.context() as patch:
        patch.setattr(triton_aot, "_compile", lambda *_: pytest.fail("compiled again"))
        assert build_triton(module, [SAXPY, SAXPY], "gfx950") == result
    # What the module imports from its own folder is part of it.
    (module.parent / "scale.py").write_text("FACTOR = nonsense\n")
    assert failed(build_triton(module, [SAXPY, SAXPY], "gfx950")).diagnostics[0].code == "BLD907"


@needs_triton
def test_lds_over_the_limit_is_a_failure_at_the_kernel(module: Path) -> None:
    fits = build_triton(module, [_gemm(2)], "gfx942")
    assert isinstance(fits, Built), fits
    (kernel,) = fits.kernels
    assert kernel.instructions.matrix > 0
    assert 0 < kernel.lds_bytes <= 65536
    (found,) = failed(build_triton(module, [_gemm(4)], "gfx942")).diagnostics
    assert (found.code, found.span.line) == ("BLD903", line_of("def gemm_kernel"))
    assert "65536" in found.message
    assert "num_stages" in found.hint


@needs_triton
def test_a_compilation_error_is_placed_in_the_kernel(module: Path) -> None:
    (found,) = failed(
        build_triton(module, [LauncherCall("odd", (TensorSpec("float32", 100),))], "gfx950")
    ).diagnostics
    assert (found.code, found.span.line) == ("BLD906", line_of("tl.arange(0, 100)"))
    assert "power of 2" in found.message


@needs_triton
def test_an_exception_of_the_launcher_is_placed_in_it(module: Path) -> None:
    (found,) = failed(
        build_triton(module, [LauncherCall("refuses", (TensorSpec("float32", 4),))], "gfx950")
    ).diagnostics
    assert (found.code, found.span.line) == ("BLD907", line_of("wants a GPU tensor"))
    assert "wants a GPU tensor" in found.message


@needs_triton
def test_a_launcher_that_launches_nothing_is_no_evidence(module: Path) -> None:
    calls = [LauncherCall("launches_nothing", (TensorSpec("int64", 4),))]
    assert failed(build_triton(module, calls, "gfx950")).diagnostics[0].code == "BLD908"


@needs_triton
def test_a_kernel_can_be_called_itself(module: Path) -> None:
    tensor = TensorSpec("bfloat16", 512)
    call = LauncherCall("total_kernel", (tensor, tensor), grid=(1,), keywords={"BLOCK": 512})
    result = build_triton(module, [call], "gfx942")
    assert isinstance(result, Built), result
    assert result.kernels[0].name == "total_kernel"


def test_without_triton_the_answer_says_so(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        triton_aot, "package_directory", lambda name: None if name == "triton" else module.parent
    )
    result = build_triton(module, [SAXPY], "gfx950")
    assert result == NotAvailable("triton", "pip install 'porter[triton]'")


def test_an_unknown_gpu_is_an_error(module: Path) -> None:
    with pytest.raises(PorterError, match="gfx1"):
        build_triton(module, [SAXPY], "gfx1")
