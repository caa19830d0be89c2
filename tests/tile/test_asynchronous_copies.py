"""Asynchronous copies to shared memory are the copies they stand for."""

import numpy as np

from tests.tile.run_text import run

X = (np.arange(256, dtype=np.float32) * 37) % 101


def test_a_pipeline_of_stages():
    source = """#include <cuda/pipeline>
    __global__ void k(const float* x, float* out, int stages) {
        __shared__ float tile[2][64];
        const auto size = cuda::aligned_size_t<alignof(float)>(sizeof(float));
        cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
        float total = 0;
        for (int s = 0; s < stages; s++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[s % 2][threadIdx.x], &x[64 * s + threadIdx.x], size, pipe);
            pipe.producer_commit();
            pipe.consumer_wait();
            __syncthreads();
            total = total * 2 + tile[s % 2][63 - threadIdx.x];
            pipe.consumer_release();
            __syncthreads();
        }
        out[threadIdx.x] = total;
    }"""
    expected = np.zeros(64, np.float32)
    for row in X.reshape(4, 64):
        expected = expected * 2 + row[::-1]
    assert np.array_equal(run(source, X, np.zeros(64, np.float32), 4, grid=(1, 1, 1))[1], expected)


def test_the_primitives_fill_up_with_zeros():
    source = """#include <cuda_pipeline.h>
    __global__ void k(const float4* x, float4* out) {
        __shared__ float4 tile[32];
        __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[threadIdx.x] = tile[31 - threadIdx.x];
    }
    __global__ void zeros(const float* x, float* out) {
        __shared__ float tile[128];
        __pipeline_memcpy_async(&tile[4 * threadIdx.x], &x[4 * threadIdx.x], 16, threadIdx.x == 31 ? 8 : 0);
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < 4; j++) out[4 * threadIdx.x + j] = tile[4 * threadIdx.x + j];
    }"""
    launch = {"grid": (1, 1, 1), "block": (32, 1, 1)}
    got = run(source, X[:128], np.zeros(128, np.float32), **launch)[1]
    assert np.array_equal(got, X[:128].reshape(32, 4)[::-1].ravel())
    expected = X[:128].copy()
    expected[-2:] = 0
    assert np.array_equal(run(source, X[:128], np.ones(128, np.float32), name="zeros", **launch)[1], expected)


def test_a_copy_of_a_group():
    source = """#include <cooperative_groups.h>
    #include <cooperative_groups/memcpy_async.h>
    namespace cg = cooperative_groups;
    __global__ void k(const float* x, float* out, int n) {
        __shared__ float tile[128];
        auto block = cg::this_thread_block();
        cg::memcpy_async(block, tile, x, n * sizeof(float));
        cg::wait(block);
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tile[n - 1 - i];
    }"""
    for n in (0, 1, 100, 128):
        expected = np.zeros(128, np.float32)
        expected[:n] = X[:n][::-1]
        assert np.array_equal(run(source, X, np.zeros(128, np.float32), n, grid=(1, 1, 1))[1], expected)
