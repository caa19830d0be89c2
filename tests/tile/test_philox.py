"""cuRAND's Philox in kernels: the stream to the bit, uniform and normal numbers, states in memory."""

import numpy as np
import pytest

from porter.core.span import SourceText
from porter.cuda.lower_kernel import NotLowered, lower_kernels
from tests.tile.run_text import run

N = 64
U32, U64 = np.uint32, np.uint64
SEED = 0xFEDCBA9876543210
STATE = "curandStatePhilox4_32_10_t"


def philox(counter: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Philox4x32-10 of Salmon et al. (2011) on rows of four words, with rows of two as keys."""
    c, k = counter.astype(U64).T, key.astype(U64).T
    for _ in range(10):
        left, right = c[0] * U64(0xD2511F53), c[2] * U64(0xCD9E8D57)
        high_left, high_right = left >> U64(32), right >> U64(32)
        c = np.stack([high_right ^ c[1] ^ k[0], right, high_left ^ c[3] ^ k[1], left]) & U64(0xFFFFFFFF)
        k = np.stack([k[0] + U64(0x9E3779B9), k[1] + U64(0xBB67AE85)]) & U64(0xFFFFFFFF)
    return c.T.astype(U32)


def stream(seed: int, subsequence: int, first: int, count: int) -> np.ndarray:
    """Numbers `first` … of a subsequence."""
    blocks = np.arange(first // 4, (first + count) // 4 + 1, dtype=U64)
    words = np.empty((blocks.size, 4), U64)
    words[:, 0], words[:, 1] = blocks & U64(0xFFFFFFFF), blocks >> U64(32)
    words[:, 2], words[:, 3] = subsequence & 0xFFFFFFFF, subsequence >> 32
    keys = np.broadcast_to(np.array([seed & 0xFFFFFFFF, seed >> 32], U64), (blocks.size, 2))
    return philox(words, keys).ravel()[first % 4 :][:count]


def streams(first: int, count: int, seed: int = SEED) -> np.ndarray:
    """(N, count): row i is subsequence i."""
    return np.stack([stream(seed, i, first, count) for i in range(N)])


def uniform(bits: np.ndarray) -> np.ndarray:
    return bits.astype(np.float32) * np.float32(2**-32) + np.float32(2**-33)


def normal_pairs(bits: np.ndarray) -> np.ndarray:
    """Box-Muller of neighbours along the last axis, in double."""
    u, v = (bits[..., k::2] * 2.0**-32 + 2.0**-33 for k in (0, 1))
    radius, angle = np.sqrt(-2 * np.log(u)), 2 * np.pi * v
    pairs = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=-1)
    return pairs.reshape(bits.shape)


def kernel(parameters: str, body: str) -> str:
    return f"""#include <curand_kernel.h>
    __global__ void k({parameters}, unsigned long long seed, unsigned long long offset) {{
        const int i = threadIdx.x;
        {STATE} state;
        curand_init(seed, i, offset, &state);
        {body}
    }}"""


def launched(source: str, *arguments: object, seed: int = SEED, offset: int = 0) -> list[np.ndarray]:
    signed = seed - 2**64 if seed >= 2**63 else seed
    return run(source, *arguments, signed, offset, grid=(1, 1, 1))


# Random123's known answers for ten rounds: counter, key, block.
PI = "243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0"
KNOWN = [
    ("00000000 " * 4 + "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff " * 4 + "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (PI, "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def _words(text: str) -> np.ndarray:
    return np.array([int(word, 16) for word in text.split()], U32)


def test_known_answers_of_the_block_function() -> None:
    given = np.stack([_words(words) for words, _ in KNOWN])
    expected = np.stack([_words(words) for _, words in KNOWN])
    assert np.array_equal(philox(given[:, :4], given[:, 4:]), expected)
    source = """#include <curand_kernel.h>
    __global__ void k(const uint4* counters, const uint2* keys, uint4* out) {
        const int i = threadIdx.x;
        if (i < 3) out[i] = curand_Philox4x32_10(counters[i], keys[i]);
    }"""
    counters, keys = np.ascontiguousarray(given[:, :4]).ravel(), np.ascontiguousarray(given[:, 4:]).ravel()
    out = run(source, counters, keys, np.zeros(12, U32), grid=(1, 1, 1))[2]
    assert np.array_equal(out.reshape(3, 4), expected)


DRAWS = kernel(
    "unsigned* bits, float* reals, double* doubles",
    """for (int k = 0; k < 6; ++k) bits[i * 10 + k] = curand(&state);
    const uint4 four = curand4(&state);
    bits[i * 10 + 6] = four.x; bits[i * 10 + 7] = four.y;
    bits[i * 10 + 8] = four.z; bits[i * 10 + 9] = four.w;
    reals[i * 5] = curand_uniform(&state);
    const float4 u = curand_uniform4(&state);
    reals[i * 5 + 1] = u.x; reals[i * 5 + 2] = u.y; reals[i * 5 + 3] = u.z; reals[i * 5 + 4] = u.w;
    doubles[i] = curand_uniform_double(&state);""",
)


@pytest.mark.parametrize("offset", [0, 3, 5, 2**34 - 6])
def test_bits_and_uniform_numbers(offset: int) -> None:
    zeros = np.zeros(N * 10, U32), np.zeros(N * 5, np.float32), np.zeros(N)
    bits, reals, doubles = launched(DRAWS, *zeros, offset=offset)
    expected = streams(offset, 16)
    assert np.array_equal(bits.reshape(N, 10), expected[:, :10])
    assert np.array_equal(reals.reshape(N, 5), uniform(expected[:, 10:15]))
    assert np.array_equal(doubles, expected[:, 15] * 2.0**-32 + 2.0**-32)


def test_uniform_numbers_are_above_zero_and_at_most_one() -> None:
    source = """#include <curand_kernel.h>
    __global__ void k(const unsigned* bits, float* out) {
        out[threadIdx.x] = _curand_uniform(bits[threadIdx.x]);
    }"""
    bits = np.full(N, 0xFFFFFFFF, U32)
    bits[0] = 0
    out = run(source, bits, np.zeros(N, np.float32), grid=(1, 1, 1))[1]
    assert out[0] == np.float32(2**-33)
    assert np.all(out[1:] == 1)


def test_normal_numbers() -> None:
    body = """for (int k = 0; k < 3; ++k) out[i * 12 + k] = curand_normal(&state);
    const float2 two = curand_normal2(&state);
    out[i * 12 + 3] = two.x; out[i * 12 + 4] = two.y;
    out[i * 12 + 5] = curand_normal(&state);  // the fourth, which waited
    const float4 four = curand_normal4(&state);
    out[i * 12 + 6] = four.x; out[i * 12 + 7] = four.y; out[i * 12 + 8] = four.z; out[i * 12 + 9] = four.w;
    out[i * 12 + 10] = curand_log_normal(&state, 0.5f, 0.25f);
    out[i * 12 + 11] = curand_log_normal(&state, 0.5f, 0.25f);"""
    out = launched(kernel("float* out", body), np.zeros(N * 12, np.float32))[0].reshape(N, 12)
    pairs = normal_pairs(streams(0, 12))
    order = [0, 1, 2, 4, 5, 3, 6, 7, 8, 9]
    # The angle is rounded to a `float` below 2 pi: an absolute error of some 2^-22 times the radius.
    np.testing.assert_allclose(out[:, :10], pairs[:, order], rtol=1e-6, atol=3e-6)
    np.testing.assert_allclose(out[:, 10:], np.exp(0.5 + 0.25 * pairs[:, 10:]), rtol=3e-6)


@pytest.mark.slow
def test_normal_numbers_in_double_and_one_that_waits() -> None:
    body = """out[i * 3] = curand_normal_double(&state);
    out[i * 3 + 1] = curand_normal_double(&state);
    out[i * 3 + 2] = curand_normal2_double(&state).y;"""
    out = launched(kernel("double* out", body), np.zeros(N * 3))[0].reshape(N, 3)
    bits = streams(0, 8).astype(U64)
    places = (bits[:, 0::2] ^ bits[:, 1::2] << U64(21)) * 2.0**-53 + 2.0**-54
    radius, angle = np.sqrt(-2 * np.log(places[:, 0::2])), 2 * np.pi * places[:, 1::2]
    first = radius[:, 0] * np.sin(angle[:, 0]), radius[:, 0] * np.cos(angle[:, 0])
    expected = np.stack([*first, radius[:, 1] * np.cos(angle[:, 1])], axis=1)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-14)


def test_draws_in_loops_that_threads_leave_at_different_times() -> None:
    body = """unsigned sum = 0;
    for (int k = 0; k < i % 7; ++k) {
        const unsigned bits = curand(&state);
        if (bits & 1u) continue;
        sum += bits;
        if (bits % 5u == 0u) break;
    }
    sums[i] = sum;
    after[i] = curand(&state);"""
    source = kernel("unsigned* sums, unsigned* after", body)
    sums, after = launched(source, np.zeros(N, U32), np.zeros(N, U32), offset=2)
    for i in range(N):
        numbers, drawn, total = stream(SEED, i, 2, 8).tolist(), 0, 0
        while drawn < i % 7:
            bits = numbers[drawn]
            drawn += 1
            total += 0 if bits & 1 else bits
            if bits % 10 == 0:
                break
        assert (sums[i], after[i]) == (total % 2**32, numbers[drawn])


def test_skipping_ahead_carries_into_the_next_words() -> None:
    body = """skipahead(0xFFFFFFFFFFFFFFFFull, &state);
    out[i * 4] = curand(&state);
    skipahead(9ull, &state);
    out[i * 4 + 1] = curand(&state);
    skipahead_sequence(0x1FFFFFFFFull, &state);
    out[i * 4 + 2] = curand(&state);
    for (int k = 0; k < 5; ++k) skipahead(0xFFFFFFFFFFFFFFFFull, &state);
    out[i * 4 + 3] = curand(&state);"""
    out = launched(kernel("unsigned* out", body), np.zeros(N * 4, U32), offset=1)[0].reshape(N, 4)
    place = [1 + (2**64 - 1)]
    place += [place[0] + 1 + 9]
    place += [place[1] + 1]
    place += [place[2] + 1 + 5 * (2**64 - 1)]
    for i in range(N):
        for k, at in enumerate(place):
            subsequence = i + (0x1FFFFFFFF if k >= 2 else 0) + at // 2**66
            assert out[i, k] == stream(SEED, subsequence, at % 2**66, 1)[0]


def test_states_in_memory() -> None:
    source = f"""#include <curand_kernel.h>
    __global__ void start({STATE}* states, unsigned long long seed) {{
        curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
    }}
    __global__ void draw({STATE}* states, unsigned* bits, float* reals) {{
        const int i = threadIdx.x;
        {STATE} state = states[i];
        for (int k = 0; k < 3; ++k) bits[i * 4 + k] = curand(&state);
        states[i] = state;
        bits[i * 4 + 3] = curand(states + i);
        reals[i] = curand_normal(&states[i]);
    }}"""
    seed = 0x0123456789ABCDEF
    states = run(source, np.zeros(N * 64, np.uint8), seed, grid=(1, 1, 1), name="start")[0]
    words = states.view(U32).reshape(N, 16)
    assert np.array_equal(words[:, 2], np.arange(N))
    assert np.array_equal(words[:, 4:8], streams(0, 4, seed))
    zeros = np.zeros(N * 4, U32), np.zeros(N, np.float32)
    states, bits, reals = run(source, states, *zeros, grid=(1, 1, 1), name="draw")
    expected = streams(0, 8, seed)
    assert np.array_equal(bits.reshape(N, 4), expected[:, :4])
    pairs = normal_pairs(expected[:, 4:6])
    np.testing.assert_allclose(reals, pairs[:, 0], rtol=1e-6, atol=3e-6)
    words = states.view(U32).reshape(N, 16)
    assert np.all(words[:, 10] == 2)
    assert np.all(words[:, 11] == 1)
    np.testing.assert_allclose(words[:, 13].view(np.float32), pairs[:, 1], rtol=1e-6, atol=3e-6)


def _xorwow(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Marsaglia's xorwow, one step: the states after it (d, v0 … v4) and their numbers."""
    d, v0, v4 = words[:, 0] + U32(362437), words[:, 1], words[:, 5]
    t = v0 ^ v0 >> U32(2)
    last = v4 ^ v4 << U32(4) ^ t ^ t << U32(1)
    return np.column_stack([d, words[:, 2:6], last]), last + d


def test_states_of_xorwow_in_memory() -> None:
    source = """#include <curand_kernel.h>
    __global__ void k(curandState* states, unsigned* bits, float* reals) {
        const int i = threadIdx.x;
        curandState state = states[i];
        bits[i] = curand(&state);
        reals[i] = curand_uniform(&state);
        states[i] = state;
    }"""
    states = np.random.default_rng(1).integers(0, 2**32, (N, 12), dtype=U32)
    after, bits, reals = run(
        source, states.ravel(), np.zeros(N, U32), np.zeros(N, np.float32), grid=(1, 1, 1)
    )
    words, first = _xorwow(states[:, :6])
    words, second = _xorwow(words)
    assert np.array_equal(bits, first)
    assert np.array_equal(reals, uniform(second))
    assert np.array_equal(after.reshape(N, 12)[:, :6], words)


def test_seeding_xorwow_is_declined_with_what_to_use_instead() -> None:
    source = """#include <curand_kernel.h>
    __global__ void k(curandState* states) { curand_init(7, threadIdx.x, 0, &states[threadIdx.x]); }"""
    (kernel,) = lower_kernels(SourceText("kernel.cu", source.encode()))
    assert isinstance(kernel, NotLowered)
    assert kernel.diagnostic.code == "TIL011"
    assert "curandStatePhilox4_32_10_t" in (kernel.diagnostic.hint or "")
