// WMMA as plain code for one lane: a lane holds the rows and the column of its own elements of the result.
//
// CUDA leaves open which lane holds which element of a fragment. Here element i of the result in a lane is in
// column `lane % N` and row `lane / N + i * (32 / N)`; the lane has those rows of the left factor, and that
// column of the right one, whole.
#pragma once
#include "cuda_fp16.h"
#include "cuda_bf16.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

template <typename T> struct held { typedef T type; };
template <> struct held<precision::tf32> { typedef float type; };
template <typename T> struct summed { typedef T type; };
template <> struct summed<__half> { typedef float type; };  // more exact than it has to be
template <typename T> struct multiplied { typedef float type; };
template <> struct multiplied<signed char> { typedef int type; };
template <> struct multiplied<unsigned char> { typedef int type; };
template <> struct multiplied<double> { typedef double type; };

template <typename Layout> struct is_by_rows { static constexpr bool value = true; };
template <> struct is_by_rows<col_major> { static constexpr bool value = false; };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment;

template <int M, int N, int K, typename T, typename Layout>
struct fragment<matrix_a, M, N, K, T, Layout> {
    static constexpr int num_elements = M * N / 32 * K;
    typename held<T>::type x[M * N / 32 * K];
};
template <int M, int N, int K, typename T, typename Layout>
struct fragment<matrix_b, M, N, K, T, Layout> {
    static constexpr int num_elements = K;
    typename held<T>::type x[K];
};
template <int M, int N, int K, typename T>
struct fragment<accumulator, M, N, K, T, void> {
    static constexpr int num_elements = M * N / 32;
    typename summed<T>::type x[M * N / 32];
};

__device__ inline int lane_of_warp() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& value) {
    for (int i = 0; i < fragment<Use, M, N, K, T, Layout>::num_elements; ++i) f.x[i] = value;
}

template <int M, int N, int K, typename T, typename Layout, typename S>
__device__ inline void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout>& f, const S* p, unsigned ldm) {
    const int row = lane_of_warp() / N, ld = ldm;
    for (int i = 0; i < M * N / 32; ++i)
        for (int k = 0; k < K; ++k)
            f.x[i * K + k] = is_by_rows<Layout>::value ? p[(row + i * (32 / N)) * ld + k]
                                                       : p[k * ld + row + i * (32 / N)];
}
template <int M, int N, int K, typename T, typename Layout, typename S>
__device__ inline void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout>& f, const S* p, unsigned ldm) {
    const int column = lane_of_warp() % N, ld = ldm;
    for (int k = 0; k < K; ++k) f.x[k] = is_by_rows<Layout>::value ? p[k * ld + column] : p[column * ld + k];
}
template <int M, int N, int K, typename T, typename S>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const S* p, unsigned ldm,
                                        layout_t layout) {
    const int row = lane_of_warp() / N, column = lane_of_warp() % N, ld = ldm;
    for (int i = 0; i < M * N / 32; ++i)
        f.x[i] = layout == mem_row_major ? p[(row + i * (32 / N)) * ld + column]
                                         : p[column * ld + row + i * (32 / N)];
}
template <int M, int N, int K, typename T, typename S>
__device__ inline void store_matrix_sync(S* p, const fragment<accumulator, M, N, K, T>& f, unsigned ldm,
                                         layout_t layout) {
    const int row = lane_of_warp() / N, column = lane_of_warp() % N, ld = ldm;
    for (int i = 0; i < M * N / 32; ++i) {
        if (layout == mem_row_major) p[(row + i * (32 / N)) * ld + column] = f.x[i];
        else p[column * ld + row + i * (32 / N)] = f.x[i];
    }
}

template <int M, int N, int K, typename A, typename B, typename LA, typename LB, typename C, typename D>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LA>& a,
                                const fragment<matrix_b, M, N, K, B, LB>& b,
                                const fragment<accumulator, M, N, K, C>& c) {
    typedef typename multiplied<A>::type T;
    for (int i = 0; i < M * N / 32; ++i) {
        d.x[i] = c.x[i];
        for (int k = 0; k < K; ++k) d.x[i] += (T)a.x[i * K + k] * (T)b.x[k];
    }
}

__device__ inline float __float_to_tf32(float x) { return x; }

}  // namespace wmma
}  // namespace nvcuda
