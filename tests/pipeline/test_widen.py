"""Widening within the ladder: what is proved and verified is kept, anything else preserved and said to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.outcome import Comparison, Ported, Producer, Target
from porter.core.span import SourceText
from porter.cuda.lower_kernel import lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.verdict import KernelVerdict, Mismatched, Passed, ProgramNotRun, Verification
from porter.hip.options import Warps
from porter.pipeline.build import NOTHING_BUILT
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.translate import translate_to_hip
from porter.pipeline.widen import ROUNDS, widen_port

KERNELS = """#include <cuda_runtime.h>
#include <cstdio>
__global__ void by_row(const int* x, int* y, int rows) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < 100; c += 32) v += x[row * 100 + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  if (lane == 0) y[row] = v;
}
__global__ void total(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}
int main() {
  int h[2100], *x, *y;
  for (int i = 0; i < 2100; ++i) h[i] = i % 13 - 4;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof h);
  by_row<<<6, 128>>>(x, y, 21);
  total<<<1, 128>>>(x, y + 100);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\\n", h[0], h[20], h[100]);
  return 0;
}
"""
SAME = Comparison(1, 1, 0, 0.0, 0.0, 0.0)
Judge = Callable[[Draft], tuple[KernelVerdict, ...]]


def passed(*names: str) -> tuple[KernelVerdict, ...]:
    return tuple(Passed(name, SAME, ()) for name in names)


def checked(draft: Draft, verdicts: tuple[KernelVerdict, ...]) -> Checked:
    return Checked(draft, "k.hip", NOTHING_BUILT, Verification(verdicts, ProgramNotRun("scripted")))


def widened_by(judge: Judge, *, check: bool = True) -> tuple[Checked, list[Draft]]:
    """What is kept and every draft that was checked, with `judge` in the place of the harness."""
    source = SourceText("k.cu", KERNELS.encode())
    unit = read_translation_unit(source)
    request = PortRequest(Path("k.cu"), Target.HIP, warps=Warps.WIDEN, check=check)
    seen: list[Draft] = []

    def run(draft: Draft) -> Checked:
        seen.append(draft)
        return checked(draft, judge(draft))

    plain = checked(translate_to_hip(request, unit), passed("by_row", "total"))
    return widen_port(request, unit, lower_kernels(source, unit.launches), plain, run), seen


def codes(kept: Checked) -> dict[str, str]:
    """The last finding on each kernel's widening."""
    found = [f for f in kept.draft.findings if f.code in ("WAV001", "WAV020", "WAV021")]
    return {f.message.partition(" keeps")[0].split()[-1]: f.code for f in found if f.code == "WAV021"} | {
        f.message.split()[3]: f.code for f in found if f.code == "WAV020"
    }


def test_a_widened_port_that_verifies_is_kept() -> None:
    kept, seen = widened_by(lambda _: passed("by_row", "total"))
    assert codes(kept) == {"by_row": "WAV020", "total": "WAV020"}
    assert kept.draft.producer is Producer.RULES
    assert kept.draft.grid_scale == {"by_row": 2}
    assert b"by_row<<<2 * 6, 128>>>" in kept.draft.text
    assert b"__shfl_down(v, o, 64)" in kept.draft.text
    assert not [f for f in kept.draft.findings if f.code == "WAV001"]
    assert len(seen) == 1


def test_a_kernel_that_fails_is_preserved_and_the_other_kept() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        wrong = b"threadIdx.x % 64 == 0" in draft.text
        first: KernelVerdict = Mismatched("total", "other numbers", SAME) if wrong else passed("total")[0]
        return first, *passed("by_row")

    kept, seen = widened_by(judge)
    assert codes(kept) == {"by_row": "WAV020", "total": "WAV021"}
    assert b"threadIdx.x % 32 == 0" in kept.draft.text
    assert b"by_row<<<2 * 6" in kept.draft.text
    (finding,) = [f for f in kept.draft.findings if f.code == "WAV021"]
    assert "not verified: other numbers" in finding.message
    assert finding.span.line == 10
    assert len(seen) == 2


def test_the_plain_port_is_kept_where_no_widened_one_verifies() -> None:
    def judge(draft: Draft) -> tuple[KernelVerdict, ...]:
        changed = b", 64)" in draft.text
        return tuple(Mismatched(n, "wrong", SAME) if changed else passed(n)[0] for n in ("by_row", "total"))

    kept, seen = widened_by(judge)
    assert codes(kept) == {"by_row": "WAV021", "total": "WAV021"}
    assert b"64" not in kept.draft.text.partition(b"by_row(")[2]
    assert 0 < len(seen) <= ROUNDS


def test_without_checks_the_proof_is_enough() -> None:
    kept, seen = widened_by(lambda _: (), check=False)
    assert codes(kept) == {"by_row": "WAV020", "total": "WAV020"}
    assert not seen


@pytest.mark.slow
def test_every_case_is_compared_on_the_grid_that_the_port_needs(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(KERNELS)
    cases: dict[Warps, list[int]] = {}
    for warps in Warps:
        request = PortRequest(source, Target.HIP, also=(), warps=warps)
        report = port(request, RunDirectory.create(tmp_path / "runs", "t", b"k")).report
        outcomes = [unit.outcome for unit in report.units]
        assert all(isinstance(o, Ported) for o in outcomes)
        cases[warps] = [getattr(o, "comparison").cases for o in outcomes]  # noqa: B009
    assert cases[Warps.WIDEN] == cases[Warps.PRESERVE]
