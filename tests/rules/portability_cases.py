"""Of rules on what does not carry over as it stands."""

from __future__ import annotations

from tests.rules.cases import Cases, K

PORTABILITY: dict[str, Cases] = {
    "WAV001": Cases(
        finds=(
            (K + "int l = threadIdx.x & 31; }", (1, 44)),
            ("constexpr int kW = 32;\n" + K + "__shared__ int s[kW]; s[threadIdx.x / kW] = n; }", (2, 36)),
            (K + "n = __shfl_sync(0xffffffff, n, 0); }", (1, 52)),
        ),
        noop=(
            K + "int l = threadIdx.x % 64; }",
            K + "p[threadIdx.x] = p[31] + 32; }",
            "int f(int i) { return i % 32; }",
            K + "__shared__ int s[256]; s[threadIdx.x] = n; }",
            "// threadIdx.x % 32\n",
        ),
    ),
    "WAV002": Cases(
        finds=(
            ("int f() { cudaDeviceProp p; return p.warpSize; }", (1, 38)),
            ("int f(cudaDeviceProp* p) { return 4 * p->warpSize; }", (1, 42)),
        ),
        noop=(
            K + "p[0] = warpSize; }",
            "// p.warpSize\n",
            'const char* s = "p.warpSize";',
            "struct S { int warpSize; };",
            "int warpSize = 32;",
        ),
    ),
    "SYN001": Cases(
        finds=(
            (K + "volatile int* s = p; s[0] += s[1]; }", (1, 36)),
            ("__device__ void r(volatile float* s, int t) { s[t] += s[t + 16]; }", (1, 19)),
            (K + "\n volatile __shared__ int s[64]; s[n] = 1; }", (2, 2)),
        ),
        noop=(
            K + "volatile int* s = p; s[0] += s[1]; __syncwarp(); }",
            "void f(volatile int* s) { s[0] = 1; }",
            K + 'asm volatile("" ::: "memory"); }',
            K + "volatile int x = n; p[0] = x * 2; }",
            K + "__shared__ int s[32]; s[n] = 1; __syncthreads(); }",
            "// volatile int* s\n",
        ),
    ),
    "SYN002": Cases(
        finds=(
            (K + "while (atomicCAS(p, 0, 1) != 0); }", (1, 36)),
            (K + "while (atomicExch(p, 1)) {} }", (1, 36)),
        ),
        noop=(
            K + "while (n) { atomicCAS(p, 0, 1); } }",
            K + "do { } while (n--); }",
            K + "int old = atomicCAS(p, 0, 1); }",
            "void f(int* p) { while (atomicCAS(p, 0, 1) != 0); }",
            K + "while (n > 0) n--; }",
            K + "int o, a = *p; do { o = a; a = atomicCAS(p, o, o + 1); } while (a != o); }",
        ),
    ),
    "SYN003": Cases(
        finds=(
            (K + "if (threadIdx.x < 32) { p[0] = 1; __syncthreads(); } }", (1, 70)),
            (K + "if (n && threadIdx.y == 0) { __syncthreads(); } }", (1, 65)),
        ),
        noop=(
            K + "if (threadIdx.x < 32) { p[0] = 1; } __syncthreads(); }",
            K + "if (n > 4) { __syncthreads(); } }",
            K + "if (blockIdx.x == 0) { __syncthreads(); } }",
            K + "for (int i = 0; i < n; i++) { __syncthreads(); } }",
            K + "if (threadIdx.x == 0) p[0] = 1; __syncthreads(); }",
            "void f() { if (threadIdx) { __syncthreads(); } }",
        ),
    ),
    "MEM001": Cases(
        finds=(
            (K + "p[0] = tex1Dfetch<int>(t, n); }", (1, 43)),
            (K + "float v = tex2D(t, 0.5f, 0.5f); }", (1, 46)),
            ("texture<float, 1, cudaReadModeElementType> t;", (1, 1)),
            (K + "surf2Dwrite(n, s, 4, 0); }", (1, 36)),
            ("void f() { cudaMallocMipmappedArray(&a, &d, e, 3); }", (1, 12)),
        ),
        noop=(
            "cudaTextureObject_t t;",
            "void f(cudaTextureDesc d) { d.readMode = cudaReadModeElementType; }",
            K + "p[0] = o.tex2D(n); }",
            "int texture = 3;",
            "cudaMipmappedArray_t a;",
            "// tex2D(t, x, y)\n",
            "float tex = 1, tex1 = 2;",
        ),
    ),
    "MEM002": Cases(
        finds=(
            (K + "__shared__ float s[160][128]; }", (1, 36)),
            ("#define N 256\n" + K + "__shared__ double s[N * N]; }", (2, 36)),
            ("void f(int* p) { k<<<1, 64, 96 * 1024>>>(p); }", (1, 18)),
            ("void f(int* p) { const int b = 80 << 10; k<<<1, 64, b>>>(p); }", (1, 42)),
        ),
        noop=(
            K + "__shared__ float s[64][128]; }",
            K + "extern __shared__ float s[]; }",
            K + "float s[160][128]; }",
            "template <int N> __global__ void k() { __shared__ float s[N]; }",
            "void f(int* p, int b) { k<<<1, 64, b>>>(p); }",
            "void f(int* p) { k<<<1, 64, 48 * 1024>>>(p); }",
        ),
    ),
    "MEM003": Cases(
        finds=((K + "__pipeline_memcpy_async(p, p + 1, 4); }", (1, 36)),),
        noop=(K + "memcpy(p, p + 1, 4); }", "void __pipeline(int);", "// __pipeline_commit()\n"),
    ),
    "LCH001": Cases(
        finds=(
            (K + "k<<<1, 1>>>(p, n); }", (1, 36)),
            ("__device__ void f(int* p) { k<<<1, 1>>>(p); }", (1, 29)),
        ),
        noop=(
            "void f(int* p) { k<<<1, 1>>>(p); }",
            "__host__ __device__ void f(int* p) { k<<<1, 1>>>(p); }",
            "#define RUN(p) k<<<1, 1>>>(p)\n",
            K + "// k<<<1, 1>>>(p, n)\n }",
        ),
    ),
    "LCH002": Cases(
        finds=(
            ("void f() { k<<<1, 2048>>>(); }", (1, 12)),
            ("void f() { dim3 b(32, 32, 2); k<<<1, b>>>(); }", (1, 31)),
            ("void f() { k<<<1, 96>>>(); }", (1, 12)),
        ),
        noop=(
            "void f() { k<<<1, 256>>>(); }",
            "void f() { k<<<1, 32>>>(); }",
            "void f() { k<<<1, 1>>>(); }",
            "void f(int n) { k<<<1, n>>>(); }",
            "void f() { k<<<1, dim3(32, 32)>>>(); }",
        ),
    ),
    "LCH003": Cases(
        finds=(("__global__ void __cluster_dims__(2, 1, 1) k() {}", (1, 17)),),
        noop=("__global__ void __launch_bounds__(2) k() {}", "int cluster_dims;", "// __cluster_dims__(2)\n"),
    ),
    "API010": Cases(
        finds=(
            ("int f() { cudaDeviceProp p; return p.major < 7; }", (1, 38)),
            ("int f(cudaDeviceProp* p) { return p->minor >= 5; }", (1, 38)),
        ),
        noop=(
            "int f() { cudaDeviceProp p; return p.clockRate; }",
            "int f(Version v) { return v.major < 7; }",
            'void f(cudaDeviceProp p) { printf("%d", p.major); }',
            "int major = 7; bool b = major < 8;",
        ),
    ),
    "API011": Cases(
        finds=(
            ("int f() { cudaDeviceProp p; return p.gpuPciDeviceID; }", (1, 38)),
            ("int f(cudaDeviceProp p) { return p.deviceOverlap; }", (1, 36)),
        ),
        noop=(
            "int f(cudaDeviceProp p) { return p.sharedMemPerBlock; }",
            "int f(cudaDeviceProp p, Other q) { return q.deviceOverlap; }",
            "struct S { int deviceOverlap; };",
        ),
    ),
    "API012": Cases(
        finds=((K + "p[0] = clock64(); }", (1, 43)), (K + "p[0] = (int)clock(); }", (1, 48))),
        noop=("long f() { return clock(); }", K + "p[0] = t.clock(); }", K + "int clock = n; }"),
    ),
    "API014": Cases(
        finds=(
            ("void f(unsigned int* a, size_t* b) { cuMemGetInfo(a, b); }", (1, 38)),
            ("void f() { size_t a; unsigned b; CHECK(cudaMemGetInfo(&a, &b)); }", (1, 40)),
            ("void f(int *a) { cudaMemGetInfo(a, 0); }", (1, 18)),
        ),
        noop=(
            "void f(size_t* a, unsigned long* b) { cuMemGetInfo(a, b); }",
            "void f() { size_t a, b; cudaMemGetInfo(&a, &b); }",
            "void f(unsigned* a) { size_t b; cudaMemGetInfo((size_t*)a, &b); }",
            "void f() { cudaMemGetInfo(&m.free, &m.total); int free; }",
        ),
    ),
    "LIB002": Cases(
        finds=(
            (K + "wmma::fragment<wmma::matrix_a, 16, 16, 16, half> f; }", (1, 36)),
            (K + "nvcuda::wmma::fill_fragment(f, 0.f); }", (1, 44)),
        ),
        noop=("#include <mma.h>\n", "int wmma = 1;", "// wmma::mma_sync(c, a, b, c)\n"),
    ),
    "LIB003": Cases(
        finds=(
            ("void f(nvmlDevice_t d) {}", (1, 8)),
            ("int x;\nvoid f() { nvmlInit(); }", (2, 12)),
            ("int m = NVML_SUCCESS;", (1, 9)),
        ),
        noop=(
            "// nvmlInit\n",
            "cudnnHandle_t h;",
            'const char* s = "nvmlInit";',
            "int cudnn = 0;",
            "void use_cudnn();",
        ),
    ),
    "LIB004": Cases(
        finds=(
            ('void f() { cuModuleLoad(&m, "k.ptx"); }', (1, 29)),
            ('void f() { nvrtcCompileProgram(p, 1, o); const char* o[] = {"-arch=sm_80"}; }', (1, 61)),
        ),
        noop=(
            'const char* s = "k.ptx";',
            "void f() { cuModuleLoad(&m, name); }",
            'void f() { cuModuleLoad(&m, "k.hsaco"); }',
            '// cuModuleLoad(&m, "k.ptx")\n',
        ),
    ),
}
