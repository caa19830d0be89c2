"""Triton ports that cheat or are subtly wrong, and honest ones, all run by one child process.

The original is y[i] = a * x[i] + y[i] for i < n and s[0] += sum of x, written in NumPy.
"""

import numpy as np
import pytest

from porter.core.sandbox import sandbox_available
from porter.core.seccomp import seccomp_available
from porter.harness.judge import JudgedKernel
from porter.harness.triton_child import CaseRun, LauncherCall, in_running_order, run_module
from porter.harness.triton_verify import kernel_verdict
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    NoVerdict,
    Passed,
    VerifyOptions,
)
from tests.harness.captures import integer, pointer, single
from tests.harness.scripted import judge_scripted, scripted_launch

MODULE = """
import torch
import triton
import triton.language as tl

SECRET = {secret!r}


@triton.jit
def axpy_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(y_ptr + i, a * x + y, mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def honest(x, y, s, a, n, *, grid, block):
    axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])


def by_name(n, y, x, s, a, grid):
    axpy_kernel[grid](x, y, s, a, n, BLOCK=64)


bare = axpy_kernel


def returns_the_input(x, y, s, a, n, grid, block):
    axpy_kernel[(0,)](x, y, s, a, n, BLOCK=64)


@triton.jit
def tail_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n // BLOCK * BLOCK
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def skips_the_tail(x, y, s, a, n, grid, block):
    tail_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.jit
def off_by_one_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n - 1
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def off_by_one_mask(x, y, s, a, n, grid, block):
    off_by_one_kernel[grid](x, y, s, a, n, BLOCK=block[0])


def hard_coded_scalar(x, y, s, a, n, grid, block):
    axpy_kernel[grid](x, y, s, 2.0, n, BLOCK=block[0])


def hard_coded_size(x, y, s, a, n, grid, block):
    axpy_kernel[grid](x, y, s, a, 300, BLOCK=block[0])


@triton.jit
def no_atomic_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.store(s_ptr, tl.sum(x, axis=0))


def missing_atomic(x, y, s, a, n, grid, block):
    no_atomic_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.jit
def constant_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.full((BLOCK,), 0.0, tl.float32), mask=i < n)


def constant_output(x, y, s, a, n, grid, block):
    constant_kernel[grid](y, n, BLOCK=block[0])


@triton.jit
def overrun_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=i < n, other=0.0))
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def writes_past_the_end(x, y, s, a, n, grid, block):
    overrun_kernel[(6,)](x, y, s, a, n, BLOCK=64)


def torch_after_a_decoy(x, y, s, a, n, grid, block):
    constant_kernel[grid](y, 0, BLOCK=block[0])
    y[:n] = torch.add(y[:n], x[:n], alpha=a)


def launches_nothing(x, y, s, a, n, grid, block):
    y.copy_(x)


def reads_the_reference(x, y, s, a, n, grid, block):
    open(SECRET).read()
    axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])


def looks_around(x, y, s, a, n, grid, block):
    import os, pathlib
    seen = [p for p in pathlib.Path(SECRET).parents if p.name.startswith("pytest") and p.exists()]
    listed = [n for p in seen for n in os.listdir(p) if n != "none"]
    if listed or os.environ.get("PORTER_CACHE") or os.path.exists(os.path.expanduser("~/.cache/porter")):
        raise RuntimeError("found something")
    axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])


def wrong_signature(x, out):
    pass


def raises(x, y, s, a, n, grid, block):
    raise ValueError("unsupported size")


@triton.jit
def imprecise_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(y_ptr + i, (a * x + y) * 1.001, mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def off_by_a_thousandth(x, y, s, a, n, grid, block):
    imprecise_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.jit
def half_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0).to(tl.float16).to(tl.float32)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(y_ptr + i, a * x + y, mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def half_precision(x, y, s, a, n, grid, block):
    half_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.jit
def nan_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    x = tl.where(x == x, x, 0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def wrong_on_nan(x, y, s, a, n, grid, block):
    nan_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.jit
def watched_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(y_ptr + i, a * x + y, mask=(i < n) & (y == -1234.5625))
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def detects_the_sentinel(x, y, s, a, n, grid, block):
    watched_kernel[grid](x, y, s, a, n, BLOCK=block[0])


@triton.autotune(configs=[triton.Config({{"BLOCK": 64}}, num_warps=w) for w in (1, 2)], key=["n"])
@triton.jit
def tuned_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def autotuned(x, y, s, a, n, grid, block):
    tuned_kernel[grid](x, y, s, a, n)


@triton.autotune(configs=[triton.Config({{"BLOCK": b}}) for b in (64, 64, 32)], key=["n"])
@triton.jit
def mistuned_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def one_wrong_configuration(x, y, s, a, n, grid, block):
    mistuned_kernel[grid](x, y, s, a, n)


@triton.autotune(configs=[triton.Config({{"BLOCK": 64}}, num_warps=1) for b in range(99)], key=["n"])
@triton.jit
def widely_tuned_kernel(x_ptr, y_ptr, s_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    tl.store(y_ptr + i, a * x + tl.load(y_ptr + i, mask=mask), mask=mask)
    tl.atomic_add(s_ptr, tl.sum(x, axis=0))


def more_configurations_than_cases(x, y, s, a, n, grid, block):
    widely_tuned_kernel[grid](x, y, s, a, n)


MEMORY = {{}}


def answers_from_memory(x, y, s, a, n, grid, block):
    if n in MEMORY:
        constant_kernel[grid](y, 0, BLOCK=block[0])
        y.copy_(MEMORY[n])
    else:
        axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])
        MEMORY[n] = y.clone()


def edits_the_reference(x, y, s, a, n, grid, block):
    open(SECRET, "w").write("another answer")
    axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])


def calls_the_original(x, y, s, a, n, grid, block):
    import subprocess
    subprocess.run([SECRET], check=True)
    axpy_kernel[grid](x, y, s, a, n, BLOCK=block[0])
"""

HONEST = ("honest", "by_name", "bare", "autotuned", "looks_around" if sandbox_available() else "honest")
WRONG = (
    "returns_the_input",
    "skips_the_tail",
    "off_by_one_mask",
    "hard_coded_scalar",
    "hard_coded_size",
    "missing_atomic",
    "constant_output",
    "off_by_a_thousandth",
    "half_precision",
    "wrong_on_nan",
    "detects_the_sentinel",
    "answers_from_memory",
    "one_wrong_configuration",
)
UNDECIDED = ("more_configurations_than_cases",)
REFUSED = {
    "writes_past_the_end": "writes outside its buffers",
    "torch_after_a_decoy": "computes with torch outside a Triton kernel: add",
    "launches_nothing": "launches no Triton kernel",
    "wrong_signature": "takes (x, out) where the kernel has 5 arguments (x, y, s, a, n); nothing matches out",
    "raises": "ValueError: unsupported size",
    "absent": "the module has no 'absent'",
}
REACHES_OUT = ("reads_the_reference", "edits_the_reference", "calls_the_original")
N = 300


def _original(x, y, s, a, n, *, threads):  # type: ignore[no-untyped-def]
    m = min(int(n), threads)
    y[:m] = y.dtype.type(a) * x[:m] + y[:m]
    s[0] += x[:m].sum(dtype=x.dtype)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, KernelVerdict]:
    """The verdict of every launcher of MODULE."""
    root = tmp_path_factory.mktemp("cheats")
    generator = np.random.default_rng(0)
    launch, capture = scripted_launch(
        root / "capture",
        _original,
        "axpy",
        (pointer("const float*", const=True), generator.standard_normal(N).astype(np.float32)),
        (pointer("float*"), generator.standard_normal(N).astype(np.float32)),
        (pointer("float*"), np.zeros(1, dtype=np.float32)),
        single(2.0),
        integer(N),
        grid=(5, 1, 1),
        block=(64, 1, 1),
    )
    cases = judge_scripted(root, _original, launch, capture, max_cases=10)
    (root / "secret").write_text("the answer")
    names = ("x", "y", "s", "a", "n")
    every = [*dict.fromkeys(HONEST), *WRONG, *REFUSED, *REACHES_OUT, *UNDECIDED]
    calls = [
        call for name in every for call in in_running_order([LauncherCall(c, name, names) for c in cases])
    ]
    unique = [_Renamed(c.judged, c.launcher, c.parameters, c.reverse) for c in calls]
    module = MODULE.format(secret=str(root / "secret")).encode()
    results = run_module(module, unique, budget_seconds=400, memory_bytes=8 << 30)
    kernel = JudgedKernel("axpy", cases, {})
    return {name: _verdict(kernel, [c for c in unique if c.launcher == name], results) for name in every}


class _Renamed(LauncherCall):
    """Many launchers run the same cases in one child here, so their names carry the launcher."""

    @property
    def name(self) -> str:
        return f"{self.launcher}-{super().name}"


def _verdict(kernel: JudgedKernel, calls: list[_Renamed], results: dict[str, CaseRun]) -> KernelVerdict:
    return kernel_verdict(kernel, calls, results, VerifyOptions())


@pytest.mark.parametrize("name", dict.fromkeys(HONEST))
def test_honest_ports_pass(runs: dict[str, KernelVerdict], name: str) -> None:
    verdict = runs[name]
    assert isinstance(verdict, Passed), verdict
    assert verdict.comparison.cases == 10
    assert [str(e) for e in verdict.evidence] == ["interpreted"]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ports_are_rejected_with_the_elements(runs: dict[str, KernelVerdict], name: str) -> None:
    verdict = runs[name]
    assert isinstance(verdict, Mismatched), verdict
    assert verdict.comparison.n_mismatch > 0
    assert verdict.comparison.first_mismatches


def test_a_configuration_that_no_case_ran_in_leaves_no_verdict(runs: dict[str, KernelVerdict]) -> None:
    verdict = runs["more_configurations_than_cases"]
    assert isinstance(verdict, NoVerdict), verdict
    assert "of the 99 configurations of widely_tuned_kernel were run" in verdict.reason


@pytest.mark.parametrize("name", REFUSED)
def test_ports_that_do_not_count_are_refused_with_the_reason(
    runs: dict[str, KernelVerdict], name: str
) -> None:
    verdict = runs[name]
    assert isinstance(verdict, CouldNotRun), verdict
    assert REFUSED[name] in verdict.reason


def test_the_off_by_one_mask_shows_the_last_element(runs: dict[str, KernelVerdict]) -> None:
    verdict = runs["off_by_one_mask"]
    assert isinstance(verdict, Mismatched)
    captured = [m for m in verdict.comparison.first_mismatches if m.case.startswith("captured")]
    assert {m.index for m in captured if m.buffer == "a1"} == {N - 1}


@pytest.mark.skipif(not sandbox_available(), reason="this system has no user and mount namespaces")
@pytest.mark.parametrize("name", REACHES_OUT)
def test_what_is_outside_cannot_be_reached(runs: dict[str, KernelVerdict], name: str) -> None:
    verdict = runs[name]
    assert isinstance(verdict, CouldNotRun)
    filtered = name == "calls_the_original" and seccomp_available()
    assert ("PermissionError" if filtered else "FileNotFoundError") in verdict.reason
