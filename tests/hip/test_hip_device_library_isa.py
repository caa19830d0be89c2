"""What porter's headers become on AMD's GPUs: matrix instructions, wide copies, fragments in registers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.amd_compiler import find_amd_compiler
from porter.harness.toolchains.records import Built, NotAvailable
from porter.hip import translate
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip

SHIMS = Path(translate.__file__).parent / "shims"
needs_compiler = pytest.mark.skipif(
    isinstance(find_amd_compiler(), NotAvailable), reason="needs a compiler for AMD GPUs"
)

GEMM = """\
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void gemm(const half* a, const half* b, float* c, int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int row = warp / (n / 16) * 16, column = warp % (n / 16) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + column * n + k, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}
"""
COPY = """\
#include <cuda_runtime.h>
#include <cuda/pipeline>
__global__ void copy(const float4* from, float4* to) {
  __shared__ float4 s[256];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &from[threadIdx.x], cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  to[threadIdx.x] = s[255 - threadIdx.x];
  pipe.consumer_release();
}
"""


def built(text: str, arch: str, folder: Path) -> Built:
    result = translate_hip(read_translation_unit(SourceText("t.cu", text.encode())), HipOptions(arch))
    for name, data in result.headers.items():
        (folder / name).write_bytes(data)
    port = folder / "t.hip"
    port.write_bytes(result.text)
    done = build_hip(port, arch)
    assert isinstance(done, Built), done
    return done


def instructions(done: Built) -> Counter[str]:
    return Counter(re.findall(r"^\t([a-z]\w+)", done.code_objects[0].assembly, re.MULTILINE))


@needs_compiler
@pytest.mark.parametrize(
    ("arch", "exchange"), [("gfx942", "ds_bpermute_b32"), ("gfx950", "v_permlane32_swap_b32_e32")]
)
def test_products_run_on_the_matrix_cores(arch: str, exchange: str, tmp_path: Path) -> None:
    done = built(GEMM, arch, tmp_path)
    counts = instructions(done)
    assert counts["v_mfma_f32_16x16x16_f16"] == 2
    assert counts[exchange] >= 12
    assert counts["global_load_dwordx2"] == 4
    (kernel,) = done.kernels
    assert (kernel.lds_bytes, kernel.scratch_bytes) == (0, 0)


@needs_compiler
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_a_copy_of_16_bytes_is_one_load_and_one_store(arch: str, tmp_path: Path) -> None:
    counts = instructions(built(COPY, arch, tmp_path))
    assert counts["global_load_dwordx4"] == 1
    assert counts["ds_write_b128"] == 1


@needs_compiler
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_the_order_of_blocks_for_the_dies_is_scalar_arithmetic(arch: str, tmp_path: Path) -> None:
    """No vector register and no access more than without it; the number of dies divides by shifts."""
    kernels = [
        f"__global__ void {name}(const float* x, float* y, int n) {{\n"
        f"  int i = {block}.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}}\n"
        for name, block in (("plain", "blockIdx"), ("ordered", "porter_xcd_block<8>()"))
    ]
    source = tmp_path / "order.hip"
    (tmp_path / "xcd_block.h").write_bytes((SHIMS / "xcd_block.h").read_bytes())
    head = '#include <hip/hip_runtime.h>\n#include "xcd_block.h"\n'
    source.write_text(head + "".join(kernels))
    done = build_hip(source, arch)
    assert isinstance(done, Built), done
    plain, ordered = (next(k for k in done.kernels if k.name == name) for name in ("plain", "ordered"))
    assert (ordered.vgprs, ordered.scratch_bytes, ordered.lds_bytes) == (plain.vgprs, 0, 0)
    assert ordered.instructions.vector_memory == plain.instructions.vector_memory == 2
    assert ordered.instructions.total <= plain.instructions.total + 40
