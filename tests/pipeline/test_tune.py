"""Tuning within the ladder: what is verified is kept, what is not is dropped and said to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Comparison, Producer, Target
from porter.core.span import SourceText
from porter.cuda.lower_kernel import lower_kernels
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.harness.hip_replay import UNKNOWN_LARGER_GRID
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import BuildFailed, Built, NotAvailable
from porter.harness.verdict import KernelVerdict, Mismatched, Passed, ProgramNotRun, Verification
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip
from porter.hip.tune.propose import tuned
from porter.pipeline import check as check_module
from porter.pipeline.build import NOTHING_BUILT, Builds
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.tune import ROUNDS, find_proposals, suggestions, tune

ROOT = Path(__file__).parents[2]
TEN = ROOT / "tests" / "hip" / "tuning" / "ten_kernels.cu"
REQUEST = PortRequest(TEN, Target.HIP, arch="gfx942", also=())
KERNEL = """#include <cuda_runtime.h>
#include <vector>
__global__ void scaled(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
int main() {
  const int n = 1003;
  std::vector<float> h(n + 1, 1.5f);
  float *x, *y;
  cudaMalloc(&x, (n + 1) * sizeof(float));
  cudaMalloc(&y, (n + 1) * sizeof(float));
  cudaMemcpy(x, h.data(), (n + 1) * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<(n + 255) / 256, 256>>>(x, y, 2.0f, n);
  scaled<<<(n + 255) / 256, 256>>>(x + 1, y, 3.0f, n);
  cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  return h[n - 1] == 4.5f ? 0 : 1;
}
"""

Judge = Callable[[Draft], tuple[KernelVerdict, ...]]


def tuned_by(judge: Judge) -> tuple[Checked, Checked, tuple[Diagnostic, ...]]:
    """The plain port, what is kept and the findings, with `judge` in the place of the harness."""
    source = SourceText.read(TEN)
    unit = read_translation_unit(source)
    found = find_proposals(REQUEST, unit, lower_kernels(source, unit.launches), None)
    draft = Draft(Target.HIP, Producer.RULES, source.data)
    plain = checked(draft, judge(draft))

    def translate(changed: TranslationUnit, called: frozenset[str]) -> Draft:
        assert called
        return replace(draft, text=changed.source.data)

    result = tune(found, unit, plain, translate, lambda d: checked(d, judge(d)))
    return plain, result.checked, result.findings


def checked(draft: Draft, verdicts: tuple[KernelVerdict, ...]) -> Checked:
    return Checked(draft, "k.hip", NOTHING_BUILT, Verification(verdicts, ProgramNotRun("scripted")))


NAMES = ("saxpy", "leaky_relu", "threshold", "push", "row_sums", "transpose", "add_transposed")
NAMES += ("tiled_transpose", "scale", "dot_rows")
SAME = Comparison(1, 1, 0, 0.0, 0.0, 0.0)


def passing(draft: Draft) -> tuple[KernelVerdict, ...]:
    return tuple(Passed(name, SAME, ()) for name in NAMES)


def test_a_tuned_port_that_verifies_is_kept() -> None:
    plain, kept, findings = tuned_by(passing)
    assert kept.draft.text != plain.draft.text
    assert all(f.hint.startswith("tuned: ") for f in findings)
    assert len(findings) == 11


def test_a_kernel_that_fails_is_left_out_and_the_rest_kept() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        wrong = b"> porter_p;" in draft.text
        return tuple(
            Mismatched(name, "other numbers", SAME) if wrong and name == "push" else Passed(name, SAME, ())
            for name in NAMES
        )

    plain, kept, findings = tuned_by(judge)
    assert kept.draft.text != plain.draft.text
    assert b"> porter_p;" not in kept.draft.text
    (push,) = [f for f in findings if not f.hint.startswith("tuned: ")]
    assert "not verified: other numbers" in push.hint


def test_the_plain_port_is_kept_where_no_tuned_one_verifies() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        wrong = b"porter_" in draft.text
        return tuple(Mismatched(n, "other numbers", SAME) if wrong else Passed(n, SAME, ()) for n in NAMES)

    plain, kept, findings = tuned_by(judge)
    assert kept is plain
    assert all("not verified" in f.hint for f in findings)


def test_a_tuned_port_that_runs_fewer_cases_is_not_kept() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        fewer = b"> porter_p;" in draft.text
        return tuple(
            Passed(n, SAME, (), {"the port launches another grid": 2})
            if fewer and n == "push"
            else Passed(n, replace(SAME, cases=3), ())
            for n in NAMES
        )

    plain, kept, findings = tuned_by(judge)
    assert kept.draft.text != plain.draft.text
    assert b"> porter_p;" not in kept.draft.text
    (push,) = [f for f in findings if not f.hint.startswith("tuned: ")]
    assert "only 1 of the plain port's 3 cases could be run (the port launches another grid)" in push.hint


def test_cases_too_large_for_a_grid_of_its_own_do_not_count_against_the_tuned_port() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        own_grid = b"> porter_p;" in draft.text
        return tuple(
            Passed(n, SAME, (), {UNKNOWN_LARGER_GRID: 2})
            if own_grid and n == "push"
            else Passed(n, replace(SAME, cases=3), ())
            for n in NAMES
        )

    _, kept, findings = tuned_by(judge)
    assert b"> porter_p;" in kept.draft.text
    assert all(f.hint.startswith("tuned: ") for f in findings)


def test_kernels_that_verified_are_told_which_ones_did_not() -> None:
    """Every attempt fails for another kernel: the rest was never the reason."""
    attempts: list[Draft] = []

    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        attempts.append(draft)
        bad = (None, "push", "scale")[len(attempts) - 1]
        return tuple(Mismatched(n, "other numbers", SAME) if n == bad else Passed(n, SAME, ()) for n in NAMES)

    plain, kept, findings = tuned_by(judge)
    assert kept is plain
    assert len(attempts) == 1 + ROUNDS
    own = [f.hint for f in findings if "not verified: other numbers" in f.hint]
    others = [f.hint for f in findings if "in 2 attempts, because of push, scale" in f.hint]
    assert (len(own), len(others)) == (3, 8)  # scale has two changes


def test_the_log_of_a_dropped_draft_is_not_the_ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "scaled.cu"
    source.write_text(KERNEL)
    real = check_module.build

    def fails_for_tuned(request: PortRequest, draft: Draft, *rest: object) -> Builds:
        built = real(request, draft, *rest)  # type: ignore[arg-type]
        failure = BuildFailed((), "scripted log")
        return replace(built, failure=failure) if b"porter_load_vector" in draft.text else built

    monkeypatch.setattr(check_module, "build", fails_for_tuned)
    result = ported(source, tmp_path / "run", "gfx950")
    (unit,) = result.report.units
    assert unit.status == "ported"
    assert b"porter_load_vector" not in result.draft.text
    folder = next((tmp_path / "run" / "runs").glob("*/units/*"))
    assert "scripted log" in (folder / "56-build-tuned.log").read_text()
    assert not (folder / "55-build.log").exists()


def test_without_tune_each_finding_says_what_it_would_do() -> None:
    source = SourceText.read(TEN)
    unit = read_translation_unit(source)
    found = suggestions(find_proposals(REQUEST, unit, lower_kernels(source, unit.launches), None))
    assert {f.code for f in found} == {"MEM010", "MEM011", "MEM012", "MEM013", "LCH011"}
    assert all(f.hint.startswith("--tune: ") for f in found)


def ported(source: Path, run: Path, arch: str) -> PortResult:
    request = PortRequest(source, Target.HIP, arch=arch, also=(), tune=True)
    return port(request, RunDirectory.create(run, "translate", b""))


def test_a_tuned_program_is_verified_on_aligned_and_unaligned_buffers(tmp_path: Path) -> None:
    source = tmp_path / "scaled.cu"
    source.write_text(KERNEL)
    result = ported(source, tmp_path / "run", "gfx950")
    (unit,) = result.report.units
    assert unit.status == "ported"
    assert b"porter_load_vector<4>" in result.draft.text
    (finding,) = [f for f in unit.outcome.findings if f.code == "MEM010"]
    assert finding.hint.startswith("tuned: 4 elements of x, y in one access of 16 bytes")


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_all_ten_kernels_are_verified_and_wider(tmp_path: Path, arch: str) -> None:
    result = ported(TEN, tmp_path / "run", arch)
    assert result.report.totals()["ported"] == 10
    findings = {f for u in result.report.units for f in u.outcome.findings} | set(result.report.findings)
    tuning = [f for f in findings if f.code in ("MEM010", "MEM011", "MEM012", "MEM013", "LCH011")]
    assert len(tuning) == 11
    assert all(f.hint.startswith("tuned: ") for f in tuning)


def test_the_machine_code_has_the_wide_accesses(tmp_path: Path) -> None:
    source = SourceText.read(TEN)
    unit = read_translation_unit(source)
    tuning = tuned(unit, find_proposals(REQUEST, unit, lower_kernels(source, unit.launches), None))
    assert tuning is not None
    built = {}
    for name, text in (
        ("plain", translate_hip(unit, HipOptions("gfx942")).text),
        ("tuned", translate_hip(tuning.unit, HipOptions("gfx942"), called=tuning.shims).text),
    ):
        path = tmp_path / f"{name}.hip"
        path.write_bytes(text)
        result = build_hip(path, "gfx942", kernels=NAMES)
        if isinstance(result, NotAvailable):
            pytest.skip(str(result))
        assert isinstance(result, Built), result
        built[name] = {k.name: k.instructions for k in result.kernels}
    plain, wide = built["plain"], built["tuned"]
    assert [plain[k].wide for k in ("saxpy", "leaky_relu", "threshold", "scale")] == [0, 0, 0, 0]
    assert [wide[k].wide for k in ("saxpy", "leaky_relu", "threshold", "scale")] == [3, 2, 2, 2]
    for staged in ("push", "row_sums", "transpose", "add_transposed"):
        assert plain[staged].lds == 0 < wide[staged].lds
        assert wide[staged].scratch == 0
