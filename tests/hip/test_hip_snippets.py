"""Small inputs, one pitfall each: ported so that they build for gfx942, or refused at the right line.

The first line of each says what is right: `builds`, `runs` (builds, and the port at 64 lanes prints what the
original prints at 32), `refused` (at least one error), `left` (not touched), then every warning and error as
code and line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.amd_compiler import find_amd_compiler
from porter.harness.toolchains.records import Built, NotAvailable
from porter.hip.options import HipOptions
from porter.hip.translate import HipTranslation, translate_hip
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.cu"))


def expectation(path: Path) -> tuple[str, list[str]]:
    first = path.read_text().partition("\n")[0]
    kind, *findings = first.removeprefix("// expect: ").split(", ")
    return kind, findings


def of_kind(*kinds: str) -> list[Path]:
    return [path for path in SNIPPETS if expectation(path)[0] in kinds]


def translated(path: Path) -> HipTranslation:
    return translate_hip(read_translation_unit(SourceText.read(path)), HipOptions("gfx942"))


def written(path: Path, folder: Path) -> Path:
    """The port and the headers that it includes, in `folder`."""
    result = translated(path)
    for name, data in result.headers.items():
        (folder / name).write_bytes(data)
    port = folder / f"{path.stem}.hip"
    port.write_bytes(result.text)
    return port


def test_there_are_sixty() -> None:
    assert len(SNIPPETS) >= 60


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda p: p.stem)
def test_findings(path: Path) -> None:
    kind, expected = expectation(path)
    result = translated(path)
    serious = [f for f in result.findings if f.severity is not Severity.NOTE]
    assert sorted({f"{f.code} {f.span.line}" for f in serious}) == sorted(set(expected))
    assert any(f.severity is Severity.ERROR for f in serious) == (kind == "refused")
    assert (result.edits == ()) == (kind == "left") or kind == "refused"


@pytest.mark.parametrize("path", of_kind("builds", "runs"), ids=lambda p: p.stem)
def test_translating_twice_is_translating_once(path: Path) -> None:
    once = translated(path)
    twice = translate_hip(read_translation_unit(SourceText(str(path), once.text)), HipOptions("gfx942"))
    assert twice.text == once.text


needs_compiler = pytest.mark.skipif(
    isinstance(find_amd_compiler(), NotAvailable), reason="needs a compiler for AMD GPUs"
)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("path", of_kind("builds", "runs"), ids=lambda p: p.stem)
def test_builds_for_gfx942(path: Path, tmp_path: Path) -> None:
    built = build_hip(written(path, tmp_path), "gfx942")
    assert isinstance(built, Built), built


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [p for p in of_kind("builds", "runs") if translated(p).headers], ids=lambda p: p.stem
)
def test_headers_of_porters_build_for_gfx950(path: Path, tmp_path: Path) -> None:
    built = build_hip(written(path, tmp_path), "gfx950")
    assert isinstance(built, Built), built


@pytest.mark.slow
@pytest.mark.parametrize("path", of_kind("runs"), ids=lambda p: p.stem)
def test_the_port_at_64_lanes_prints_what_the_original_prints(path: Path, tmp_path: Path) -> None:
    port = written(path, tmp_path)
    original = run_program(build_program([path], face=Face.CUDA))
    ported = run_program(build_program([port], face=Face.HIP))
    assert (ported.returncode, ported.stdout) == (0, original.stdout)
    assert len(original.stdout.split()) == 128
