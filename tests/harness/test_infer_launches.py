"""Launches of kernels that no main() launches: sizes, grids, arrays, and why there is none."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.lower_kernel import lower_kernels
from porter.cuda.structure import Function
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.inferred_config import InferredConfig, infer_config, section_to_write
from porter.harness.synthesise import Array, KernelCall, read_config
from porter.harness.verdict import VerifyOptions
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.verify_port import verify_port

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOURCE = Path(__file__).parent / "programs" / "kernels_alone.cu"


@dataclass(frozen=True)
class Inferred:
    """The kernels by name, overloads apart by their place among those of the name."""

    config: InferredConfig
    kernels: Sequence[Function]

    def calls(self, name: str, place: int = 0) -> tuple[KernelCall, ...]:
        named = [k for k in self.kernels if k.name == name]
        return self.config.calls[named[place].name_span]

    @property
    def reasons(self) -> dict[str, str]:
        found = self.config.reasons
        return {k.name: found[k.name_span] for k in self.kernels if k.name_span in found}


@pytest.fixture(scope="module")
def inferred() -> Inferred:
    unit = read_translation_unit(SourceText.read(SOURCE))
    lowered = lower_kernels(unit.source, unit.launches)
    return Inferred(infer_config(SOURCE, unit.kernels, lowered, VerifyOptions()), unit.kernels)


def lengths(call: KernelCall) -> list[int]:
    return [a.count for a in call.arguments if isinstance(a, Array)]


def test_two_launches_of_a_vector(inferred: Inferred) -> None:
    first, second = inferred.calls("axpy")
    assert (first.name, first.grid, first.block) == ("blas::axpy", (4, 1, 1), (256, 1, 1))
    assert first.arguments == ("1000", "0.125", Array("float", 1000), Array("float", 1000))
    assert (second.grid, lengths(second)) == ((7, 1, 1), [1537, 1537])


def test_integers_that_lead_to_elements_stay_small_and_offsets_rise(inferred: Inferred) -> None:
    first, _ = inferred.calls("spmv")
    row_ptr, col = first.arguments[1], first.arguments[2]
    assert row_ptr == Array("int", 1001, (0, 127), sorted=True)
    assert isinstance(col, Array)
    assert (col.fill, col.sorted) == ((0, 127), False)
    assert lengths(first) == [1001, 127, 127, 128, 1000]


def test_the_block_is_the_one_that_fills_the_shared_tile(inferred: Inferred) -> None:
    first, _ = inferred.calls("transpose")
    assert (first.grid, first.block) == ((2, 2, 1), (32, 8, 1))
    assert lengths(first) == [37 * 45, 37 * 45]


def test_what_the_indices_do_not_tell_is_found_by_running(inferred: Inferred) -> None:
    first, _ = inferred.calls("compact")
    data, out, counter, n = first.arguments
    assert isinstance(out, Array)
    assert (out.type, out.passed_as) == ("float", "float4")
    assert out.count > 4 * 1024  # an element for each thread was too short
    assert data == Array("unsigned char", 1000, (0, 100))
    assert counter == Array("unsigned int", 1, "zeros")
    assert n == "1000"


def test_overloads_are_launched_each_with_its_own_arguments(inferred: Inferred) -> None:
    first, _ = inferred.calls("refill")
    assert first.arguments == (Array("float", 1999), "0.125", "1000")
    second, _ = inferred.calls("refill", 1)
    assert second.arguments == (Array("int", 1000, "zeros"), "1000")


def test_vectors_loaded_whole_have_data_and_a_bool_is_tried_both_ways(inferred: Inferred) -> None:
    first, second = inferred.calls("lanes")
    assert first.arguments[0] == Array("int", 4000, (-50, 50), passed_as="int4")
    assert first.arguments[1] == Array("int", 2000, (0, 127), passed_as="int2")
    assert first.arguments[2] == Array("float", 128)
    assert [call.arguments[4] for call in (first, second)] == ["true", "false"]


def test_an_extent_too_long_to_believe_is_found_by_running(inferred: Inferred) -> None:
    first, _ = inferred.calls("masked")
    (length,) = lengths(first)
    reached = (math.prod(first.grid) * math.prod(first.block) - 1) * int(str(first.arguments[1])) + 1
    assert reached <= length < 1 << 22


def test_what_cannot_be_launched_says_why(inferred: Inferred) -> None:
    reasons = inferred.reasons
    assert set(reasons) == {"reads_before_the_start", "templated", "takes_a_struct"}
    assert "byte -4 of allocation" in reasons["reads_before_the_start"]
    assert reasons["templated"] == "it is a template"
    assert "settings is no number" in reasons["takes_a_struct"]


def test_the_file_says_the_same_again(inferred: Inferred) -> None:
    config = inferred.config
    assert config.path is not None
    every = [call for own in config.calls.values() for call in own]
    assert sorted(map(repr, read_config(config.path))) == sorted(map(repr, every))


def test_a_section_to_write() -> None:
    unit = read_translation_unit(SourceText.read(SOURCE))
    text = section_to_write(next(k for k in unit.kernels if k.name == "templated"))
    assert text.startswith('kernel."templated" = { template = "256", grid = 4, block = 256, args = [')
    assert tomllib.loads(text)["kernel"]["templated"]["grid"] == 4


def test_a_section_has_a_template_argument_of_each_kind(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("template <class T, int B, bool C> __global__ void k(T* x) { x[B] = C; }\n")
    (kernel,) = read_translation_unit(SourceText.read(source)).kernels
    assert tomllib.loads(section_to_write(kernel))["kernel"]["k"]["template"] == "float, 256, true"


def test_a_section_for_structures_and_numbers(tmp_path: Path) -> None:
    source = tmp_path / "kick.cu"
    source.write_text(
        "struct Particle { float x, v; };\n"
        "__global__ void kick(Particle* p, const float3* f, double* e, float dt, int n, Particle one) {}\n"
    )
    (kernel,) = read_translation_unit(SourceText.read(source)).kernels
    assert tomllib.loads(section_to_write(kernel))["kernel"]["kick"]["args"] == [
        {"type": "float", "count": 4000, "as": "Particle"},
        {"type": "float3", "count": 1000},
        {"type": "double", "count": 1000},
        1.0,
        1000,
        "Particle{ /* its values */ }",
    ]


def test_scalars_rise_so_that_bounds_are_in_order(inferred: Inferred) -> None:
    floats = [float(a) for a in inferred.calls("clamp_all")[0].arguments if isinstance(a, str) and "." in a]
    assert floats == sorted(floats)
    assert len(floats) == 2


def test_ports_are_verified_on_inferred_launches(tmp_path: Path) -> None:
    """One kernel is ported right, one wrong from the 200th element on; the third is said to be unverified."""
    text = SOURCE.read_text().replace("cuda_runtime.h", "hip/hip_runtime.h")
    port = tmp_path / "port.hip"
    port.write_text(text.replace("y[i] += a * x[i];", "y[i] += i < 200 ? a * x[i] : a;"))
    request = PortRequest(SOURCE, Target.HIP, kernels=("axpy", "spmv", "templated"), also=())
    run = RunDirectory.create(tmp_path / "runs", "verify", b"x")
    report = verify_port(request, port, run).report
    rows = {unit.outcome.kernel: unit for unit in report.units}
    assert {name: unit.status for name, unit in rows.items()} == {
        "axpy": "failed",
        "spmv": "partial",
        "templated": "partial",
    }
    reason = getattr(rows["spmv"].outcome, "reason", "")
    assert reason.startswith("the kernel agrees, the ported program does not")
    codes = {(f.code, f.span.path) for f in report.findings}
    assert codes == {("VER007", str(SOURCE)), ("VER008", str(SOURCE))}
    hint = next(f.hint for f in report.findings if f.code == "VER008")
    assert 'kernel."templated" = {' in hint
    assert list((tmp_path / "runs").rglob("01-porter.toml"))
