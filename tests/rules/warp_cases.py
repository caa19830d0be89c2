"""Of rules on warps and on synchronisation."""

from __future__ import annotations

from tests.rules.cases import Cases, K

LANE = K + "int l = threadIdx.x % 32; "
BARRIER = "{ p[i] = 1; __syncthreads(); } }"
WARPS: dict[str, Cases] = {
    "WAV003": Cases(
        finds=(
            (K + "n = __shfl_down_sync(m, n, 16); }", (1, 40)),
            ("#define S(v) __shfl_sync(0xffffffff, v, 0)\n", (1, 14)),
        ),
        noop=(
            K + "n = __shfl_down_sync(m, n, 16, 32); }",
            K + "n = t.__shfl_sync(m, n, 0); }",
            "int __shfl_sync(int m, int v, int l) { return v; }\n" + K + "n = __shfl_sync(m, n, 0); }",
            "#define S(...) __shfl_sync(m, v, __VA_ARGS__)\n",
            "// __shfl_sync(m, v, 0)\n",
        ),
    ),
    "WAV004": Cases(
        finds=(
            (K + "n = __any_sync(0xffffffff, n); }", (1, 40)),
            ("#define FULL 0xffffffffu\n" + K + "n = __shfl_sync(FULL, n, 0, 32); }", (2, 40)),
            (K + "n = __ballot_sync(~0ull, n); }", (1, 40)),
            (K + "n = __all_sync(-1, n); }", (1, 40)),
        ),
        noop=(
            K + "n = __any_sync(0xffff, n); }",
            K + "n = __any_sync(m, n); }",
            K + "n = __shfl(0xffffffff, n); }",
            "void f() { __any_sync(0xffffffff, 1); }",
            'const char* s = "__any_sync(0xffffffff, n)";',
        ),
    ),
    "WAV005": Cases(
        finds=(
            (K + "unsigned m = __ballot_sync(q, n); }", (1, 49)),
            (K + "n = __popc(__activemask()); }", (1, 47)),
        ),
        noop=(
            K + "unsigned long long m = __ballot_sync(q, n); }",
            K + "auto m = __ballot_sync(q, n); }",
            K + "n = __popcll(__ballot_sync(q, n)); }",
            K + "if (__ballot_sync(q, n)) n = 0; }",
        ),
    ),
    "WAV006": Cases(
        finds=(
            (LANE + "n = (1u << l) - 1; }", (1, 67)),
            (K + "n = 1 << (threadIdx.x & 31); }", (1, 40)),
        ),
        noop=(
            LANE + "n = (1ull << l) - 1; }",
            LANE + "n = 1u << n; }",
            K + "int l = threadIdx.x % 16; n = 1u << l; }",
            LANE + "n = 3u << l; }",
            "int f(int l) { return 1 << l; }",
        ),
    ),
    "WAV007": Cases(
        finds=(
            (K + "__shared__ int s[256 / warpSize]; s[0] = n; }", (1, 59)),
            (K + "f<warpSize>(); }", (1, 38)),
            (K + "constexpr int w = warpSize; }", (1, 54)),
            (K + "switch (n) { case warpSize: n = 0; } }", (1, 54)),
        ),
        noop=(
            K + "int w = threadIdx.x / warpSize; }",
            K + "__shared__ int s[8]; s[n / warpSize] = 1; }",
            K + "if (n < warpSize) n = 0; }",
            "struct S { int warpSize; };",
            "int f(S s) { constexpr int n = s.warpSize; }",
        ),
    ),
    "WAV008": Cases(
        finds=((K + "auto m = __activemask(); }", (1, 45)),),
        noop=("// __activemask()\n", "int f() { return __activemask(); }", K + "int __activemask = 3; }"),
    ),
    "WAV009": Cases(
        finds=((K + "auto m = __match_any_sync(q, n); }", (1, 45)),),
        noop=(K + "auto m = match_any(q, n); }", "// __match_any_sync\n", K + "t.__match_all_sync(q, n); }"),
    ),
    "WAV012": Cases(
        finds=((K + "n = __reduce_max_sync(q, n); }", (1, 40)),),
        noop=(K + "n = __reduce_sync(q, n); }", "// __reduce_add_sync\n", K + "n = cg::reduce(g, n); }"),
    ),
    "WAV013": Cases(
        finds=((K + "__syncwarp(0xff); }", (1, 36)),),
        noop=(K + "__syncwarp(); }", K + "g.__syncwarp(3); }", "// __syncwarp(3)\n"),
    ),
    "WAV014": Cases(
        finds=((K + "n = __shfl_up(n, 1); }", (1, 40)), (K + "if (__any(n)) n = 0; }", (1, 40))),
        noop=(
            K + "n = __shfl_up_sync(m, n, 1, 32); }",
            "__device__ int __any(int p) { return p; }\n" + K + "n = __any(n); }",
            K + "n = t.__all(n); }",
            "// __ballot(p)\n",
        ),
    ),
    "WAV015": Cases(
        finds=((K + "auto g = cg::coalesced_threads(); }", (1, 49)),),
        noop=(
            K + "auto g = cg::this_thread_block(); }",
            "// coalesced_threads()\n",
            "using cg::coalesced_threads;",
            "void f() { coalesced_threads(); }",
        ),
    ),
    "WAV016": Cases(
        finds=(
            (K + "auto m = (1ull << warpSize) - 1; }", (1, 46)),
            ("#define FULL (((unsigned long)1 << warpSize) - 1)\n", (1, 31)),
        ),
        noop=(
            K + "auto m = ~0ull >> (64 - warpSize); }",
            K + "auto m = 1ull << n; }",
            K + "n = 1 << warpSize_log2; }",
            K + "n = n << warpSize; }",
        ),
    ),
    "SYN004": Cases(
        finds=((K + "cg::this_grid().sync(); }", (1, 40)),),
        noop=(K + "cg::this_thread_block().sync(); }", "// this_grid()\n", "void f() { this_grid(); }"),
    ),
    "SYN005": Cases(
        finds=(
            (K + "for (int i = threadIdx.x; i < n; i += blockDim.x) " + BARRIER, (1, 98)),
            (K + "for (int i = threadIdx.x; i < 100; i += 32) " + BARRIER, (1, 92)),
            (
                K
                + "for (int i = threadIdx.x; i < 100; i += blockDim.x) "
                + BARRIER
                + "\nvoid f() { k<<<1, 64>>>(p, 1); }",
                (1, 100),
            ),
        ),
        noop=(
            K + "for (int i = 0; i < n; i += blockDim.x) " + BARRIER,
            K + "for (int i = threadIdx.x; i < 128; i += 32) " + BARRIER,
            K + "for (int i = threadIdx.x; i < n; i += blockDim.x) { p[i] = 1; } __syncthreads(); }",
            K + "for (int i = threadIdx.x; i < 256; i += blockDim.x) " + BARRIER,
            K + "for (int i = blockIdx.x; i < n; i += gridDim.x) " + BARRIER,
            "void f() { for (int i = threadIdx.x; i < n; i += 3) { __syncthreads(); } }",
        ),
    ),
}
