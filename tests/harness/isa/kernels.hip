// One file for all checks of the executor: one compilation a GPU.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void row_softmax(const float* x, float* y, int columns)
{
    __shared__ float part[16];
    const int row = blockIdx.x, t = threadIdx.x, lane = t & 63, wave = t >> 6, waves = (blockDim.x + 63) >> 6;
    float largest = -INFINITY;
    for (int c = t; c < columns; c += blockDim.x) largest = fmaxf(largest, x[row * columns + c]);
    for (int o = 32; o; o >>= 1) largest = fmaxf(largest, __shfl_xor(largest, o));
    if (!lane) part[wave] = largest;
    __syncthreads();
    largest = part[0];
    for (int i = 1; i < waves; i++) largest = fmaxf(largest, part[i]);
    __syncthreads();
    float sum = 0;
    for (int c = t; c < columns; c += blockDim.x) sum += expf(x[row * columns + c] - largest);
    for (int o = 32; o; o >>= 1) sum += __shfl_xor(sum, o);
    if (!lane) part[wave] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < waves; i++) sum += part[i];
    for (int c = t; c < columns; c += blockDim.x) y[row * columns + c] = expf(x[row * columns + c] - largest) / sum;
}

// One value of every kind of arithmetic for each thread.
extern "C" __global__ void arithmetic(const float* a, const float* b, const int* k, float* f, double* d, int* n, long* l)
{
    const int i = threadIdx.x, total = blockDim.x;
    const float x = a[i], y = b[i];
    const int p = k[i], q = k[(i + 1) % total];
    f[0 * total + i] = x / y;
    f[1 * total + i] = sqrtf(fabsf(x));
    f[2 * total + i] = fmaf(x, y, 0.3f);
    f[3 * total + i] = rintf(x);
    f[4 * total + i] = floorf(x) + ceilf(y) + truncf(x);
    f[5 * total + i] = sinf(x);
    f[6 * total + i] = powf(fabsf(x), y);
    f[7 * total + i] = tanhf(x);
    f[8 * total + i] = (float)p;
    f[9 * total + i] = fminf(x, y) - fmaxf(x, 0.5f);
    f[10 * total + i] = (float)(_Float16)x;
    f[11 * total + i] = ldexpf(x, p & 7);
    d[0 * total + i] = (double)x / (double)y;
    d[1 * total + i] = sqrt(fabs((double)x));
    d[2 * total + i] = fma((double)x, (double)y, 0.3);
    d[3 * total + i] = exp((double)y);
    n[0 * total + i] = p / q;
    n[1 * total + i] = p % q;
    n[2 * total + i] = __popc(p) + __clz(p) + __ffs(p);
    n[3 * total + i] = (int)(((long)p * (long)q) >> 32);
    n[4 * total + i] = (p << (q & 15)) ^ ((unsigned)p >> (q & 7)) ^ (p >> 3);
    n[5 * total + i] = (int)x;
    n[6 * total + i] = (signed char)p + (unsigned char)q + (short)p;
    n[7 * total + i] = max(min(p, 1000), -1000) + __mul24(p & 0xfff, q & 0xfff);
    n[8 * total + i] = __brev(p);
    l[0 * total + i] = (long)p * q + p;
    l[1 * total + i] = ((long)p << 20) / q;
    l[2 * total + i] = ((unsigned long)p * 0x9e3779b97f4a7c15ul) >> 13;
}

extern "C" __global__ void lanes(const int* k, int* out, unsigned long* masks)
{
    const int i = threadIdx.x, total = blockDim.x;
    const int v = k[i];
    out[0 * total + i] = __shfl_down(v, 3);
    out[1 * total + i] = __shfl_up(v, 5);
    out[2 * total + i] = __shfl_xor(v, 1);
    out[3 * total + i] = __shfl_xor(v, 16);
    out[4 * total + i] = __shfl(v, (i * 7) & 63);
    out[5 * total + i] = __shfl_down(v, 1, 32);
    out[6 * total + i] = __builtin_amdgcn_readfirstlane(v);
    out[7 * total + i] = __builtin_amdgcn_mov_dpp(v, 0x111, 0xf, 0xf, true);   // row_shr:1
    out[8 * total + i] = __builtin_amdgcn_mov_dpp(v, 0x1b, 0xf, 0xf, true);    // quad_perm:[3,2,1,0]
    out[9 * total + i] = __builtin_amdgcn_update_dpp(-1, v, 0x142, 0xa, 0xf, false);  // row_bcast:15
    out[10 * total + i] = __builtin_amdgcn_ds_swizzle(v, 0x401f);              // lanes of 32, xor 16
    out[11 * total + i] = __builtin_amdgcn_ds_permute(((i + 9) & 63) * 4, v);
    out[12 * total + i] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    int odd = 0;
    if (v & 1) odd = __popcll(__ballot(1));
    out[13 * total + i] = odd;
    masks[i] = __ballot(v > 0);
}

// Divergence, early exits, a call that is not inlined, memory of a thread.
__attribute__((noinline)) __device__ int collatz(int n)
{
    int steps = 0;
    while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; steps++; }
    return steps;
}

extern "C" __global__ void divergent(const int* k, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int local[32];
    for (int j = 0; j < 32; j++) local[j] = k[(i + j) % n];
    int sum = 0;
    for (int j = 0; j < 40; j++) { sum += local[(sum + j) & 31]; local[(j * 5 + i) & 31] += j; }
    out[i] = sum + collatz(k[i]);
}

__device__ int tally[4];

extern "C" __global__ void atomics(const int* k, const float* x, unsigned* bins, float* total, int* order, double* wide)
{
    __shared__ unsigned local[16];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&local[k[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
    atomicAdd(total, x[i]);
    atomicMax(&order[0], k[i]);
    atomicMin(&order[1], k[i]);
    order[2 + atomicAdd(&tally[0], 1)] = i;
    unsafeAtomicAdd(wide, (double)k[i]);
    atomicCAS(&tally[1], 0, k[i] | 1);
}

extern "C" __global__ void narrow(const unsigned char* bytes, const short* shorts, short* out, unsigned char* last)
{
    const int i = threadIdx.x;
    out[i] = (short)(bytes[i] * 3 + shorts[i]);
    last[i] = bytes[blockDim.x - 1 - i];
}

extern "C" __global__ void dynamic_lds(const float4* x, float4* y)
{
    extern __shared__ float4 tile[];
    tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void geometry(int* out)
{
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

extern "C" __global__ void past_the_end(float* x, int n)
{
    x[threadIdx.x + n] = 1.0f;
}

extern "C" __global__ void trap(int* x)
{
    if (x[threadIdx.x] == 7) __builtin_trap();
}

typedef __attribute__((ext_vector_type(4))) short bf16x4;
typedef __attribute__((ext_vector_type(4))) float float4v;
typedef __attribute__((ext_vector_type(16))) float float16v;
typedef __attribute__((ext_vector_type(4))) double double4v;

// A is rows x 16 (or 8) row-major, B is its like transposed (columns x K), one wave.
extern "C" __global__ void mfma_bf16_16(const bf16x4* a, const bf16x4* b, float* d)
{
    const int lane = threadIdx.x, i = lane % 16, k = lane / 16;
    float4v c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a[i * 4 + k], b[i * 4 + k], c, 0, 0, 0);
    for (int r = 0; r < 4; r++) d[(4 * k + r) * 16 + i] = c[r];
}

extern "C" __global__ void mfma_bf16_32(const bf16x4* a, const bf16x4* b, float* d)
{
    const int lane = threadIdx.x, i = lane % 32, k = lane / 32;
    float16v c = {};
    c = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a[i * 2 + k], b[i * 2 + k], c, 0, 0, 0);
    for (int r = 0; r < 16; r++) d[(8 * (r / 4) + 4 * k + r % 4) * 32 + i] = c[r];
}

extern "C" __global__ void mfma_f32_16(const float* a, const float* b, float* d)
{
    const int lane = threadIdx.x, i = lane % 16, k = lane / 16;
    float4v c = {1, 2, 3, 4};
    c = __builtin_amdgcn_mfma_f32_16x16x4f32(a[i * 4 + k], b[i * 4 + k], c, 0, 0, 0);
    for (int r = 0; r < 4; r++) d[(4 * k + r) * 16 + i] = c[r];
}

extern "C" __global__ void mfma_f64_16(const double* a, const double* b, double* d)
{
    const int lane = threadIdx.x, i = lane % 16, k = lane / 16;
    double4v c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(a[i * 4 + k], b[i * 4 + k], c, 0, 0, 0);
    for (int r = 0; r < 4; r++) d[(k + 4 * r) * 16 + i] = c[r];
}

typedef __attribute__((ext_vector_type(2))) _Float16 half2v;
typedef __attribute__((ext_vector_type(2))) float float2v;

// Packed and mixed-precision arithmetic, and the instructions on bits with three operands.
extern "C" __global__ void packed(
    const half2v* a, const half2v* b, const float2v* x, const float2v* y, const unsigned* k, half2v* h, float2v* f, float* s,
    unsigned* u)
{
    const int i = threadIdx.x, total = blockDim.x;
    const half2v p = a[i], q = b[i];
    h[0 * total + i] = p + q;
    h[1 * total + i] = p * q;
    h[2 * total + i] = __builtin_elementwise_fma(p, q, p);
    h[3 * total + i] = __builtin_elementwise_max(p, q);
    h[4 * total + i] = p - q.yx;
    h[5 * total + i] = __builtin_elementwise_fma(-p, q.yx, q);
    const float2v v = x[i], w = y[i];
    f[0 * total + i] = v + w;
    f[1 * total + i] = v * w;
    f[2 * total + i] = __builtin_elementwise_fma(v, w, v);
    f[3 * total + i] = v - w.yx;
    f[4 * total + i] = v * 0.5f;
    s[0 * total + i] = fmaf((float)p.x, (float)q.y, v.x);
    s[1 * total + i] = __builtin_amdgcn_fmed3f(v.x, w.x, 0.25f);
    s[2 * total + i] = fmaxf(fmaxf(v.x, v.y), w.x);
    s[3 * total + i] = fminf(fmaxf(v.x + w.x, 0.0f), 1.0f);
    s[4 * total + i] = fabsf(v.x) * -w.y;
    const unsigned m = k[i], n = k[(i + 1) % total], o = k[(i + 2) % total];
    u[0 * total + i] = __builtin_amdgcn_perm(m, n, 0x07020501);
    u[1 * total + i] = __builtin_amdgcn_perm(m, n, 0x0c0d0908);
    u[2 * total + i] = __builtin_amdgcn_alignbit(m, n, o & 31);
    u[3 * total + i] = (m & n) | (~m & o);
    u[4 * total + i] = (m ^ n) & ~o;
    u[5 * total + i] = __builtin_amdgcn_ubfe(m, n & 15, 9);
    u[6 * total + i] = __builtin_amdgcn_sbfe(m, n & 15, 9);
    u[7 * total + i] = (m >> 16) * 3u + (n & 0xffffu);
    u[8 * total + i] = (m & 0xff00u) >> 8 | (n >> 24);
    u[9 * total + i] = max(max(m, n), o) - min(min(m, n), o);
    u[10 * total + i] = __builtin_elementwise_sub_sat(m, n);
    u[11 * total + i] = __builtin_elementwise_add_sat(m, n);
}
