"""porter's own headers of ROCm's libraries: they agree with their tables, and uses build."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.amd_compiler import MINIMAL_HEADERS, find_amd_compiler
from porter.harness.toolchains.declare import all_headers, spelled
from porter.harness.toolchains.records import BuildFailed, Built, NotAvailable

torch = pytest.importorskip("torch")

_COMPILER = find_amd_compiler()
needs_zig = pytest.mark.skipif(
    isinstance(_COMPILER, NotAvailable) or _COMPILER.kind == "rocm",
    reason="needs the compiler of the ziglang package",
)


def test_headers_are_what_the_tables_say() -> None:
    stale = [h.path for h in all_headers() if (MINIMAL_HEADERS / h.path).read_text() != h.text]
    assert stale == [], "run python -m porter.harness.toolchains.declare"


def test_names_are_spelled_out() -> None:
    assert list(spelled("hipblas{S,Sc=C}nrm2")) == [("hipblasSnrm2", "S"), ("hipblasScnrm2", "C")]
    assert list(spelled("ncclSend")) == [("ncclSend", "S")]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        # Signatures as the libraries' reference pages give them.
        (
            "hipblas/hipblas.h",
            "hipblasStatus_t hipblasCherk(hipblasHandle_t, hipblasFillMode_t, hipblasOperation_t, int, int, "
            "const float*, const hipFloatComplex*, int, const float*, hipFloatComplex*, int);",
        ),
        (
            "hipblas/hipblas.h",
            "hipblasStatus_t hipblasSdotStridedBatched_64(hipblasHandle_t, int64_t, const float*, int64_t, "
            "hipblasStride, const float*, int64_t, hipblasStride, int64_t, float*);",
        ),
        (
            "hipblas/hipblas.h",
            "hipblasStatus_t hipblasDtrsmBatched(hipblasHandle_t, hipblasSideMode_t, hipblasFillMode_t, "
            "hipblasOperation_t, hipblasDiagType_t, int, int, const double*, const double* const*, int, "
            "double* const*, int, int);",
        ),
        (
            "rccl/rccl.h",
            "ncclResult_t ncclAllReduce(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, "
            "hipStream_t);",
        ),
        ("hip/hiprtc.h", "const char* hiprtcGetErrorString(hiprtcResult);"),
    ],
)
def test_prototypes(path: str, line: str) -> None:
    assert f"\n{line}\n" in (MINIMAL_HEADERS / path).read_text()


LIBRARIES = """
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipfft/hipfft.h>
#include <hiprand/hiprand_kernel.h>
#include <hipsparse/hipsparse.h>
#include <hipsolver/hipsolver.h>
#include <rccl/rccl.h>
#include <hip/hiprtc.h>
#include <hip/hip_fp8.h>
#include <roctracer/roctx.h>

void host(hipblasHandle_t h, hipsparseHandle_t sp, hipsolverDnHandle_t so, ncclComm_t c, float* a, int* n) {
  float one = 1;
  hipblasSgemm(h, HIPBLAS_OP_N, HIPBLAS_OP_T, 1, 2, 3, &one, a, 1, a, 2, &one, a, 3);
  hipblasGemmEx(h, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 2, 3, &one, a, HIP_R_16F, 1, a, HIP_R_16F, 1, &one, a,
                HIP_R_32F, 1, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT);
  hipfftHandle p;
  hipfftPlan1d(&p, 8, HIPFFT_C2C, 1);
  hipfftExecR2C(p, a, reinterpret_cast<hipfftComplex*>(a));
  hiprandGenerator_t g;
  hiprandCreateGenerator(&g, HIPRAND_RNG_PSEUDO_DEFAULT);
  hipsparseSpMatDescr_t m;
  hipsparseDnVecDescr_t v;
  hipsparseCreateCsr(&m, 1, 2, 3, n, n, a, HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_32I,
                     HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F);
  hipsparseSpMV(sp, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, m, v, &one, v, HIP_R_32F,
                HIPSPARSE_SPMV_ALG_DEFAULT, a);
  hipsolverDnSpotrf(so, HIPSOLVER_FILL_MODE_LOWER, 1, a, 1, a, 1, n);
  ncclAllReduce(a, a, 1, ncclFloat, ncclSum, c, 0);
  hiprtcProgram r;
  hiprtcCreateProgram(&r, "", "x", 0, nullptr, nullptr);
  roctxRangePushA("x");
}

__global__ void random(hiprandState_t* states, hiprandStatePhilox4_32_10_t* more, float* x) {
  hiprand_init(1234ull, threadIdx.x, 0, &states[threadIdx.x]);
  hiprand_init(1234ull, threadIdx.x, 0, &more[threadIdx.x]);
  const float4 four = hiprand_normal4(&more[threadIdx.x]);
  x[threadIdx.x] = hiprand_uniform(&states[threadIdx.x]) + hiprand_normal(&states[threadIdx.x]) + four.x;
}
__global__ void small(__hip_fp8_e4m3_fnuz* a, __hip_fp8x4_e5m2* b, float* x, float4* y) {
  a[0] = __hip_fp8_e4m3_fnuz(x[0]);
  x[1] = float(a[1]);
  b[0] = __hip_fp8x4_e5m2(y[0]);
  y[1] = float4(b[1]);
  x[2] = __hip_cvt_float_to_fp8(x[3], __HIP_SATFINITE, __HIP_E4M3);
}
"""

PRIMITIVES = """
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/system/hip/execution_policy.h>

struct Twice { __host__ __device__ float operator()(float a) const { return 2 * a; } };

template <int B>
__global__ void blocks(float* x, int* keys) {
  using Reduce = hipcub::BlockReduce<float, B>;
  using Scan = hipcub::BlockScan<int, B>;
  using Sort = hipcub::BlockRadixSort<int, B, 4, int>;
  using Load = hipcub::BlockLoad<int, B, 4, hipcub::BLOCK_LOAD_TRANSPOSE>;
  using Store = hipcub::BlockStore<int, B, 4, hipcub::BLOCK_STORE_TRANSPOSE>;
  using Warp = hipcub::WarpReduce<float, 32>;
  __shared__ union { typename Reduce::TempStorage r; typename Scan::TempStorage s;
                     typename Sort::TempStorage q;
                     typename Warp::TempStorage w[B / 32]; typename Load::TempStorage l;
                     typename Store::TempStorage o; } t;
  float v = Reduce(t.r).Reduce(x[threadIdx.x], hipcub::Max());
  __syncthreads();
  v += Warp(t.w[threadIdx.x / 32]).Sum(v);
  int key[4], value[4], total;
  Load(t.l).Load(keys, key);
  __syncthreads();
  Sort(t.q).Sort(key, value);
  __syncthreads();
  Scan(t.s).ExclusiveSum(key, key, total);
  __syncthreads();
  Store(t.o).Store(keys, key);
  x[threadIdx.x] = v + total;
}

void host(float* x, int n, int* keys, hipStream_t s) {
  size_t bytes = 0;
  hipcub::DeviceReduce::Sum(nullptr, bytes, x, x, n, s);
  hipcub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, keys, x, x, n);
  thrust::fill(thrust::hip::par.on(s), x, x + n, 0.f);
  thrust::device_vector<float> d(n, 1.0f), e = d;
  thrust::host_vector<float> h = d;
  thrust::transform(d.begin(), d.end(), e.begin(), Twice());
  thrust::transform(d.begin(), d.end(), e.begin(), d.begin(), thrust::plus<float>());
  thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<float>());
  float sum = thrust::reduce(d.begin(), d.end(), 0.0f, thrust::plus<float>());
  auto z = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), e.begin()));
  (void)z;
  h[0] = d[0] + sum;
  float* raw = thrust::raw_pointer_cast(d.data());
  blocks<128><<<1, 128, 0, s>>>(raw, keys);
}
"""


def build(tmp_path: Path, text: str) -> Built | BuildFailed | NotAvailable:
    source = tmp_path / "k.hip"
    source.write_text(text)
    return build_hip(source, "gfx942")


@needs_zig
@pytest.mark.parametrize(
    ("text", "kernels", "named"),
    [
        (LIBRARIES, ["random", "small"], "hipblas/hipblas.h, hipfft/hipfft.h, hiprand/hiprand.h"),
        (PRIMITIVES, ["blocks"], "hipcub/hipcub.hpp"),
    ],
    ids=["libraries", "primitives"],
)
def test_uses_build_and_the_evidence_says_so(
    tmp_path: Path, text: str, kernels: list[str], named: str
) -> None:
    result = build(tmp_path, text)
    assert isinstance(result, Built), result
    assert [k.name for k in result.kernels] == kernels
    assert named in result.evidence.tools["headers"].partition("porter minimal")[2]


@needs_zig
def test_a_wrong_call_is_rejected(tmp_path: Path) -> None:
    result = build(
        tmp_path,
        "#include <hipblas/hipblas.h>\nvoid f(hipblasHandle_t h, float* a) {\n  hipblasSgemm(h, a);\n}\n",
    )
    assert isinstance(result, BuildFailed)
    assert result.diagnostics[0].span.line == 3


STUB = """
#pragma once
#define __device__
#define __host__
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct __half_raw { float data; };
struct __half { float v; __half(float f) : v(f) {} operator float() const { return v; } };
struct __hip_bfloat16_raw { unsigned short x; };
struct __hip_bfloat16 { float v; __hip_bfloat16(float f) : v(f) {} operator float() const { return v; } };
"""
CONVERT = """
#define _Float16 float
#include <hip/hip_fp8.h>
#include <cstdio>
int main(int, char** argv) {
  const auto kind = static_cast<__hip_fp8_interpretation_t>(argv[1][0] - '0');
  float value;
  while (fread(&value, 4, 1, stdin) == 1) putchar(__hip_cvt_float_to_fp8(value, __HIP_SATFINITE, kind));
  for (int code = 0; code < 256; ++code) {
    value = porter_fp8::decode(static_cast<unsigned char>(code), kind);
    fwrite(&value, 4, 1, stdout);
  }
}
"""


@pytest.fixture(scope="module")
def converter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header's conversions as a program on the CPU, behind stubs of the headers it includes."""
    compiler = shutil.which("clang++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    folder = tmp_path_factory.mktemp("fp8")
    (folder / "hip").mkdir()
    for name in ("hip_runtime.h", "hip_fp16.h", "hip_bf16.h"):
        (folder / "hip" / name).write_text('#include "stub.h"\n')
    (folder / "hip" / "stub.h").write_text(STUB)
    shutil.copy(MINIMAL_HEADERS / "hip" / "hip_fp8.h", folder / "hip")
    (folder / "main.cpp").write_text(CONVERT)
    subprocess.run(
        [
            compiler,
            "-std=c++17",
            "-O1",
            f"-I{folder}",
            str(folder / "main.cpp"),
            "-o",
            str(folder / "convert"),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "convert"


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (0, torch.float8_e4m3fn),
        (1, torch.float8_e5m2),
        (2, torch.float8_e4m3fnuz),
        (3, torch.float8_e5m2fnuz),
    ],
    ids=["e4m3", "e5m2", "e4m3_fnuz", "e5m2_fnuz"],
)
def test_8_bit_floats_convert_as_in_torch(converter: Path, kind: int, dtype: torch.dtype) -> None:
    every = torch.arange(256, dtype=torch.uint8).view(dtype).to(torch.float32).numpy()
    largest = float(torch.finfo(dtype).max)
    rng = np.random.default_rng(1)
    exact = every[np.isfinite(every)]
    midpoints = (np.sort(exact)[1:] + np.sort(exact)[:-1]) / 2
    random = rng.uniform(-1, 1, 4000) * largest * 2.0 ** rng.integers(-24, 1, 4000)
    values = np.concatenate([exact, midpoints, random]).astype(np.float32)
    printed = subprocess.run(
        [str(converter), str(kind)], input=values.tobytes(), capture_output=True, check=True
    ).stdout
    codes = np.frombuffer(printed[: len(values)], np.uint8)
    assert np.array_equal(np.frombuffer(printed[len(values) :], np.float32), every, equal_nan=True)
    want = torch.from_numpy(values).clamp(-largest, largest).to(dtype).view(torch.uint8).numpy()
    assert np.array_equal(codes, want)
    over = np.array([np.inf, -np.inf, 2 * largest], np.float32)
    printed = subprocess.run([str(converter), str(kind)], input=over.tobytes(), capture_output=True).stdout
    assert [every[c] for c in printed[:3]] == [largest, -largest, largest]
