"""The main job on porter's own programs: at 64 lanes always, the whole ladder in `make test-slow`."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.cli.demo import CORE
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.translate import translate_hip
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cuda_kernels"


def source_of(name: str) -> Path:
    return FIXTURES / name / "kernel.cu"


@pytest.mark.parametrize("name", CORE)
def test_the_hip_port_passes_the_programs_own_check_at_64_lanes(name: str, tmp_path: Path) -> None:
    translation = translate_hip(read_translation_unit(SourceText.read(source_of(name))))
    hip = tmp_path / "port.hip"
    hip.write_bytes(translation.text)
    ran = run_program(build_program([hip], face=Face.HIP, lanes=64))
    assert ran.errors == ()
    assert ran.stdout.startswith(b"PASS"), ran.stdout + ran.stderr
    assert ran.returncode == 0


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("stream_compaction", (">> (__lane_id() & 32u)", "")),
        ("stream_compaction", ("__shfl(base, 0, 32)", "__shfl(base, 0)")),
    ],
)
def test_a_port_that_forgets_the_groups_of_32_fails_it(
    name: str, broken: tuple[str, str], tmp_path: Path
) -> None:
    text = translate_hip(read_translation_unit(SourceText.read(source_of(name)))).text.decode()
    assert broken[0] in text
    hip = tmp_path / "port.hip"
    hip.write_text(text.replace(*broken))
    assert run_program(build_program([hip], face=Face.HIP, lanes=64)).returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("target", list(Target))
@pytest.mark.parametrize("name", CORE)
def test_every_kernel_is_ported_with_its_evidence(name: str, target: Target, tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path, "test", b"")
    report = port(PortRequest(source_of(name), target), run).report
    proof = "simulated:wave64" if target is Target.HIP else "interpreted"
    for unit in report.units:
        assert unit.status == "ported", unit
        assert proof in {str(e) for e in getattr(unit.outcome, "evidence", ())}
