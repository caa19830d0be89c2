"""Launches for kernels that the IR cannot say: what is left of them still tells how far they reach."""

from __future__ import annotations

from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, NotLowered, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.inferred_config import InferredConfig, infer_config
from porter.harness.synthesise import Array
from porter.harness.verdict import VerifyOptions
from porter.harness.without_statements import lowered_without_statements

WITH_PTX = """\
__device__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
__global__ void count(const unsigned* x, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r = 0;
  if (i < n) r = x[i];
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(r & lanes_below()));
  if (i < n) out[i] = r;
}
"""


def inferred(tmp_path: Path, text: str) -> InferredConfig:
    source = tmp_path / "k.cu"
    source.write_text(text)
    unit = read_translation_unit(SourceText.read(source))
    return infer_config(source, unit.kernels, lower_kernels(unit.source), VerifyOptions())


def test_statements_in_the_way_are_left_out_one_after_the_other() -> None:
    source = SourceText("k.cu", WITH_PTX.encode())
    unit = read_translation_unit(source)
    (whole,) = lower_kernels(source)
    assert isinstance(whole, NotLowered)
    rest = lowered_without_statements(source, unit.kernels[0], whole.diagnostic.span)
    assert isinstance(rest, Lowered)
    assert [p.name for p in rest.kernel.parameters] == ["x", "out", "n"]


def test_a_kernel_with_ptx_and_no_main_is_launched(tmp_path: Path) -> None:
    found = inferred(tmp_path, WITH_PTX)
    (calls,) = found.calls.values()
    assert len(calls) == 2
    for call in calls:
        arrays = [a.count for a in call.arguments if isinstance(a, Array)]
        assert arrays == [int(str(call.arguments[2]))] * 2


def test_the_reason_is_that_of_the_launch_where_what_was_left_out_mattered(tmp_path: Path) -> None:
    text = """\
__global__ void write(unsigned* x, int n) {
  unsigned long long address = 16;
  asm volatile("st.global.u32 [%0], %1;" :: "l"(address), "r"(n));
  x[threadIdx.x] = n;
}
"""
    found = inferred(tmp_path, text)
    assert not found.calls
    (reason,) = found.reasons.values()
    assert "no device memory" in reason


def test_a_parameter_that_cannot_be_made_is_no_statement(tmp_path: Path) -> None:
    text = "struct S { void* p; virtual int f(); };\n__global__ void k(S s, int* x) { x[0] = 1; }\n"
    found = inferred(tmp_path, text)
    assert not found.calls
    assert found.reasons
