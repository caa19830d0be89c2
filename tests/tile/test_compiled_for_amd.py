"""Generated modules compile ahead of time for AMD GPUs: what the interpreter lets pass may not."""

from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.harness.toolchains.records import Built
from porter.harness.toolchains.triton_aot import LauncherCall, TensorSpec, build_triton
from tests.fixtures.references import FIXTURES
from tests.tile.replay import translate_source
from tests.tile.run_text import translated

F32, I32 = TensorSpec("float32", 4096), TensorSpec("int32", 4096)

EVERYTHING = """
__global__ void control(const int* x, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    int s = 0, v = x[i]; bool odd = false;
    for (int k = 0; k < 12; k++) { if ((i + k) % 4 == 1) continue; if (k * 5 > v) break; s += k; odd = !odd; }
    while (v > 1 && s < 50) { v = v % 2 ? 3 * v + 1 : v / 2; s++; }
    do { s -= 3; } while (s > 40);
    for (int k = i; k < n; k += 97) s ^= k << 3;
    if (n > 5) { s = -s; } else { odd = true; }
    out[i] = odd ? s : ~s;
}
__global__ void warps(const int* x, int* out, int n) {
    const int t = threadIdx.x; const bool p = t < n && x[t] > 3;
    unsigned b = __ballot_sync(0xffffffff, p);
    int v = __shfl_up_sync(0xffffffff, x[t], 2, 16) + __shfl_xor_sync(0xffffffff, x[t], 5, 32);
    out[t] = v + __popc(b) + __any_sync(0xffffffff, p) + __syncthreads_count(p) + __ffs(b) + __clz(b);
}
__global__ void memory(const float* x, float* out, int* count, double scale, long long m) {
    __shared__ float s[256]; float local[4]; const int t = threadIdx.x;
    for (int j = 0; j < 4; j++) local[j] = x[t + j] * j;
    for (int j = 0; j < 6; j++) local[(t + j) % 4] += 1.0f;
    s[t] = local[0] + local[3]; __syncthreads();
    atomicAdd(&s[(t * 7) % 128], local[1]); __syncthreads();
    if (s[t] > 0) atomicMax(count, t); else atomicAdd(count + 1, 1);
    float4 q = reinterpret_cast<const float4*>(x)[t];
    out[t] = (float)(s[255 - t] * scale + m * 3) + q.x * q.w;
}
__global__ void rows(const float4* x, float4* out, int n) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n) return;
    float sum = 0.0f;
    for (int c = lane; c < n; c += 32) { const float4 v = x[row * n + c]; sum += v.x * v.y + v.z * v.w; }
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
    for (int c = lane; c < n; c += 32) {
        float4 v = x[row * n + c]; v.x *= sum; v.y -= sum; v.z += sum; v.w = sum;
        out[row * n + c] = v;
    }
}
__global__ void around(const int* x, int* out, int* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int living = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            const int at = i + dy * 7 + dx / 2 + dx % 2;
            living += at >= 0 && at < n ? x[at] * (dy < 0 ? 2 : 1) : -dx;
        }
    int k = i & 3; while (k < 9) { living ^= x[k] << k; k += 2; }
    for (unsigned d = 32; d > 1; d >>= 1) living += living / (int)d;
    if (i < n) out[i] = living;
    const int count = __syncthreads_count(living > 3);
    if (threadIdx.x == 0 && count > 0) atomicAdd(total, count);
}
__global__ void maths(const float* x, float* out, float e) {
    const float v = x[threadIdx.x];
    out[threadIdx.x] = tanhf(v) + powf(v, e) + expm1f(v) + log1pf(v) + rintf(v) + roundf(v) + cbrtf(v)
        + erff(v) + fmodf(v, 2.0f) + atan2f(v, e) + copysignf(e, v) + rsqrtf(v) + __fdividef(v, 3.0f)
        + hypotf(v, e) + acosf(v);
}
"""
CALLS = (
    LauncherCall("control", (I32, I32, 1000), (4, 1, 1), (256, 1, 1)),
    LauncherCall("warps", (I32, I32, 200), (1, 1, 1), (256, 1, 1)),
    LauncherCall("memory", (F32, F32, I32, 0.5, 7), (1, 1, 1), (256, 1, 1)),
    LauncherCall("rows", (F32, F32, 20), (3, 1, 1), (256, 1, 1)),
    LauncherCall("around", (I32, I32, I32, 1000), (4, 1, 1), (256, 1, 1)),
    LauncherCall("maths", (F32, F32, 1.5), (1, 1, 1), (256, 1, 1)),
)
FIXTURE_CALLS = {
    "row_softmax": LauncherCall("row_softmax", (F32, F32, 100), (4, 1, 1)),
    "stream_compaction": LauncherCall("compact_above", (F32, F32, I32, 0.5, 1000), (4, 1, 1), (256, 1, 1)),
    "tiled_transpose": LauncherCall("transpose", (F32, F32, 50, 40), (2, 2, 1), (32, 8, 1)),
    "csr_spmv": LauncherCall("csr_spmv", (I32, I32, F32, F32, F32, 100), (25, 1, 1), (128, 1, 1)),
}


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_every_construct_compiles(tmp_path, arch):
    translation = translated(EVERYTHING, (256, 1, 1))
    assert not translation.declined, [str(d) for _, d in translation.declined]
    built = build(translation.text, CALLS, tmp_path, arch)
    assert isinstance(built, Built), built


# `make test` builds the required fixtures as part of the main job as well.
QUICK = "stream_compaction"


@pytest.mark.parametrize(
    "fixture", [f if f == QUICK else pytest.param(f, marks=pytest.mark.slow) for f in FIXTURE_CALLS]
)
def test_fixtures_compile(tmp_path, fixture):
    source = SourceText.read(FIXTURES / fixture / "kernel.cu")
    built = build(translate_source(source, {}).text, (FIXTURE_CALLS[fixture],), tmp_path, "gfx942")
    assert isinstance(built, Built), built


def build(text: str, calls: tuple[LauncherCall, ...], directory: Path, arch: str) -> object:
    module = directory / "generated.py"
    module.write_text(text)
    return build_triton(module, calls, arch)
