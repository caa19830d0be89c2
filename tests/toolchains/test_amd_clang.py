"""Real builds of HIP for AMD GPUs. Each takes about two seconds of a core."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.errors import PorterError
from porter.harness.toolchains import amd_clang, amd_compiler, device_library
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.precompiled import starts_with_core_header
from porter.harness.toolchains.records import BuildFailed, BuildResult, Built, LaunchShape, NotAvailable

_COMPILER = amd_compiler.find_amd_compiler()
needs_compiler = pytest.mark.skipif(isinstance(_COMPILER, NotAvailable), reason=f"missing: {_COMPILER}")

PROGRAM = """
#include <hip/hip_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

__global__ void __launch_bounds__(256) work(const float4* in, float* out, int n) {
  __shared__ float tile[256];
  extern __shared__ float dynamic[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = i < n ? in[i] : make_float4(0, 0, 0, 0);
  tile[threadIdx.x] = expf(v.x) + rsqrtf(v.y) + tanhf(v.z) + powf(v.w, 1.5f);
  __syncthreads();
  float s = tile[255 - threadIdx.x] + dynamic[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down(s, o, 32);
  unsigned long long lanes = __ballot(s > 0);
  if (threadIdx.x % 32 == 0) atomicAdd(out, s + __popcll(lanes));
}

template <int N>
__global__ void unused(float* x) { x[0] = N; }

int main(int argc, char** argv) {
  std::vector<float> host(1024);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform;
  for (float& v : host) v = uniform(generator);
  std::sort(host.begin(), host.end());
  auto start = std::chrono::steady_clock::now();
  float *in = nullptr, *out = nullptr;
  if (hipMalloc(&in, 4096) != hipSuccess || hipMalloc(&out, 4) != hipSuccess) return 1;
  work<<<4, 256, 1024>>>(reinterpret_cast<float4*>(in), out, 256);
  std::ofstream("out.txt") << host[0] << std::string(argv[0]) << std::endl;
  printf("%f\\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}
"""


def build(tmp_path: Path, text: str, arch: str = "gfx950", **options: object) -> BuildResult:
    source = tmp_path / "k.hip"
    source.write_text(text)
    return build_hip(source, arch, **options)  # type: ignore[arg-type]


def failed(result: BuildResult) -> BuildFailed:
    assert isinstance(result, BuildFailed), result
    return result


@needs_compiler
def test_a_whole_program_becomes_a_code_object(tmp_path: Path) -> None:
    result = build(tmp_path, PROGRAM)
    assert isinstance(result, Built), result
    (kernel,) = result.kernels
    assert (kernel.name, kernel.lds_bytes, kernel.wavefront_size) == ("work", 1024, 64)
    assert kernel.max_threads_per_block == 256
    assert 0 < kernel.vgprs <= 64
    assert (kernel.vgpr_spills, kernel.scratch_bytes, kernel.waves_per_simd) == (0, 0, 8)
    assert kernel.instructions.wide >= 1
    assert kernel.instructions.barriers >= 1
    assert kernel.instructions.compare_and_swap == 0  # atomicAdd on float is one instruction
    assert str(result.evidence) == "built:gfx950"
    assert result.evidence.details["work.lds_bytes"] == 1024
    assert "22." in result.evidence.tools["clang"] or result.evidence.tools["clang"]
    assert "porter minimal" not in result.evidence.tools["headers"]
    (code,) = result.code_objects
    assert code.data[:4] == b"\x7fELF"


@needs_compiler
def test_a_second_build_is_read_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = tmp_path / "value.h"
    header.write_text("#define VALUE 1.0f\n")
    text = '#include <hip/hip_runtime.h>\n#include "value.h"\n__global__ void k(float* x) { x[0] = VALUE; }\n'
    first = build(tmp_path, text)
    with monkeypatch.context() as patch:
        patch.setattr(amd_clang, "_build", lambda *_: pytest.fail("compiled again"))
        assert build(tmp_path, text) == first
    header.write_text("#define VALUE wrong\n")
    assert "wrong" in failed(build(tmp_path, text)).diagnostics[0].message


@needs_compiler
def test_inline_ptx_is_an_error_at_its_line(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n"
        '#define LANE(l) asm volatile("mov.u32 %0, %%laneid;" : "=r"(l))\n'
        "__global__ void k(int* x) {\n"
        "  int l;\n"
        "  LANE(l);\n"
        "  x[0] = l;\n"
        "}\n"
    )
    (found,) = failed(build(tmp_path, text)).diagnostics
    assert (found.span.line, found.span.column) == (5, 3)
    assert "PTX" in found.hint


@needs_compiler
def test_static_lds_over_the_limit_of_one_gpu_only(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n"
        "__global__ void big(float* x) { __shared__ float s[20000]; s[threadIdx.x] = x[0]; __syncthreads();"
        " x[1] = s[threadIdx.x ^ 1]; }\n"
    )
    (found,) = failed(build(tmp_path, text, "gfx942")).diagnostics
    assert (found.code, found.span.line) == ("BLD903", 2)
    assert isinstance(build(tmp_path, text, "gfx950"), Built)


@needs_compiler
def test_dynamic_lds_over_the_limit(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n"
        "__global__ void k(float* x) { extern __shared__ float s[]; s[threadIdx.x] = x[0]; __syncthreads();"
        " x[1] = s[threadIdx.x ^ 1]; }\n"
    )
    fits = build(tmp_path, text, "gfx942", launches={"k": LaunchShape(256, 65536)})
    assert isinstance(fits, Built)
    assert (fits.kernels[0].waves_per_simd, fits.kernels[0].occupancy_limited_by) == (1, "lds")
    over = failed(build(tmp_path, text, "gfx942", launches={"k": LaunchShape(256, 65537)}))
    assert (over.diagnostics[0].code, over.diagnostics[0].span.line) == ("BLD903", 2)


@needs_compiler
def test_a_device_function_nobody_defines_is_not_linked(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n"
        "__device__ float elsewhere(float);\n"
        "__global__ void k(float* x) { x[0] = elsewhere(x[1]); }\n"
    )
    (found,) = failed(build(tmp_path, text)).diagnostics
    assert (found.code, found.span.line) == ("BLD904", 2)


@needs_compiler
def test_a_32_bit_mask_is_an_error_where_it_is_passed(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n\n"
        "__global__ void k(float* x) { x[0] = __shfl_sync(0xffffffffu, x[1], 0); }\n"
    )
    found = failed(build(tmp_path, text)).diagnostics[0]
    assert found.span.line == 3
    assert "64-bit" in found.message


@needs_compiler
def test_kernels_that_must_be_there(tmp_path: Path) -> None:
    result = build(tmp_path, PROGRAM, kernels=["work", "unused"])
    (found,) = failed(result).diagnostics
    assert found.code == "BLD905"
    assert "'unused'" in found.message


@needs_compiler
def test_a_missing_header_of_rocm_is_no_fault_of_the_port(tmp_path: Path) -> None:
    result = build(tmp_path, "#include <hip/hip_runtime.h>\n#include <rocprim/nowhere.hpp>\n")
    assert isinstance(result, NotAvailable)
    assert "rocprim/nowhere.hpp" in result.missing
    assert "PORTER_HIP_INCLUDE" in result.how_to_install


@needs_compiler
def test_defines_includes_and_options_reach_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "size.h").write_text("constexpr int kSize = SIZE;\n")
    text = (
        "#include <hip/hip_runtime.h>\n#include <size.h>\n"
        "__global__ void k(float* x) { __shared__ float s[kSize]; s[threadIdx.x] = x[0]; __syncthreads();"
        " x[1] = s[0] * FACTOR; }\n"
    )
    result = build(
        tmp_path,
        text,
        include_dirs=[tmp_path / "include"],
        defines=["SIZE=64"],
        options=["-DFACTOR=2.0f", "-ffast-math"],
    )
    assert isinstance(result, Built), result
    assert result.kernels[0].lds_bytes == 256


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("#include <hip/hip_runtime.h>\nint x;\n", True),
        ("// a\n\n/* b\n*/ #include <cstdio>\n# include <hip/hip_runtime.h>\n", True),
        ("#pragma once\n#include <vector>\n#include <hip/hip_runtime.h>\n", True),
        ("#define NDEBUG\n#include <hip/hip_runtime.h>\n", False),
        ('#include "mine.h"\n#include <hip/hip_runtime.h>\n', False),
        ("#if X\n#include <hip/hip_runtime.h>\n#endif\n", False),
        ("// #include <hip/hip_runtime.h>\n", False),
        ("int x;\n#include <hip/hip_runtime.h>\n", False),
        ("", False),
    ],
)
def test_where_the_core_header_may_come_precompiled(text: str, plain: bool) -> None:
    assert starts_with_core_header(text) is plain


@needs_compiler
def test_a_port_that_forgets_the_core_header_does_not_build(tmp_path: Path) -> None:
    text = "#include <cstdio>\n__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
    assert failed(build(tmp_path, text)).diagnostics


def test_an_unknown_gpu_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PorterError, match="gfx000"):
        build(tmp_path, "int x;\n", "gfx000")


def test_without_a_compiler_the_answer_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = NotAvailable("a compiler for AMD GPUs", "pip install it")
    monkeypatch.setattr(amd_clang, "find_amd_compiler", lambda: nothing)
    assert build(tmp_path, "int x;\n") == nothing


@pytest.mark.parametrize(
    ("arch", "version"),
    [("gfx90a", 9010), ("gfx942", 9402), ("gfx950", 9500), ("gfx1100", 11000), ("gfx1201", 12001)],
)
def test_versions_for_the_device_library(arch: str, version: int) -> None:
    assert device_library.isa_version(arch) == version


def test_a_folder_of_headers_must_hold_hip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTER_HIP_INCLUDE", str(tmp_path))
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    found = amd_compiler.find_amd_compiler()
    assert isinstance(found, NotAvailable)
    assert "hip" in found.missing or "compiler" in found.missing
