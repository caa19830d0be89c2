"""What the compilers that build a port can reach: nothing of the judge's, whichever way a source asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.sandbox import sandbox_available
from porter.harness.programs import Build, build, judges_files
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import BuildFailed, Built, NotAvailable
from porter.harness.verdict import VerifyOptions
from porter.simulator.options import Face

needs_sandbox = pytest.mark.skipif(not sandbox_available(), reason="this system has no namespaces")

PORT = """\
#include <hip/hip_runtime.h>
#include "sizes.h"
{more}
__global__ void k(float* y) {{ y[threadIdx.x] = N + SECRET; }}
int main() {{ return 0; }}
"""
INCLUDED = '#include "{path}"'
ASKED = '#if !__has_include("{path}")\n#error not there\n#endif\n#define SECRET 1'
ASSEMBLED = (
    '#define SECRET ({{ __asm__ volatile(".pushsection .rodata\\n.incbin \\"{path}\\"\\n.popsection"); 1; }})'
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A port with the files it may read, and three that it may not."""
    folder = tmp_path / "project"
    runs = folder / ".porter" / "runs"
    runs.mkdir(parents=True)
    (folder / "sizes.h").write_text("#define N 1\n")
    for secret in (folder / "original.cu", runs / "answer.h", tmp_path / "judge.h"):
        secret.write_text("#define SECRET 42\n")
    return folder


def _secrets(project: Path) -> tuple[Path, ...]:
    return project / "original.cu", project / ".porter" / "runs" / "answer.h", project.parent / "judge.h"


def _simulated(port: Path, project: Path) -> str:
    """Why it does not build; empty where it does."""
    options = VerifyOptions(include_dirs=(project,), hidden=(project / "original.cu",))
    built = build(port, options, face=Face.HIP)
    return "" if isinstance(built, Build) else built.reason


def _for_amd(port: Path, project: Path) -> str:
    hidden = judges_files(VerifyOptions(include_dirs=(project,)), port, project / "original.cu")
    built = build_hip(port, "gfx942", include_dirs=(project,), hidden=hidden)
    if isinstance(built, NotAvailable):
        pytest.skip(str(built))
    assert isinstance(built, Built | BuildFailed)
    return "" if isinstance(built, Built) else str(built)


@needs_sandbox
@pytest.mark.parametrize("why_not", [_simulated, _for_amd])
@pytest.mark.parametrize("way", [INCLUDED, ASKED, ASSEMBLED])
def test_the_judges_files_are_not_there(
    project: Path, way: str, why_not: Callable[[Path, Path], str]
) -> None:
    """A file that is hidden alone is still seen to be there, and is empty."""
    port = project / "port.hip"
    reasons = []
    secrets = _secrets(project)[way != INCLUDED :]
    for secret in secrets:
        port.write_text(PORT.format(more=way.format(path=secret)))
        reasons.append(why_not(port, project))
    assert all(reasons), reasons


@pytest.mark.parametrize("why_not", [_simulated, _for_amd])
def test_what_belongs_to_the_port_is_there(project: Path, why_not: Callable[[Path, Path], str]) -> None:
    (project.parent / "beside.h").write_text("#define SECRET 2\n")
    port = project / "port.hip"
    port.write_text(PORT.format(more='#include "../beside.h"'))
    assert why_not(port, project) == ""


@needs_sandbox
def test_the_original_by_its_name_is_not_there(project: Path) -> None:
    port = project / "port.hip"
    port.write_text(PORT.format(more='#include "original.cu"'))
    assert _simulated(port, project)
    assert _for_amd(port, project)


def test_an_original_that_is_the_port_is_read(project: Path) -> None:
    original = project / "original.cu"
    original.write_text(PORT.format(more="#define SECRET 1"))
    assert _simulated(original, project) == ""


def test_without_namespaces_a_port_is_built_all_the_same(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.core.process.sandbox_available", lambda: False)
    port = project / "port.hip"
    port.write_text(PORT.format(more="#define SECRET 12345"))
    assert _simulated(port, project) == ""
    assert _for_amd(port, project) == ""
