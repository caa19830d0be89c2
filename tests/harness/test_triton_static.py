"""Which Triton modules count as ports by their text."""

import pytest

from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText
from porter.harness.triton_module import read_module
from porter.harness.triton_static import check_module

KERNEL = """
import torch
import triton
import triton.language as tl

@triton.jit
def k_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)

"""
LAUNCHER = """
def k(x, y, n, *, grid, block):
    k_kernel[grid](x, y, n, BLOCK=block[0])
"""


def _codes(text: str) -> list[str]:
    source = SourceText("port.py", text.encode())
    shape = read_module(source)
    assert not isinstance(shape, Diagnostic)
    return [d.code for d in check_module(source, shape, ("k",))]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL + LAUNCHER,
        KERNEL + "def k(x, y, n):\n    torch.empty_like(x)\n    k_kernel[triton.cdiv(n, 8),](x, y, n, 8)\n",
        KERNEL + LAUNCHER + "if __name__ == '__main__':\n    import os\n    torch.exp(os.getpid())\n",
        KERNEL + LAUNCHER + "def f(x):\n    return x.sum() @ x\n\nif __name__ == '__main__':\n    f(1)\n",
        KERNEL + "def _grid(n):\n    return (triton.cdiv(n, 64),)\n\ndef k(x, y, n):\n    _launch(x, y, n)\n"
        "def _launch(x, y, n):\n    k_kernel[_grid(n)](x, y, n, BLOCK=64)\n",
        KERNEL + "tuned = triton.autotune(configs=[triton.Config({'BLOCK': 64})], key=[])(k_kernel)\n"
        "def k(x, y, n):\n    tuned[(1,)](x, y, n)\n",
        KERNEL.replace("def k_kernel", "def k"),
    ],
)  # fmt: skip
def test_honest_modules(text: str) -> None:
    assert _codes(text) == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("VER002", KERNEL + "def k(x, y, n):\n    y.copy_(x)\n"),
        ("VER002", KERNEL + "def k(x, y, n):\n    table = {}\n    table['a'](x)\n"),
        ("VER003", "import os\n" + KERNEL + LAUNCHER),
        ("VER003", "from pathlib import Path\n" + KERNEL + LAUNCHER),
        ("VER003", "from torch import matmul\n" + KERNEL + LAUNCHER),
        ("VER003", "import torch.nn.functional as F\n" + KERNEL + LAUNCHER),
        ("VER003", KERNEL + LAUNCHER.replace("    k_kernel", "    import subprocess\n    k_kernel")),
        ("VER004", KERNEL + LAUNCHER + "    y.copy_(torch.matmul(x, x))\n"),
        ("VER004", KERNEL + LAUNCHER + "    y.copy_(x.cumsum(0))\n"),
        ("VER004", KERNEL + LAUNCHER + "    z = x @ y\n"),
        ("VER004", KERNEL + LAUNCHER + "    y[:] = 2 * x\n"),
        ("VER004", KERNEL + LAUNCHER + "    helper(x)\n\ndef helper(x):\n    return torch.exp(x)\n"),
        ("VER004", KERNEL + LAUNCHER + "CACHE = torch.load('answer.pt')\n"),
        ("VER005", KERNEL + LAUNCHER + "    open('/etc/passwd')\n"),
        ("VER005", KERNEL + LAUNCHER + "    getattr(torch, 'm' + 'm')(x, y)\n"),
        ("VER005", KERNEL + LAUNCHER + "torch.allclose = lambda *a, **k: True\n"),
        ("VER005", KERNEL + LAUNCHER + "    k.__globals__['x'] = 1\n"),
        ("VER005", KERNEL + LAUNCHER + "    triton.runtime.interpreter.x()\n"),
        ("VER005", KERNEL + LAUNCHER + "    global calls\n"),
        ("VER006", KERNEL.replace("    tl.store", "    torch.add(x, y)\n    tl.store") + LAUNCHER),
    ],
)
def test_dishonest_modules(code: str, text: str) -> None:
    assert code in _codes(text)


def _strict(text: str) -> list[str]:
    source = SourceText("port.py", text.encode())
    shape = read_module(source)
    assert not isinstance(shape, Diagnostic)
    return [d.code for d in check_module(source, shape, ("k",), strict=True)]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (KERNEL + LAUNCHER, False),
        (KERNEL + LAUNCHER + "    torch.empty(n, device=x.device)\n", False),
        (KERNEL + LAUNCHER + "    if not x.is_cuda:\n        raise ValueError('no GPU')\n", False),
        (KERNEL + LAUNCHER.replace("    k_kernel", "    if x.is_cuda:\n        return\n    k_kernel"), True),
        (KERNEL + LAUNCHER.replace("x, y, n, BLOCK", "x, y, 0 if x.is_cuda else n, BLOCK"), True),
        (KERNEL + LAUNCHER.replace("x, y, n, BLOCK", "x, y, n * (x.device.index is None), BLOCK"), True),
        (KERNEL + LAUNCHER + "    n = k_kernel.best_config\n", True),
        (KERNEL.replace("mask=i < n)\n", "mask=(i < n) & tl.target_info.is_hip())\n") + LAUNCHER, True),
    ],
)
def test_a_strict_check_lets_nobody_ask_for_the_machine(text: str, asks: bool) -> None:
    assert ("VER005" in _strict(text)) == asks


OCCUPANCY = 'OCCUPANCY = ({}, {"waves_per_eu": 2}) if torch.version.hip else ({},)\n'
TUNED = """@triton.autotune(
    configs=[triton.Config({'BLOCK': 64, **o}, num_warps=w) for w in (2, 4) for o in OCCUPANCY], key=['n']
)
@triton.jit"""


def _autotuned(kernel: str = KERNEL, plan: str = OCCUPANCY, tuned: str = TUNED, launched: str = "n") -> str:
    imports, _, definition = kernel.partition("@triton.jit")
    launcher = LAUNCHER.replace("n, BLOCK=block[0]", launched)
    return imports + plan + tuned + definition + launcher


def test_configurations_of_autotune_may_plan_for_wavefronts() -> None:
    assert _strict(_autotuned()) == []


@pytest.mark.parametrize(
    "text",
    [
        _autotuned(plan=OCCUPANCY.replace("waves_per_eu", "BLOCK")),
        _autotuned(plan=OCCUPANCY.replace("2}", "2 if torch.version.hip else 1}")),
        _autotuned(plan=OCCUPANCY.replace("torch.version.hip", "torch.cuda.is_available()")),
        _autotuned(plan=OCCUPANCY + "AGAIN = OCCUPANCY\n"),
        _autotuned(kernel=KERNEL.replace("tl.constexpr)", "tl.constexpr, waves_per_eu: tl.constexpr = 0)")),
        _autotuned(tuned=TUNED.replace("64, **o", "64 * len(OCCUPANCY)")),
        _autotuned(tuned=TUNED.replace("64, **o", "64 * len(o), **o")),
        _autotuned(tuned=TUNED.replace("num_warps=w", "num_warps=w, num_stages=1 + len(o)")),
        _autotuned(tuned=TUNED.replace("in OCCUPANCY]", "in OCCUPANCY if o]")),
        _autotuned(tuned=TUNED.replace("64, **o", "64 * len(triton.Config({**o}).kwargs), **o")),
        _autotuned(tuned=TUNED.replace("key=['n']", "key=['n'], prune_configs_by={'early_config_prune': k}")),
        _autotuned(tuned=TUNED.replace("num_warps=w", "num_warps=w, pre_hook=k")),
        _autotuned(tuned=TUNED.replace("@triton.jit", "@triton.heuristics({'BLOCK': len})\n@triton.jit")),
        _autotuned(tuned=TUNED.replace("triton.Config({'BLOCK': 64, **o}, num_warps=w)", "o")),
        _autotuned(launched="n // len(OCCUPANCY)"),
        _autotuned(launched="n // len(k_kernel.configs)"),
    ],
)
def test_a_plan_for_wavefronts_tells_nobody_the_machine(text: str) -> None:
    assert "VER005" in _strict(text)


def test_findings_have_a_place() -> None:
    source = SourceText("port.py", (KERNEL + LAUNCHER + "    open('x')\n").encode())
    shape = read_module(source)
    assert not isinstance(shape, Diagnostic)
    (finding,) = check_module(source, shape, ("k",))
    assert source.line_text(finding.span.line).strip() == "open('x')"
    assert finding.span.column == 5


def test_a_syntax_error_has_a_place() -> None:
    finding = read_module(SourceText("port.py", b"def k(:\n"))
    assert isinstance(finding, Diagnostic)
    assert (finding.code, finding.span.line) == ("VER001", 1)


def test_parameters() -> None:
    shape = read_module(SourceText("port.py", (KERNEL + LAUNCHER).encode()))
    assert not isinstance(shape, Diagnostic)
    assert shape.parameters("k") == ("x", "y", "n", "grid", "block")
    assert shape.parameters("absent") == ()
    assert shape.kernels == {"k_kernel"}
