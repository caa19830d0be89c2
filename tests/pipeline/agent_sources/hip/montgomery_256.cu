// No fix: chains of carries (PTX). Montgomery products of numbers of 256 bits, in eight words, by multiply-adds that
// carry; then powers by squaring.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kWords = 8;

struct Number {
    uint32_t word[kWords];
};

// sums[0 … 8] += a * factor, with the carry out added to sums[9].
__device__ __forceinline__ void add_product(uint32_t (&sums)[kWords + 2], const uint32_t* a, uint32_t factor)
{
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sums[0]) : "r"(a[0]), "r"(factor));
#pragma unroll
    for (int i = 1; i < kWords; ++i)
        asm volatile("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sums[i]) : "r"(a[i]), "r"(factor));
    asm volatile("addc.cc.u32 %0, %0, 0;" : "+r"(sums[kWords]));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(sums[kWords + 1]));
    asm volatile("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sums[1]) : "r"(a[0]), "r"(factor));
#pragma unroll
    for (int i = 1; i < kWords; ++i)
        asm volatile("madc.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sums[i + 1]) : "r"(a[i]), "r"(factor));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(sums[kWords + 1]));
}

// a - b where that is not negative, else a.
__device__ __forceinline__ void reduce_once(uint32_t (&a)[kWords + 2], const uint32_t* b)
{
    uint32_t less[kWords + 1], borrow;
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(less[0]) : "r"(a[0]), "r"(b[0]));
#pragma unroll
    for (int i = 1; i < kWords; ++i)
        asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(less[i]) : "r"(a[i]), "r"(b[i]));
    asm volatile("subc.cc.u32 %0, %1, 0;" : "=r"(less[kWords]) : "r"(a[kWords]));
    asm volatile("subc.u32 %0, 0, 0;" : "=r"(borrow));
    if (borrow == 0)
        for (int i = 0; i <= kWords; ++i) a[i] = less[i];
}

__device__ __forceinline__ Number product(const Number& a, const Number& b, const Number& modulus, uint32_t inverse)
{
    uint32_t sums[kWords + 2] = {};
    for (int i = 0; i < kWords; ++i) {
        add_product(sums, a.word, b.word[i]);
        add_product(sums, modulus.word, sums[0] * inverse);
        for (int j = 0; j <= kWords; ++j) sums[j] = sums[j + 1];
        sums[kWords + 1] = 0;
    }
    reduce_once(sums, modulus.word);
    Number result;
    for (int i = 0; i < kWords; ++i) result.word[i] = sums[i];
    return result;
}

// powers[i] = bases[i] ^ exponents[i] in Montgomery's form; `one` is 2^256 modulo the modulus, an odd number, and
// `inverse` is -1 / modulus modulo 2^32. bases and one are smaller than the modulus.
__global__ void montgomery_256(const uint32_t* bases, const uint32_t* exponents, const uint32_t* modulus,
                               const uint32_t* one, uint32_t* powers, uint32_t inverse, int n)
{
    __shared__ Number shared_modulus;
    if (threadIdx.x < kWords) shared_modulus.word[threadIdx.x] = modulus[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Number base, power;
    for (int w = 0; w < kWords; ++w) base.word[w] = bases[i * kWords + w], power.word[w] = one[w];
    for (uint32_t left = exponents[i]; left != 0; left >>= 1) {
        if (left & 1) power = product(power, base, shared_modulus, inverse);
        base = product(base, base, shared_modulus, inverse);
    }
    for (int w = 0; w < kWords; ++w) powers[i * kWords + w] = power.word[w];
}

using Wide = std::vector<uint32_t>;

// (a * b) / 2^256 modulo the modulus, on the host: by 64-bit words of 32 bits.
static Wide on_host(const Wide& a, const Wide& b, const Wide& modulus, uint32_t inverse)
{
    Wide sums(kWords + 2);
    auto add = [&](const Wide& x, uint32_t factor) {
        uint64_t carry = 0;
        for (int i = 0; i < kWords; ++i) {
            carry += uint64_t(x[i]) * factor + sums[i];
            sums[i] = uint32_t(carry), carry >>= 32;
        }
        carry += sums[kWords];
        sums[kWords] = uint32_t(carry), sums[kWords + 1] += uint32_t(carry >> 32);
    };
    for (int i = 0; i < kWords; ++i) {
        add(a, b[i]);
        add(modulus, sums[0] * inverse);
        for (int j = 0; j <= kWords; ++j) sums[j] = sums[j + 1];
        sums[kWords + 1] = 0;
    }
    Wide less(kWords + 1);
    int64_t borrow = 0;
    for (int i = 0; i <= kWords; ++i) {
        const int64_t value = int64_t(sums[i]) - (i < kWords ? int64_t(modulus[i]) : 0) + borrow;
        less[i] = uint32_t(value), borrow = value >> 32;
    }
    const Wide& kept = borrow == 0 ? less : sums;
    return Wide(kept.begin(), kept.begin() + kWords);
}

int main()
{
    const int n = 70;
    Wide modulus = {0xfffffc2fu, 0xfffffffeu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};
    const Wide one = {977u, 1u, 0, 0, 0, 0, 0, 0};
    uint32_t inverse = 1;
    for (int i = 0; i < 5; ++i) inverse *= 2 - modulus[0] * inverse;
    inverse = 0u - inverse;
    std::vector<uint32_t> bases(n * kWords), exponents(n), powers(n * kWords);
    uint32_t state = 1;
    for (uint32_t& word : bases) word = (state = state * 1664525u + 1013904223u) ^ state >> 13;
    for (int i = 0; i < n; ++i) exponents[i] = i * 37 % 64;
    uint32_t *d_bases, *d_exponents, *d_modulus, *d_one, *d_powers;
    cudaMalloc(&d_bases, bases.size() * 4);
    cudaMalloc(&d_exponents, n * 4);
    cudaMalloc(&d_modulus, kWords * 4);
    cudaMalloc(&d_one, kWords * 4);
    cudaMalloc(&d_powers, powers.size() * 4);
    cudaMemcpy(d_bases, bases.data(), bases.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_exponents, exponents.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_modulus, modulus.data(), kWords * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_one, one.data(), kWords * 4, cudaMemcpyHostToDevice);
    montgomery_256<<<(n + 31) / 32, 32>>>(d_bases, d_exponents, d_modulus, d_one, d_powers, inverse, n);
    cudaMemcpy(powers.data(), d_powers, powers.size() * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        Wide power = one, base(bases.begin() + i * kWords, bases.begin() + (i + 1) * kWords);
        for (uint32_t left = exponents[i]; left != 0; left >>= 1) {
            if (left & 1) power = on_host(power, base, modulus, inverse);
            base = on_host(base, base, modulus, inverse);
        }
        for (int w = 0; w < kWords; ++w) wrong += power[w] != powers[i * kWords + w];
    }
    cudaFree(d_bases), cudaFree(d_exponents), cudaFree(d_modulus), cudaFree(d_one), cudaFree(d_powers);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
