"""nvcc's words, and a real compilation where nvcc is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.core.span import SourceText
from porter.hardware.gpu import load_gpu
from porter.harness.toolchains import nvcc
from porter.harness.toolchains.nvcc import build_cuda, find_nvcc, nvcc_diagnostics, ptxas_resources
from porter.harness.toolchains.records import BuildFailed, Built, NotAvailable

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")

LOG = """ptxas info    : 3 bytes gmem
ptxas info    : Compiling entry function '_Z1kIfEvPT_i' for 'sm_90'
ptxas info    : Function properties for _Z1kIfEvPT_i
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size, 57344 bytes smem
ptxas info    : Compiling entry function '_Z1jPf' for 'sm_90'
ptxas info    : Function properties for _Z1jPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
"""


def test_figures_of_ptxas() -> None:
    first, second = ptxas_resources(LOG, load_gpu("sm_90"))
    assert (first.name, first.vgprs, first.lds_bytes, first.vgpr_spills) == ("k", 40, 57344, 2)
    assert (first.waves_per_simd, first.occupancy_limited_by) == (8, "lds")
    assert (second.name, second.vgprs, second.lds_bytes, second.waves_per_simd) == ("j", 8, 0, 16)


def test_messages_of_three_programs() -> None:
    source = SourceText("k.cu", b"#include <x.h>\n  int a = y;\n  int b;\n")
    log = (
        'k.cu(2): error: identifier "y" is undefined\n  int a = y;\n          ^\n\n'
        'k.cu(3): warning #177-D: variable "b" was declared but never referenced\n'
        "k.cu:1:10: fatal error: x.h: No such file or directory\n"
        "ptxas /tmp/t.ptx, line 29; error   : Unknown modifier '.bar'\n"
    )
    found = nvcc_diagnostics(log, source)
    assert [(d.severity, d.span.line, d.span.column) for d in found] == [
        (Severity.ERROR, 2, 3),
        (Severity.WARNING, 3, 3),
        (Severity.ERROR, 1, 1),
        (Severity.ERROR, 1, 1),
    ]
    assert found[0].message == 'identifier "y" is undefined'
    assert found[3].message == "ptxas: Unknown modifier '.bar'"


@needs_nvcc
def test_a_program_is_compiled(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float* x) { x[threadIdx.x] *= 2; }\nint main() { k<<<1, 32>>>(nullptr); }\n"
    )
    result = build_cuda(source)
    assert isinstance(result, Built), result
    assert str(result.evidence) == "built:sm_90"
    assert [kernel.name for kernel in result.kernels] == ["k"]
    source.write_text("__global__ void k(float* x) { x[0] = y; }\n")
    wrong = build_cuda(source)
    assert isinstance(wrong, BuildFailed)
    assert wrong.diagnostics[0].span.line == 1
    assert '"y"' in wrong.diagnostics[0].message


def test_without_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "find_nvcc", lambda: None)
    assert build_cuda(tmp_path / "k.cu") == NotAvailable("nvcc", nvcc.HOW_TO_INSTALL)
