"""Includes, calls, bounds, guards, pasted names, PTX, namespaces, 8-bit floats: before and after."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.hip.launch_bounds import waves_per_simd
from porter.hip.translate import HipTranslation

Port = Callable[..., str]
Translate = Callable[..., HipTranslation]
Found = Callable[..., list[tuple[str, int, int]]]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ('#include "cuda_runtime.h"\n', "#include <hip/hip_runtime.h>\n"),
        ("#include <cuda.h>\n#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
        ("#include <cuda_fp16.h> // half\n", "#include <hip/hip_fp16.h> // half\n"),
        ("#  include <cublas_v2.h>\n", "#  include <hipblas/hipblas.h>\n"),
        ("#include <device_launch_parameters.h>\nint x;\n", "int x;\n"),
        ("#include <cub/cub.cuh>\n#include <cub/block/block_reduce.cuh>\n", "#include <hipcub/hipcub.hpp>\n"),
        ("#include <nccl.h>\n", "#include <rccl/rccl.h>\n"),
        (
            "#include <thrust/system/cuda/execution_policy.h>\n",
            "#include <thrust/system/hip/execution_policy.h>\n",
        ),
        ("#include <stdio.h>\n", "#include <stdio.h>\n"),
        ("#include <thrust/device_vector.h>\n", "#include <thrust/device_vector.h>\n"),
        (
            "#ifdef A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
            "#ifdef A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
        ),
    ],
)
def test_includes(cuda: str, hip: str, translate: Translate) -> None:
    assert translate(cuda).text.decode() == hip


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("__global__ void k() {}\n", "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"),
        (
            "// Title.\n\n#include <cstdio>\n__global__ void k() {}\n",
            "// Title.\n\n#include <hip/hip_runtime.h>\n#include",
        ),
        (
            "#pragma once\n__device__ int f() { return 1; }\n",
            "#pragma once\n#include <hip/hip_runtime.h>\n__device__",
        ),
        (
            "#ifndef A_H\n#define A_H\n__device__ int f();\nvoid g() { cudaFree(0); }\n#endif\n",
            "#ifndef A_H\n#define A_H\n#include <hip/hip_runtime.h>\n__device__",
        ),
        ("/* c */\n__global__ void k() {}\n", "/* c */\n#include <hip/hip_runtime.h>\n__global__"),
        ("\xef\xbb\xbf__global__ void k() {}\r\n", "\xef\xbb\xbf#include <hip/hip_runtime.h>\r\n__global__"),
        (
            '#include <cstdio>\n#include "of_my_own.h"\n#include <cuda_runtime.h>\n__global__ void k() {}\n',
            '#include <hip/hip_runtime.h>\n#include <cstdio>\n#include "of_my_own.h"\n#include <hip/',
        ),
        (
            '#include <cstdio>\n#include <cuda_runtime.h>\n#include "of_my_own.h"\n__global__ void k() {}\n',
            "#include <cstdio>\n#include <hip/hip_runtime.h>\n#include",
        ),
    ],
)
def test_the_implicit_header_becomes_explicit(cuda: str, expected: str, translate: Translate) -> None:
    assert translate(cuda).text.decode("latin-1").startswith(expected)


@pytest.mark.parametrize(
    "header", ["cudnn_frontend.h", "nvml.h", "cupti.h", "cuda/std/optional", "cutlass/gemm.h"]
)
def test_headers_without_counterpart_are_errors(header: str, found: Found) -> None:
    assert ("LIB001", 2, 10) in found(f"#include <cuda_runtime.h>\n#include <{header}>\n")


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        (
            "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n);",
            "hipFuncSetAttribute(reinterpret_cast<const void*>(k),"
            " hipFuncAttributeMaxDynamicSharedMemorySize, n);",
        ),
        ("cudaFuncSetCacheConfig((void*)k, c);", "hipFuncSetCacheConfig((void*)k, c);"),
        (
            "cudaFuncGetAttributes(&a, k<1>);",
            "hipFuncGetAttributes(&a, reinterpret_cast<const void*>(k<1>));",
        ),
        ("cudaMemcpyToSymbol(c, h, n);", "hipMemcpyToSymbol(HIP_SYMBOL(c), h, n);"),
        ("cudaMemcpyFromSymbol(h, c, n);", "hipMemcpyFromSymbol(h, HIP_SYMBOL(c), n);"),
        ("cudaGraphInstantiate(&e, g, 0);", "hipGraphInstantiateWithFlags(&e, g, 0);"),
        ("cudaGraphInstantiate(&e, g, NULL, NULL, 0);", "hipGraphInstantiate(&e, g, NULL, NULL, 0);"),
        (
            "x = __ldcs(p + i); __stcs(p, x);",
            "x = porter_load_streaming(p + i); porter_store_streaming(p, x);",
        ),
        ("x = __ldg(&p[i]);", "x = __ldg(&p[i]);"),
        ("cudaEventCreate(&e);", "hipEventCreate(&e);"),
        ("cudaEventCreate(&e, f);", "hipEventCreateWithFlags(&e, f);"),
        ("cudaGraphInstantiate(&e, g);", "hipGraphInstantiateWithFlags(&e, g, 0);"),
        (
            "cudaMemcpyToSymbolAsync(c, h, n);",
            "hipMemcpyToSymbolAsync(HIP_SYMBOL(c), h, n, 0, hipMemcpyHostToDevice, 0);",
        ),
        (
            "x = umin(a, b); cudaExtent e = make_cudaExtent(1, 2, 3);",
            "x = min(a, b); hipExtent e = make_hipExtent(1, 2, 3);",
        ),
        ("__nanosleep(100);", "porter_nanosleep(100);"),
        ("thrust::fill(thrust::cuda::par.on(s), a, b, 0);", "thrust::fill(thrust::hip::par.on(s), a, b, 0);"),
        (
            "using B = cub::BlockReduce<int, 64>; cub::Max m;",
            "using B = hipcub::BlockReduce<int, 64>; hipcub::Max m;",
        ),
        ("using W = cub::WarpReduce<int>;", "using W = hipcub::WarpReduce<int, 32>;"),
        ("using W = cub::WarpReduce<int, 16>;", "using W = hipcub::WarpReduce<int, 16>;"),
        (
            "v = cooperative_groups::reduce(t, v, cooperative_groups::plus<float>());",
            "v = porter_cg_reduce(t, v, porter_plus<float>());",
        ),
        ("std::reduce(a, b); x.cub = 1;", "std::reduce(a, b); x.cub = 1;"),
        (
            "auto t = cooperative_groups::tiled_partition<32>(b);",
            "auto t = cooperative_groups::tiled_partition<32>(b);",
        ),
    ],
)
def test_calls_and_namespaces(cuda: str, hip: str, port: Port) -> None:
    assert port(f"void f() {{ {cuda} }}\n") == f"void f() {{ {hip} }}\n"


def test_an_alias_of_cooperative_groups(port: Port) -> None:
    text = (
        "namespace cg = cooperative_groups;\n"
        "__device__ int f(int v) { return cg::reduce(t, v, cg::greater<int>()); }\n"
    )
    assert port(text).endswith("return porter_cg_reduce(t, v, porter_greater<int>()); }\n")


def test_template_arguments_of_a_kernel_are_one_argument(port: Port) -> None:
    text = (
        "template <int A, int B> __global__ void k() {}\nvoid f() { cudaFuncSetAttribute(k<1, 2>, a, n); }\n"
    )
    assert "hipFuncSetAttribute(reinterpret_cast<const void*>(k<1, 2>), a, n)" in port(text)


@pytest.mark.parametrize("name", ["inclusive_scan", "this_cluster"])
def test_group_operations_without_counterpart(name: str, found: Found) -> None:
    assert ("API020", 1, 12) in found(f"void f() {{ cooperative_groups::{name}(b); cudaFree(0); }}\n")


def test_what_no_header_has_of_libcuxx_is_an_error(found: Found) -> None:
    assert ("LIB010", 1, 12) in found("void f() { cuda::annotated_ptr<int> a; cudaFree(0); }\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "cuda::barrier<cuda::thread_scope_block> b;",
            "porter_cuda::barrier<porter_cuda::thread_scope_block> b;",
        ),
        ("::cuda::atomic<int> a;", "::porter_cuda::atomic<int> a;"),
        ("cuda::std::atomic<int> a;", "porter_cuda::atomic<int> a;"),
        ("#define A(T) cuda::atomic<T>", "#define A(T) porter_cuda::atomic<T>"),
        ("int x = at::cuda::barrier(1);", "int x = at::cuda::barrier(1);"),
        ("int x = options.cuda;", "int x = options.cuda;"),
        ("static_assert(cuda::std::is_same_v<int, int>);", "static_assert(std::is_same_v<int, int>);"),
        ("__pipeline_commit(); f(0);", "porter_pipeline_commit(); f(0);"),
    ],
)
def test_libcuxx_is_a_header_of_porters(before: str, after: str, port: Port) -> None:
    assert port(before + "\nvoid f() { cudaFree(0); }\n") == after + "\nvoid f() { hipFree(0); }\n"


def test_headers_of_porters_travel_with_the_port(translate: Translate) -> None:
    ported = translate("#include <cuda/pipeline>\n#include <cuda/pipeline>\nvoid f() { cudaFree(0); }\n")
    assert ported.text.count(b'#include "porter_pipeline.h"\n') == 1
    assert sorted(ported.headers) == [
        "porter_atomic.h",
        "porter_barrier.h",
        "porter_copy.h",
        "porter_pipeline.h",
    ]


@pytest.mark.parametrize(
    ("threads", "blocks", "waves"),
    [
        ("256", "4", "4"),
        ("256", "1", "1"),
        ("128", "1", "1"),
        ("1024", "1", "4"),
        ("1024", "2", "8"),
        ("1024", "4", "8"),
        ("T", "2", "2"),
        ("96", "3", "2"),
    ],
)
def test_waves_per_simd(threads: str, blocks: str, waves: str) -> None:
    assert waves_per_simd(threads, blocks, {"T": "256"}) == waves


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("__launch_bounds__(256, 4)", "__launch_bounds__(256, 4)"),
        ("__launch_bounds__(1024, 2)", "__launch_bounds__(1024, 8)"),
        ("__launch_bounds__(256)", "__launch_bounds__(256)"),
        (
            "__launch_bounds__(T, B)",
            "__launch_bounds__(T, (((T) * (B) + 255) / 256 > 8 ? 8 : ((T) * (B) + 255) / 256))",
        ),
        ("__launch_bounds__(128, 2, 4)", "__launch_bounds__(128, 1)"),
    ],
)
def test_launch_bounds(cuda: str, hip: str, port: Port) -> None:
    template = "template <int T, int B> __global__ void {} k() {{}}\n"
    assert port(template.replace("{}", "@", 1).replace("{{}}", "{}").replace("@", cuda)) == template.replace(
        "{}", "@", 1
    ).replace("{{}}", "{}").replace("@", hip)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("#ifdef __CUDA_ARCH__", "#ifdef __HIP_DEVICE_COMPILE__"),
        ("#if defined(__CUDACC__)", "#if defined(__HIPCC__)"),
        ("#if __CUDA_ARCH__ >= 600", "#if defined(__HIP_DEVICE_COMPILE__)"),
        (
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600",
            "#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIP_DEVICE_COMPILE__)",
        ),
        ("#if __CUDA_ARCH__ >= 900", "#if defined(__HIP_DEVICE_COMPILE__)"),
        ("#if 1", "#if 1"),
        ("#ifdef __linux__", "#ifdef __linux__"),
    ],
)
def test_guards(cuda: str, hip: str, port: Port) -> None:
    assert port(f"{cuda}\nint x;\n#endif\n") == f"{hip}\nint x;\n#endif\n"


def test_a_newer_architecture_gives_way_to_the_fallback(port: Port, found: Found) -> None:
    text = "#if __CUDA_ARCH__ >= 800\nint x;\n#else\nint y;\n#endif\n"
    assert port(text) == "#if 0\nint x;\n#else\nint y;\n#endif\n"
    assert found("#include <cuda.h>\n" + text) == [("API030", 2, 5)]


def test_a_version_test_is_reported(found: Found) -> None:
    text = "#include <cuda.h>\n#if CUDART_VERSION >= 11000\nint x;\n#endif\n"
    assert found(text) == [("API031", 2, 5)]


def test_pasted_names_are_ported_where_every_use_is_known(port: Port) -> None:
    text = (
        "#define CALL(fn, ...) cuda##fn(__VA_ARGS__)\n"
        "void f(void** p) { CALL(Malloc, p, 16); CALL(Free, *p); }\n"
    )
    assert port(text) == text.replace("cuda##", "hip##")


@pytest.mark.parametrize(
    "text",
    [
        "#define CU(name) cu##name\n",
        "#define CALL(fn) cuda##fn()\nvoid f() { CALL(NoSuchThing); }\n",
        "#define CALL(fn) cuda##fn()\nvoid f() { CALL(ThreadSynchronize); }\n",
    ],
)
def test_pasted_names_are_refused_otherwise(text: str, found: Found, translate: Translate) -> None:
    codes = [code for code, _, _ in found("#include <cuda.h>\n" + text)]
    assert codes == ["API003"]
    assert text.splitlines()[0].encode() in translate("#include <cuda.h>\n" + text).text


@pytest.mark.parametrize(
    ("asm", "hip"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x));', "x = porter_lane_in_warp();"),
        ('asm volatile("mov.u32 %0, %laneid;" : "=r"(x));', "x = porter_lane_in_warp();"),
        ('asm("mov.u32 %0, %%lanemask_lt;" : "=r"(x));', "x = ((1u << porter_lane_in_warp()) - 1u);"),
        ('asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a[i]), "f"(b), "f"(c));', "d = fmaf(a[i], b, c);"),
        ('asm volatile("bar.sync 0;");', "__syncthreads();"),
        ('asm volatile("membar.gl;" ::: "memory");', "__threadfence();"),
        ('asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));', "d = __byte_perm(a, b, c);"),
        (
            'asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));',
            "d = porter_lop3(a, b, c, 0x96);",
        ),
        (
            'asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p + i));',
            "v = *reinterpret_cast<const float*>(p + i);",
        ),
        (
            'asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(p), "f"(v));',
            "*reinterpret_cast<float*>(p) = v;",
        ),
        (
            'asm("add.u32 %0, %1, %2;\\n\\t" "mul.lo.u32 %0, %0, %1;" : "=r"(d) : "r"(a), "r"(b));',
            "{ const auto porter_1 = a; const auto porter_2 = b; d = (porter_1) + (porter_2);"
            " d = (d) * (porter_1); }",
        ),
        (
            'asm volatile("st.release.sys.global.u8 [%1], %0;" ::"r"(value) "l"(p) : "memory");',
            "__hip_atomic_store(reinterpret_cast<unsigned char*>(p), static_cast<unsigned char>(value),"
            " __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);",
        ),
        ('asm volatile("" ::: "memory");', 'asm volatile("" ::: "memory");'),
    ],
)
def test_ptx(asm: str, hip: str, port: Port) -> None:
    assert port(f"__device__ void f() {{ {asm} }}\n") == f"__device__ void f() {{ {hip} }}\n"


@pytest.mark.parametrize(
    "asm",
    [
        'asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1};" : "=f"(d) : "r"(a));',
        'asm("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(s), "l"(g));',
        'asm("{ .reg .pred p; setp.ne.b99 p, %1, 0; }" : "=r"(d) : "r"(a));',
        'asm("addc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
        'asm("add.cc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
        'asm("no.such.thing %0;" : "=r"(d));',
        'asm("atom.shared.add.u32 %0, [%1], %2;" : "=r"(d) : "r"(s), "r"(a));',
        'asm("ld.acquire.gpu.shared.b32 %0, [%1];" : "=r"(d) : "r"(s));',
        'asm("atom.global.inc.u32 %0, [%1], %2;" : "=r"(d) : "l"(p), "r"(a));',
        'asm("mov.u32 %0, %%nosuchregister;" : "=r"(d));',
    ],
)
def test_ptx_without_translation_is_an_error_at_its_place(asm: str, translate: Translate) -> None:
    result = translate(f"__global__ void k(int* p) {{\n  {asm}\n}}\n")
    assert [(f.code, f.span.line, f.span.column) for f in result.findings] == [("PTX001", 2, 3)]
    assert list(result.declined_kernels) == ["k"]


def test_fp8_follows_the_gpu(port: Port, found: Found) -> None:
    text = "__device__ __nv_fp8_e4m3 x; __device__ int i = __NV_E4M3;\n"
    assert port(text, "gfx950") == "__device__ __hip_fp8_e4m3 x; __device__ int i = __HIP_E4M3;\n"
    assert port(text, "gfx942") == "__device__ __hip_fp8_e4m3_fnuz x; __device__ int i = __HIP_E4M3_FNUZ;\n"
    assert found(text, "gfx950") == []
    assert found(text, "gfx942") == [("NUM001", 1, 12)]


VECTOR_OPERATOR = (
    "__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }\n"
)


def test_an_element_wise_operator_gives_way_to_hips(port: Port, found: Found) -> None:
    guarded = (
        "#ifndef HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H // HIP has this operator\n" + VECTOR_OPERATOR + "#endif\n"
    )
    assert port("int x;\n" + VECTOR_OPERATOR + "int y;\n") == "int x;\n" + guarded + "int y;\n"
    compound = "inline void operator+=(int3& a, const int3& b)\n{ a.x += b.x; a.y += b.y; a.z += b.z; }\n"
    assert port(compound).count("#endif") == 1
    assert found(VECTOR_OPERATOR) == []


@pytest.mark.parametrize(
    "text",
    [
        "__device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }\n",
        "__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }\n",
        "__device__ Mine operator*(Mine a, Mine b) { return a; }\n",
        "struct V { V operator*(V b) { return b; } };\n",
        "__device__ float2 multiply(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }\n",
    ],
)
def test_other_operators_stay(text: str, port: Port, found: Found) -> None:
    assert port(text) == text
    assert found(text) == []


def test_the_half_types_of_cudas_bfloat16_header_get_their_own(translate: Translate) -> None:
    both = "#include <cuda_bf16.h>\n__global__ void k(half* p, __nv_bfloat16* q) {}\n"
    assert "#include <hip/hip_fp16.h>\n" in translate(both).text.decode()
    assert translate("#include <cuda_fp16.h>\n" + both).text.count(b"hip_fp16.h") == 1
    assert b"hip_fp16.h" not in translate(both.replace("half* p, ", "")).text


def test_an_operator_of_another_meaning_is_refused(found: Found) -> None:
    text = "__device__ float2 operator*(float2 a, float2 b)\n"
    text += "{ return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n"
    assert found(text) == [("API021", 1, 27)]


def test_a_version_as_a_number_is_an_error(found: Found) -> None:
    assert found("void f() { int v = CUDART_VERSION; cudaFree(0); }\n") == [("API031", 1, 20)]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("x[min(C - 1, i + u * blockDim.x)];", "x[porter_min(C - 1, i + u * blockDim.x)];"),
        ("unsigned int u = 3; int m = max(n, u);", "unsigned int u = 3; int m = porter_max(n, u);"),
        ("int m = min(n, 4u);", "int m = porter_min(n, 4u);"),
        ("int m = min(n, 4);", "int m = min(n, 4);"),
        ("int m = min(threadIdx.x, 4u);", "int m = min(threadIdx.x, 4u);"),
        ("float m = min(v, 1.0f * blockDim.x);", "float m = min(v, 1.0f * blockDim.x);"),
        ("int m = std::min(n, 4u);", "int m = std::min(n, 4u);"),
        ("int m = a.min(n, 4u);", "int m = a.min(n, 4u);"),
    ],
)
def test_mixed_extrema_stay_integers(cuda: str, hip: str, port: Port) -> None:
    assert port(f"__global__ void k(int n) {{ {cuda} }}\n") == f"__global__ void k(int n) {{ {hip} }}\n"


def test_host_code_keeps_its_own_min(port: Port) -> None:
    text = "void f(int n) { int m = min(n, 4u); }\n"
    assert port(text) == text


def test_bfloat16_from_a_library_header_gets_its_own(translate: Translate) -> None:
    ported = translate("#include <cublas_v2.h>\n__global__ void k(__nv_bfloat16* p) {}\n").text.decode()
    assert "#include <hip/hip_bf16.h>\n" in ported
    assert (
        translate("#include <cuda_bf16.h>\n__global__ void k(__nv_bfloat16* p) {}\n").text.count(b"bf16.h")
        == 1
    )


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("atomicAdd(h + n, h[0]);", "porter_atomic_add(h + n, h[0]);"),
        ("atomicAdd((__half2*)f, v);", "porter_atomic_add((__half2*)f, v);"),
        ("__nv_bfloat162* b; atomicAdd(&b[n], v);", "__hip_bfloat162* b; porter_atomic_add(&b[n], v);"),
        (
            "__shared__ half s[32]; atomicAdd(&s[n], v);",
            "__shared__ half s[32]; porter_atomic_add(&s[n], v);",
        ),
        ("atomicAdd(f, 1.0f);", "atomicAdd(f, 1.0f);"),
        ("atomicAdd(f + n, __half2float(h[0]));", "atomicAdd(f + n, __half2float(h[0]));"),
        ("atomicMax(f, n);", "atomicMax(f, n);"),
        ("x.atomicAdd(h, 1);", "x.atomicAdd(h, 1);"),
    ],
)
def test_atomics_on_16_bit_floats(cuda: str, hip: str, port: Port) -> None:
    text = "#include <cuda_bf16.h>\n__global__ void k(half* h, float* f, int n) { @ }\n"
    assert port(text.replace("@", cuda)).splitlines()[-1] == text.replace("@", hip).splitlines()[-1]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cuMemcpy(a, b, 4);", "hipMemcpy(a, b, 4, hipMemcpyDefault);"),
        ("cuMemcpyAsync(a, b, f(1, 2), s);", "hipMemcpyAsync(a, b, f(1, 2), hipMemcpyDefault, s);"),
        ("cuMemcpy3D(&p);", "hipDrvMemcpy3D(&p);"),
        (
            "cuOccupancyMaxPotentialBlockSize(&g, &b, k, NULL, 0, 0);",
            "hipModuleOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0);",
        ),
        ("cudaMemPrefetchAsync(p, n, d, s);", "hipMemPrefetchAsync(p, n, d, s);"),
        ("cudaMemPrefetchAsync(p, n, where, 0, s);", "hipMemPrefetchAsync_v2(p, n, where, 0, s);"),
        ("cudaStreamGetCaptureInfo(s, &a, &b);", "hipStreamGetCaptureInfo(s, &a, &b);"),
    ],
)
def test_calls_whose_arguments_change(cuda: str, hip: str, port: Port) -> None:
    assert port(f"void f() {{ {cuda} }}\n") == f"void f() {{ {hip} }}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void f() { cuOccupancyMaxPotentialBlockSize(&g, &b, k, size, 0, 0); }\n", [("API005", 1, 12)]),
        ("void f() { cudaStreamGetCaptureInfo(s, &a, &b, &g, &d, &e, &n); }\n", [("API006", 1, 12)]),
        ("void f() { cuInit(CU_CTX_SCHED_SPIN); }\n", []),
        ("void f() { cuInit(CU_TENSOR_MAP_SWIZZLE_NONE); }\n", [("API001", 1, 19)]),
    ],
)
def test_calls_that_hip_has_not(text: str, expected: list[tuple[str, int, int]], found: Found) -> None:
    assert found(text) == expected
