"""Dynamic shared memory: its size from the launch or from the caller, and several names for it."""

import numpy as np

from tests.tile.run_text import run, translated

ROTATE = """__global__ void k(float* x, int n) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x + n) % blockDim.x];
}
"""
VALUES = np.arange(192, dtype=np.float32)


def launched(shared: str) -> str:
    return ROTATE + f"void f(float* x, int n, size_t b) {{ k<<<3, 64, {shared}>>>(x, n); }}"


def rotated(by: int) -> np.ndarray:
    return np.roll(VALUES.reshape(3, 64), -by, axis=1).ravel()


def test_a_size_that_the_arguments_give_needs_no_keyword():
    source = launched("(n + 59) * sizeof(float)")
    assert np.array_equal(run(source, VALUES, 5, grid=(3, 1, 1))[0], rotated(5))
    assert "shared_bytes" not in translated(source).text


def test_a_constant_size():
    assert "s_size = 64\n" in translated(launched("64 * sizeof(float)")).text


def test_any_other_size_is_the_callers():
    for source in (launched("b"), launched("bytes_for(n)"), launched("n > 0 ? 256 : 0"), ROTATE):
        assert np.array_equal(run(source, VALUES, 7, grid=(3, 1, 1), shared_bytes=256)[0], rotated(7))


def test_a_size_of_an_unknown_type_is_the_callers():
    assert "shared_bytes // 4" in translated(launched("n * sizeof(Row)")).text


def test_launches_that_disagree_leave_it_to_the_caller():
    source = launched("256") + "void g(float* x) { k<<<1, 64, 512>>>(x, 3); }"
    assert "shared_bytes // 4" in translated(source).text
    same = launched("256") + "void g(float* x) { k<<<1, 64, 256>>>(x, 3); }"
    assert "shared_bytes" not in translated(same).text


def test_two_names_are_one_memory():
    source = """__global__ void k(float* x, int n) {
        extern __shared__ float s[];
        extern __shared__ int bits[];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        const int other = bits[(threadIdx.x + n) % 64];
        x[threadIdx.x] = __int_as_float(other ^ 0x80000000);
    }"""
    got = run(source, VALUES[:64] + 1, 9, grid=(1, 1, 1), shared_bytes=256)[0]
    assert np.array_equal(got, -np.roll(VALUES[:64] + 1, -9))


def test_parts_of_several_types_start_aligned():
    source = """__global__ void k(float* x, const int* y, int n) {
        extern __shared__ char raw[];
        float* first = (float*)raw;
        int* second = (int*)(first + n);
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (threadIdx.x < n) { first[threadIdx.x] = x[i]; second[threadIdx.x] = y[i]; }
        __syncthreads();
        if (threadIdx.x < n) x[i] = first[n - 1 - threadIdx.x] + second[(threadIdx.x + 1) % n];
    }"""
    y = np.arange(192, dtype=np.int32) * 3
    got = run(source, VALUES, y, 37, grid=(3, 1, 1), shared_bytes=37 * 8)[0].reshape(3, 64)
    x2, y2 = VALUES.reshape(3, 64), y.reshape(3, 64)
    assert np.array_equal(got[:, :37], x2[:, 36::-1] + np.roll(y2[:, :37], -1, axis=1))
    assert np.array_equal(got[:, 37:], x2[:, 37:])
    assert "triton.cdiv(shared_bytes, 16) * 16" in translated(source).text


def test_a_template_passes_the_size_on():
    source = """template <typename T> __global__ void k(T* x, int n) {
        extern __shared__ char raw[];
        T* s = reinterpret_cast<T*>(raw);
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[(threadIdx.x + n) % 64];
    }
    void f(float* x, short* y, int b) { k<<<1, 64, b>>>(x, 1); k<<<1, 64, b>>>(y, 1); }"""
    for dtype, size in ((np.float32, 4), (np.int16, 2)):
        values = np.arange(64).astype(dtype)
        assert np.array_equal(
            run(source, values, 3, grid=(1, 1, 1), shared_bytes=64 * size)[0], np.roll(values, -3)
        )


AT_FILE_SCOPE = """extern __shared__ float s[];
__shared__ float last;
__device__ float shifted(int n) { return s[(threadIdx.x + n) % blockDim.x]; }
__device__ __noinline__ void keep(float value) {
    extern __shared__ float s[];
    s[threadIdx.x] = value;
}
__global__ void k(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    keep(x[i]);
    if (threadIdx.x == blockDim.x - 1) last = x[i];
    __syncthreads();
    x[i] = shifted(n) + last;
}
"""


def test_an_array_of_the_file_is_the_kernels_and_its_functions():
    found = run(AT_FILE_SCOPE, VALUES, 7, grid=(3, 1, 1), shared_bytes=256)[0]
    assert np.array_equal(found, rotated(7) + np.repeat(VALUES[63::64], 64))
