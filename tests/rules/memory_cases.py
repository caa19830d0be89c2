"""Of rules on memory, launches and numerics."""

from __future__ import annotations

from tests.rules.cases import Cases, K

SIZE = "cudaFuncAttributeMaxDynamicSharedMemorySize"
MEMORY: dict[str, Cases] = {
    "MEM004": Cases(
        finds=((K + "n = __ldcs(p); }", (1, 40)), (K + "__stwt(p, n); }", (1, 36))),
        noop=(K + "n = __ldg(p); }", K + "n = o.__ldcg(p); }", "// __ldcs(p)\n"),
    ),
    "MEM005": Cases(
        finds=(("void f() { cudaMallocManaged(&p, 4); }", (1, 12)), ("__managed__ int n;", (1, 1))),
        noop=("void f() { cudaMalloc(&p, 4); }", "// __managed__\n", 'const char* s = "cudaMallocManaged";'),
    ),
    "MEM006": Cases(
        finds=(
            ("void f() { cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }", (1, 12)),
            ("void f() { g(cudaFuncAttributePreferredSharedMemoryCarveout); }", (1, 14)),
        ),
        noop=(
            "void f() { cudaDeviceGetCacheConfig(&c); }",
            "void f() { cudaDeviceSetLimit(l, 1); }",
            "// cudaFuncSetCacheConfig\n",
        ),
    ),
    "MEM007": Cases(
        finds=(("void f() { a.accessPolicyWindow.num_bytes = 3; }", (1, 14)),),
        noop=("int accessPolicyWindow;", "// a.accessPolicyWindow\n", "void f() { a.window = 3; }"),
    ),
    "MEM008": Cases(
        finds=(
            (f"void f() {{ cudaFuncSetAttribute(k, {SIZE}, 98304); }}", (1, 12)),
            (f"void f() {{ const int b = 96 << 10; cudaFuncSetAttribute(k, {SIZE}, b); }}", (1, 36)),
        ),
        noop=(
            f"void f() {{ cudaFuncSetAttribute(k, {SIZE}, 65536); }}",
            f"void f(int b) {{ cudaFuncSetAttribute(k, {SIZE}, b); }}",
            "void f() { cudaFuncSetAttribute(k, other, 98304); }",
        ),
    ),
    "LCH004": Cases(
        finds=(("__global__ void __launch_bounds__(256, 4) k() {}", (1, 43)),),
        noop=("__global__ void __launch_bounds__(256) k() {}", K + "}", "// __launch_bounds__(256, 4)\n"),
    ),
    "LCH005": Cases(
        finds=(
            (K + "}\nvoid f() { cudaFuncSetAttribute(k, a, 1); }", (2, 33)),
            (K + "}\nvoid f() { cudaFuncGetAttributes(&x, k); }", (2, 38)),
        ),
        noop=(
            K + "}\nvoid f() { cudaFuncSetAttribute((const void*)k, a, 1); }",
            "void f() { cudaFuncSetAttribute(pointer, a, 1); }",
            K + "}\nvoid f() { cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, k, 64, 0); }",
            K + "}\nvoid f() { my::cudaFuncSetAttribute(k, a, 1); }",
        ),
    ),
    "LCH006": Cases(
        finds=(
            ("void f() { k<<<1 << 23, 1024>>>(); }", (1, 12)),
            ("void f() { k<<<4194304, 1024>>>(); }", (1, 12)),
        ),
        noop=(
            "void f() { k<<<1 << 21, 1024>>>(); }",
            "void f() { k<<<dim3(65535, 65535), 1024>>>(); }",
            "void f(int n) { k<<<n, 1024>>>(); }",
        ),
    ),
    "NUM002": Cases(
        finds=((K + "float x = __fadd_rz(a, b); }", (1, 46)), (K + "double x = __dsqrt_ru(a); }", (1, 47))),
        noop=(K + "float x = __fadd_rn(a, b); }", K + "n = __float2int_rz(a); }", "// __fadd_rz\n"),
    ),
    "NUM003": Cases(
        finds=((K + "float x = __expf(a); }", (1, 46)),),
        noop=(K + "float x = expf(a); }", "float f(float a) { return __expf(a); }", "// __expf(a)\n"),
    ),
    "NUM004": Cases(
        finds=(
            ("__global__ void k(__half* s, __half v) { atomicAdd(&s[1], v); }", (1, 42)),
            ("__device__ void f(__nv_bfloat162* __restrict__ s) { atomicAdd(s + 1, v); }", (1, 53)),
        ),
        noop=(
            "__global__ void k(float* s, __half v) { atomicAdd(&s[1], __half2float(v)); }",
            "__global__ void k(__half* s) { atomicExch(s, v); }",
            "void f(__half* s) { atomicAdd(s, v); }",
        ),
    ),
    "NUM006": Cases(
        finds=(
            (K + "auto b = __float2bfloat16_rn(x); }", (1, 45)),
            (K + "auto b = make_bfloat162(x, y); }", (1, 45)),
        ),
        noop=(
            K + "auto b = __float2bfloat16(x); }",
            K + "auto b = __float2half_rn(x); }",
            "// make_bfloat162\n",
        ),
    ),
}
