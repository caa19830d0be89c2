"""porter's own fp16, bf16 and cooperative-groups headers build, and a build that used them says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.amd_compiler import find_amd_compiler
from porter.harness.toolchains.records import BuildFailed, Built, NotAvailable

_COMPILER = find_amd_compiler()
pytestmark = pytest.mark.skipif(
    isinstance(_COMPILER, NotAvailable) or _COMPILER.kind == "rocm",
    reason="needs the compiler of the ziglang package",
)

GROUPS = """
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ float any_group(cg::thread_group g, float* s, float v) {
  s[g.thread_rank()] = v;
  g.sync();
  return s[g.size() - 1 - g.thread_rank()];
}
template <class Group>
__device__ float reduce(const Group& g, float v) {
  for (int o = g.size() / 2; o > 0; o /= 2) v += g.shfl_down(v, o);
  return v;
}
__device__ float takes_any_parent(const cg::thread_block_tile<32>& tile, float v) { return reduce(tile, v); }
__global__ void tiles(const float* x, float* y) {
  __shared__ float s[256];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> named = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<32>(block);
  auto whole = cg::tiled_partition<64>(block);
  float v = takes_any_parent(tile, x[block.group_index().x * block.size() + block.thread_rank()]);
  v += reduce(whole, v) + named.shfl(v, 0) + tile.shfl_xor(v, 1) + tile.shfl_up(v, 1);
  block.sync();
  cg::sync(tile);
  if (tile.thread_rank() == 0) atomicAdd(y, v);
  y[1 + tile.meta_group_rank()] = __popcll(tile.ballot(v > 0)) + tile.any(v > 2) + tile.all(v > 3);
  v = any_group(block, s, v) + any_group(cg::tiled_partition(block, 16), s, v);
  auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) atomicAdd(y, float(active.size()));
  y[200] = cg::tiled_partition<16>(tile).shfl_xor(v, 1) + active.shfl(v, 0);
  y[201] = __popcll(tile.match_any(int(v)));
}
__global__ void grid(float* y) {
  auto g = cg::this_grid();
  y[g.thread_rank()] = 1;
  g.sync();
  y[0] += y[1] + g.size();
}
"""

NUMBERS = """
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <cstdio>

__global__ void numbers(const __half* a, __half2* b, float* f, __hip_bfloat16* c, half* d,
                        __hip_bfloat162* e) {
  int i = threadIdx.x;
  half h = __hfma(a[i], a[i], __float2half(2.0f));
  h += __half(1.0f);
  h = h * __half(0.5f) + hexp(h) - hsqrt(h) / hrcp(h);
  b[i] = __hfma2(__hadd2(b[i], __half2half2(h)), b[i], __floats2half2_rn(1.0f, 2.0f));
  f[i] = __half2float(h) + __low2float(b[i]) + __half22float2(b[i]).y + float(__hmax(h, a[0]));
  c[i] = __hmul(__float2bfloat16(f[i]) + c[i], c[i]);
  c[i] += __float2bfloat16(1.0f);
  e[i] = __hfma2(e[i], __halves2bfloat162(c[i], c[0]), __float22bfloat162_rn(make_float2(1, 2)));
  if (__hgt(h, a[1]) || h < a[2] || __heq(c[i], c[0]) || __hisnan(h)) f[i] = float(-h);
  f[i] += __bfloat162float(-c[i]);
  d[i] = __shfl_xor(__shfl_down(h, 1, 32), 1);
  c[i] = __shfl(c[i], 0);
  b[i] = __shfl_up(b[i], 1);
  d[i] = __ushort_as_half(__half_as_ushort(__float2half_rz(f[i])) + __half_as_ushort(__int2half_rn(i)));
  f[i] += __half2int_rz(d[i]) + __half2int_rn(d[i]);
}
int main() { __half h(1.0f); printf("%f %f\\n", __half2float(h), __bfloat162float(__float2bfloat16(1.0f))); }
"""


def build(tmp_path: Path, text: str) -> Built | BuildFailed | NotAvailable:
    source = tmp_path / "k.hip"
    source.write_text(text)
    return build_hip(source, "gfx950")


@pytest.mark.parametrize(
    ("text", "headers"),
    [(GROUPS, "hip/hip_cooperative_groups.h"), (NUMBERS, "hip/hip_bf16.h, hip/hip_fp16.h")],
    ids=["groups", "numbers"],
)
def test_the_evidence_names_the_minimal_headers(tmp_path: Path, text: str, headers: str) -> None:
    result = build(tmp_path, text)
    assert isinstance(result, Built), result
    assert f"porter minimal ({headers})" in result.evidence.tools["headers"]
    assert all(kernel.vgpr_spills == 0 for kernel in result.kernels)


@pytest.mark.parametrize(
    "body",
    [
        "cg::tiled_partition<128>(block)",  # larger than a wavefront
        "cg::tiled_partition<24>(block)",  # no power of two
        "cg::tiled_partition<32>(block).shfl(Pair{1, 2}, 0)",  # HIP shuffles arithmetic types only
        "cg::reduce(block, 1.0f, cg::plus<float>())",  # HIP has no reduce
    ],
)
def test_what_hip_itself_rejects_is_rejected(tmp_path: Path, body: str) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"
        "namespace cg = cooperative_groups;\nstruct Pair { int a, b; };\n"
        f"__global__ void k(float* y) {{ auto block = cg::this_thread_block(); auto v = {body};"
        " y[0] = sizeof(v); }\n"
    )
    result = build(tmp_path, text)
    assert isinstance(result, BuildFailed), result
    assert 5 in {d.span.line for d in result.diagnostics}
