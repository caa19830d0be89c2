"""Of rules on the runtime's interface, on libraries and on inline assembly."""

from __future__ import annotations

from tests.rules.cases import Cases, K

LIBRARIES: dict[str, Cases] = {
    "API015": Cases(
        finds=(("void f() { CHECK(cudaThreadSynchronize()); }", (1, 18)),),
        noop=(
            "void f() { cudaDeviceSynchronize(); }",
            'const char* s = "cudaThreadSynchronize()";',
            "void cudaThreadExit() {}\nvoid f() { cudaThreadExit(); }",
        ),
    ),
    "API016": Cases(
        finds=(
            ("#ifdef __CUDA_ARCH__\n#endif\n", (1, 8)),
            ("#if !defined(__CUDA_ARCH__)\n#endif\n", (1, 14)),
        ),
        noop=("#if __CUDA_ARCH__ >= 700\n#endif\n", "#define __CUDA_ARCH__ 1\n", "// #ifdef __CUDA_ARCH__\n"),
    ),
    "API017": Cases(
        finds=(("#ifdef __CUDACC__\n#endif\n", (1, 8)), ("#if 1\n#elif defined __NVCC__\n#endif\n", (2, 15))),
        noop=("#ifdef CUDACC\n#endif\n", "#define __CUDACC__\n", "int __NVCC__x;"),
    ),
    "API018": Cases(
        finds=((K + "__nanosleep(100); }", (1, 36)),),
        noop=("void f() { __nanosleep(1); }", "// __nanosleep(1)\n", K + "nanosleep(1); }"),
    ),
    "API019": Cases(
        finds=((K + "n = __vadd4(n, n); }", (1, 40)), (K + "n = __vabsdiffu4(n, n); }", (1, 40))),
        noop=(K + "n = __vadd8(n, n); }", K + "n = vadd4(n, n); }", "// __vadd4\n"),
    ),
    "API022": Cases(
        finds=((K + "n = __dp4a(n, n, n); }", (1, 40)),),
        noop=(
            "__device__ int __dp4a(int a, int b, int c) { return c; }\n" + K + "n = __dp4a(n, n, n); }",
            "// __dp4a\n",
            K + "n = dp4a(n, n, n); }",
        ),
    ),
    "API023": Cases(
        finds=((K + "if (n) __trap(); }", (1, 43)),),
        noop=(K + "trap(); }", "void f() { __trap(); }", "// __trap()\n"),
    ),
    "API024": Cases(
        finds=((K + "float x = __nv_sinf(y); }", (1, 46)), (K + "double x = __nv_erf(y); }", (1, 47))),
        noop=(
            K + "float x = sinf(y); }",
            'extern "C" __device__ float __nv_sinf(float);',
            K + "__nv_bfloat16 x = __nv_bfloat16(y); }",
            "// __nv_sinf(x)\n",
        ),
    ),
    "API026": Cases(
        finds=(
            ('void f() { setenv("CUDA_LAUNCH_BLOCKING", "1", 1); }', (1, 12)),
            ('const char* c = std::getenv("CUDA_CACHE_PATH");', (1, 22)),
        ),
        noop=(
            'void f() { getenv("CUDA_VISIBLE_DEVICES"); }',
            'void f() { getenv("HOME"); }',
            'void f() { getenv("MY_CUDA_PATH"); }',
            'void f() { getenv("CUDA_TOOLS_OF_MINE"); }',
            'void f() { getenv("CUDA_HOME"); }',
            'const char* s = "CUDA_LAUNCH_BLOCKING";',
        ),
    ),
    "API027": Cases(
        finds=(
            ("void f() { cudaDeviceGetAttribute(&m, cudaDevAttrComputeCapabilityMajor, 0); }", (1, 39)),
            ("void f() { cuDeviceComputeCapability(&a, &b, d); }", (1, 12)),
        ),
        noop=(
            "void f() { cudaDeviceGetAttribute(&m, cudaDevAttrWarpSize, 0); }",
            "// cuDeviceComputeCapability\n",
            "void f() { cudaDeviceGetAttribute(&m, cudaDevAttrComputeCapabilityMinor, 0); }",
            'const char* s = "cudaDevAttrComputeCapabilityMajor";',
        ),
    ),
    "LIB005": Cases(
        finds=(
            (K + "typedef cub::WarpReduce<float> W; }", (1, 49)),
            ("using W = cub::WarpScan<std::pair<int, int> >;", (1, 16)),
        ),
        noop=(
            K + "typedef cub::WarpReduce<float, 16> W; }",
            K + "typedef cub::BlockReduce<float, 256> W; }",
            "using W = mine::WarpReduce<float>; namespace cub {}",
            "// cub::WarpReduce<float>\n",
        ),
    ),
    "LIB006": Cases(
        finds=(("void f() { sort(thrust::cuda::par.on(s), a, b); }", (1, 17)),),
        noop=(
            "void f() { sort(thrust::device, a, b); }",
            "void f() { sort(thrust::hip::par.on(s), a, b); }",
            "// thrust::cuda::par\n",
        ),
    ),
    "LIB007": Cases(
        finds=(("#include <cooperative_groups/reduce.h>\n", (1, 10)),),
        noop=(
            "#include <cooperative_groups.h>\n",
            '#include "reduce.h"\n',
            "// <cooperative_groups/reduce.h>\n",
        ),
    ),
    "LIB008": Cases(
        finds=(
            ('void f() { dlopen("libnvrtc.so.12", 1); }', (1, 12)),
            ('void f() { LoadLibraryA("cudart64_12.dll"); }', (1, 12)),
        ),
        noop=(
            'void f() { dlopen("libm.so.6", 1); }',
            'void f() { dlopen("libmycuda.so", 1); }',
            'const char* s = "libcuda.so";',
        ),
    ),
    "LIB009": Cases(
        finds=(("void f() { CHECK(cudnnCreate(&h)); }", (1, 18)),),
        noop=("cudnnHandle_t h;", "// cudnnCreate(&h)\n", "void cudnnMine() {}\nvoid f() { cudnnMine(); }"),
    ),
    "PTX002": Cases(
        finds=(
            (K + 'asm volatile("mov.u32 %0, %laneid;" : "=r"(n)); }', (1, 36)),
            ('#define LANE(n) asm("mov.u32 %0, %laneid;" : "=r"(n))\n', (1, 17)),
        ),
        noop=(
            K + 'asm volatile("" ::: "memory"); }',
            'void f() { asm("nop"); }',
            '// asm("x")\n',
            K + "n = basm(n); }",
        ),
    ),
}
