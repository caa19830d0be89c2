"""One declined kernel does not cost the others their proof."""

from __future__ import annotations

from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Comparison, Declined, Evidence, Mismatch, Partial, Ported, Producer, Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.verdict import CouldNotRun, KernelVerdict, Mismatched, Passed, ProgramFailed, Verification
from porter.pipeline.build import Builds
from porter.pipeline.decide import Checked, decide
from porter.pipeline.draft import Draft
from porter.pipeline.left_out import without_declined
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

PROGRAM = """\
#include <cstdio>
__device__ unsigned total(unsigned x) {
  unsigned r;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x));
  return r;
}
__global__ void totals(unsigned* x) {
  x[threadIdx.x] = total(x[threadIdx.x]);
}
__global__ void scale(unsigned* x, unsigned a) {
  x[threadIdx.x] *= a;
}
int main() {
  unsigned host[32], *x;
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  totals<<<1, 32>>>(x);
  scale<<<1, 32>>>(x, 3);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  if (host[0] != 32 * 33 / 2 * 3) return 1;
  printf("ok\\n");
}
"""
SOURCE = SourceText("k.cu", PROGRAM.encode())
UNIT = read_translation_unit(SOURCE)
AT = PROGRAM.index("asm")
REASON = Diagnostic("PTX001", Severity.ERROR, "inline PTX", SOURCE.span(AT, AT + 3))
DRAFT = Draft(Target.HIP, Producer.RULES, SOURCE.data, {"totals": REASON}, (REASON,))
SAME = Comparison(9, 100, 0, 0.0, 0.0, 0.0)
WRONG = Comparison(9, 100, 1, 5.0, 1.0, 1.0, (Mismatch("x", 7, 1, 2, "captured"),))


def test_the_declined_code_is_empty_and_every_line_stays_where_it_was() -> None:
    rest = without_declined(UNIT, DRAFT)
    assert rest is not None
    lines = rest.text.decode().splitlines()
    assert len(lines) == len(PROGRAM.splitlines())
    assert "asm" not in rest.text.decode()
    assert "__builtin_trap" in lines[1]
    assert lines[6].startswith("__global__ void totals(unsigned* x) {")
    assert lines[9:] == PROGRAM.splitlines()[9:]


def test_nothing_is_left_out_where_nothing_was_declined_or_no_text_of_it_is_there() -> None:
    assert without_declined(UNIT, Draft(Target.HIP, Producer.RULES, SOURCE.data)) is None
    elsewhere = Draft(Target.HIP, Producer.RULES, SOURCE.data, {"of_a_macro": REASON})
    assert without_declined(UNIT, elsewhere) is None


def test_a_triton_module_has_no_declined_kernels_in_it() -> None:
    assert without_declined(UNIT, Draft(Target.TRITON, Producer.COMPILER, b"x", {"totals": REASON})) is None


def apart(verdict: KernelVerdict) -> Checked:
    """The program always goes wrong without one of its kernels; that says nothing of the others."""
    verification = Verification((verdict,), ProgramFailed("copies other data"))
    built = Builds((Evidence("built", "gfx950"),))
    return Checked(DRAFT, "k.hip", built, verification, left_out=("totals",))


def test_what_passes_without_the_declined_kernel_is_ported() -> None:
    outcome = decide("scale", apart(Passed("scale", SAME, (Evidence("simulated", "wave64"),))), ())
    assert isinstance(outcome, Ported)
    assert [str(e) for e in outcome.evidence] == ["built:gfx950", "simulated:wave64"]


def test_what_is_wrong_without_it_is_not_called_failed() -> None:
    for verdict in (Mismatched("scale", "1 of 100 differ", WRONG), CouldNotRun("scale", "never launched")):
        outcome = decide("scale", apart(verdict), ())
        assert isinstance(outcome, Partial)
        assert "because of totals" in outcome.reason
        assert verdict.reason in outcome.reason


def test_a_program_with_a_kernel_that_is_declined_proves_the_other(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(PROGRAM)
    run = RunDirectory.create(tmp_path / "runs", "translate", b"")
    report = port(PortRequest(source, Target.HIP), run).report
    outcomes = {unit.outcome.kernel: unit.outcome for unit in report.units}
    assert isinstance(outcomes["totals"], Declined)
    scale = outcomes["scale"]
    assert isinstance(scale, Ported)
    assert {"built:gfx950", "simulated:wave64"} <= {str(e) for e in scale.evidence}
    assert [f.message for f in scale.findings if f.code == "VER021"] == [
        "scale was checked in a copy of the port without totals; the file does not build with it"
    ]
    assert report.exit_code == 1
