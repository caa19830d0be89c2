"""Compiled HIP kernels, executed, against numpy: nothing expected here comes from porter."""

from __future__ import annotations

import numpy as np
import pytest

from porter.harness.isa.errors import IsaError
from tests.harness.isa.compiled import ARCHES, launch, run

RANDOM = np.random.default_rng(7)
ARCH = "gfx950"


@pytest.mark.parametrize("arch", ARCHES)
def test_vector_add_is_exact(arch: str) -> None:
    a, b = (RANDOM.normal(size=1000).astype(np.float32) for _ in range(2))
    _, _, c = launch(arch, "vector_add", (4, 1, 1), (256, 1, 1), a, b, np.zeros(1024, np.float32), 1000)
    assert np.array_equal(c[:1000], a + b)
    assert not c[1000:].any()


def test_instructions_are_counted_for_every_wavefront() -> None:
    """Three blocks of four wavefronts on one path: each executes the same, and they go together."""
    zeros = np.zeros(1024, np.float32)
    one, three = (run(ARCH, "vector_add", (n, 1, 1), (256, 1, 1), *[zeros] * 3, 1024) for n in (1, 3))
    assert one.wavefront_instructions % 4 == 0
    assert three.wavefront_instructions == 3 * one.wavefront_instructions > 0
    assert three.wavefront_instructions == 12 * three.instructions


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("threads", [64, 192])
def test_row_softmax_with_lds_and_shuffles(arch: str, threads: int) -> None:
    """The tolerance is that of exp's argument: half an ulp of a difference up to 40, and a few ulp more."""
    x = (RANDOM.normal(size=(8, 333)) * 5).astype(np.float32)
    _, y = launch(arch, "row_softmax", (8, 1, 1), (threads, 1, 1), x, np.zeros_like(x), 333)
    exact = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    exact /= exact.sum(axis=1, keepdims=True)
    assert np.allclose(y.reshape(x.shape), exact, rtol=4e-6, atol=0)


def _arithmetic_inputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a = np.concatenate([RANDOM.normal(size=96) * 10.0 ** RANDOM.integers(-6, 6, 96), np.linspace(-3, 3, 32)])
    b = np.where(np.abs(c := RANDOM.normal(size=128) * 3) < 0.1, 1.5, c)
    k = RANDOM.integers(-(2**31), 2**31, 128) >> RANDOM.integers(0, 28, 128)
    return a.astype(np.float32), b.astype(np.float32), np.where(k == 0, 77, k).astype(np.int32)


def test_floating_point_arithmetic() -> None:
    a, b, k = _arithmetic_inputs()
    n = len(a)
    outputs = [
        np.zeros(12 * n, np.float32),
        np.zeros(4 * n),
        np.zeros(9 * n, np.int32),
        np.zeros(3 * n, np.int64),
    ]
    f, d = launch(ARCH, "arithmetic", (1, 1, 1), (n, 1, 1), a, b, k, *outputs)[3:5]
    f, d = f.reshape(12, n), d.reshape(4, n)
    x, y = a.astype(np.float64), b.astype(np.float64)
    assert np.array_equal(f[0], a / b)
    assert np.array_equal(f[1], np.sqrt(np.abs(a)))
    # x·y is exact in double, and adding 0.3 in extended precision rounds far below float32's.
    extended = x.astype(np.longdouble) * y + np.longdouble(np.float32(0.3))
    assert np.array_equal(f[2], extended.astype(np.float32))
    assert np.array_equal(f[3], np.rint(a))
    assert np.array_equal(f[4], np.floor(a) + np.ceil(b) + np.trunc(a))
    assert np.allclose(f[5], np.sin(x), rtol=4e-7, atol=1e-7)
    assert np.allclose(f[6], np.abs(x) ** y, rtol=3e-6, atol=1e-37)
    assert np.allclose(f[7], np.tanh(x), rtol=1e-6)
    assert np.array_equal(f[8], k.astype(np.float32))
    assert np.array_equal(f[9], np.minimum(a, b) - np.maximum(a, np.float32(0.5)))
    with np.errstate(over="ignore"):
        assert np.array_equal(f[10], a.astype(np.float16).astype(np.float32))
    assert np.array_equal(f[11], np.ldexp(a, k & 7))
    assert np.array_equal(d[0], x / y)
    assert np.array_equal(d[1], np.sqrt(np.abs(x)))
    assert np.allclose(d[2], x * y + 0.3, rtol=1e-15, atol=1e-16)
    assert np.allclose(d[3], np.exp(y), rtol=1e-15)


def test_integer_arithmetic() -> None:
    a, b, k = _arithmetic_inputs()
    n = len(a)
    outputs = [
        np.zeros(12 * n, np.float32),
        np.zeros(4 * n),
        np.zeros(9 * n, np.int32),
        np.zeros(3 * n, np.int64),
    ]
    found, wide = launch(ARCH, "arithmetic", (1, 1, 1), (n, 1, 1), a, b, k, *outputs)[5:]
    found, wide = found.reshape(9, n), wide.reshape(3, n)
    p, q = k.astype(np.int64), np.roll(k, -1).astype(np.int64)
    quotient = np.trunc(p / q).astype(np.int64)
    u = p & 0xFFFFFFFF
    bits = [format(int(v), "032b") for v in u]
    counts = [s.count("1") + len(s) - len(s.lstrip("0")) + (32 - s.rindex("1")) for s in bits]
    assert np.array_equal(found[0], quotient)
    assert np.array_equal(found[1], p - quotient * q)
    assert np.array_equal(found[2], counts)
    assert np.array_equal(found[3], (p * q) >> 32)
    shifts = (k << (q & 15).astype(np.int32)).astype(np.int64) ^ (u >> (q & 7)) ^ (p >> 3)
    assert np.array_equal(found[4], shifts.astype(np.int32))
    assert np.array_equal(found[5], np.clip(np.trunc(a.astype(np.float64)), -(2**31), 2**31 - 1))
    assert np.array_equal(found[6], k.astype(np.int8).astype(np.int64) + (q & 255) + k.astype(np.int16))
    assert np.array_equal(found[7], np.clip(p, -1000, 1000) + (p & 0xFFF) * (q & 0xFFF))
    assert np.array_equal(found[8], [np.array(int(s[::-1], 2)).astype(np.int32) for s in bits])
    assert np.array_equal(wide[0], p * q + p)
    assert np.array_equal(
        wide[1],
        [
            int(abs(v) << 20) // abs(w) * (1 if v * w >= 0 else -1)
            for v, w in zip(p.tolist(), q.tolist(), strict=True)
        ],
    )
    unsigned = [(int(v) % 2**64 * 0x9E3779B97F4A7C15) % 2**64 >> 13 for v in p.tolist()]
    assert np.array_equal(wide[2].view(np.uint64), np.array(unsigned, np.uint64))


@pytest.mark.parametrize("arch", ARCHES)
def test_packed_and_mixed_arithmetic(arch: str) -> None:
    n = 64
    a, b = (RANDOM.normal(size=(n, 2)).astype(np.float16) for _ in range(2))
    x, y = (RANDOM.normal(size=(n, 2)).astype(np.float32) for _ in range(2))
    k = RANDOM.integers(0, 2**32, n, dtype=np.uint64).astype(np.uint32)
    outputs = [np.zeros((6 * n, 2), np.float16), np.zeros((5 * n, 2), np.float32)]
    outputs += [np.zeros(5 * n, np.float32), np.zeros(12 * n, np.uint32)]
    h, f, s, u = launch(arch, "packed", (1, 1, 1), (n, 1, 1), a, b, x, y, k, *outputs)[5:]
    h, f, s, u = h.reshape(6, n, 2), f.reshape(5, n, 2), s.reshape(5, n), u.reshape(12, n)
    # Exact in extended precision, so that rounding from it is the one rounding of a fused operation.
    p, q, v, w = (m.astype(np.longdouble) for m in (a, b, x, y))
    assert np.array_equal(h[0], a + b)
    assert np.array_equal(h[1], a * b)
    assert np.array_equal(h[2], (p * q + p).astype(np.float16))
    assert np.array_equal(h[3], np.maximum(a, b))
    assert np.array_equal(h[4], a - b[:, ::-1])
    assert np.array_equal(h[5], (-p * q[:, ::-1] + q).astype(np.float16))
    assert np.array_equal(f[0], x + y)
    assert np.array_equal(f[1], x * y)
    assert np.array_equal(f[2], (v * w + v).astype(np.float32))
    assert np.array_equal(f[3], x - y[:, ::-1])
    assert np.array_equal(f[4], x / 2)
    assert np.array_equal(s[0], (p[:, 0] * q[:, 1] + v[:, 0]).astype(np.float32))
    assert np.array_equal(s[1], np.median([x[:, 0], y[:, 0], np.full(n, 0.25, np.float32)], axis=0))
    assert np.array_equal(s[2], np.max([x[:, 0], x[:, 1], y[:, 0]], axis=0))
    assert np.array_equal(s[3], np.clip(x[:, 0] + y[:, 0], 0, 1))
    assert np.array_equal(s[4], np.abs(x[:, 0]) * -y[:, 1])
    by_thread = [_bit_results(*operands) for operands in zip(k, np.roll(k, -1), np.roll(k, -2), strict=True)]
    assert u.T.tolist() == by_thread


def _bit_results(first: np.uint32, second: np.uint32, third: np.uint32) -> list[int]:
    m, n, o = int(first), int(second), int(third)
    # Bytes 0…3 of a permutation are the second operand's, 4…7 the first's; 8, 9: signs; 12: 0; 13: 255.
    data = n.to_bytes(4, "little") + m.to_bytes(4, "little")
    signs = [255 * (data[1] >> 7), 255 * (data[3] >> 7)]
    field = m >> (n & 15) & 511
    return [
        int.from_bytes(bytes([data[1], data[5], data[2], data[7]]), "little"),
        int.from_bytes(bytes([signs[0], signs[1], 255, 0]), "little"),
        ((m << 32 | n) >> (o & 31)) & 0xFFFFFFFF,
        (m & n) | (~m & o & 0xFFFFFFFF),
        (m ^ n) & ~o & 0xFFFFFFFF,
        field,
        (field - 512) & 0xFFFFFFFF if field > 255 else field,
        ((m >> 16) * 3 + (n & 0xFFFF)) & 0xFFFFFFFF,
        (m & 0xFF00) >> 8 | n >> 24,
        max(m, n, o) - min(m, n, o),
        max(m - n, 0),
        min(m + n, 0xFFFFFFFF),
    ]


def test_values_between_lanes() -> None:
    n = 128
    k = RANDOM.integers(-50, 50, n).astype(np.int32)
    _, out, masks = launch(
        ARCH, "lanes", (1, 1, 1), (n, 1, 1), k, np.zeros(14 * n, np.int32), np.zeros(n, np.uint64)
    )
    out = out.reshape(14, 2, 64)
    v, lane = k.reshape(2, 64), np.arange(64)
    assert np.array_equal(out[0], v[:, np.where(lane + 3 < 64, lane + 3, lane)])
    assert np.array_equal(out[1], v[:, np.where(lane >= 5, lane - 5, lane)])
    assert np.array_equal(out[2], v[:, lane ^ 1])
    assert np.array_equal(out[3], v[:, lane ^ 16])
    assert np.array_equal(out[4], v[:, lane * 7 % 64])
    assert np.array_equal(out[5], v[:, np.where(lane % 32 < 31, lane + 1, lane)])
    assert np.array_equal(out[6], np.repeat(v[:, :1], 64, axis=1))
    assert np.array_equal(out[7], np.where(lane % 16 > 0, v[:, lane - 1], 0))
    assert np.array_equal(out[8], v[:, lane // 4 * 4 + 3 - lane % 4])
    # Rows 1 and 3 get the last lane of the row before; the others keep the old value.
    assert np.array_equal(out[9], np.where(lane // 16 % 2 == 1, v[:, lane // 16 * 16 - 1], -1))
    assert np.array_equal(out[10], v[:, lane ^ 16])
    assert np.array_equal(out[11], np.roll(v, 9, axis=1))
    assert np.array_equal(out[12], np.stack([lane, lane]))
    assert np.array_equal(out[13], np.where(v & 1, (v & 1).sum(axis=1, keepdims=True), 0))
    expected = [sum(1 << i for i in range(64) if row[i] > 0) for row in v]
    assert masks.reshape(2, 64)[:, 0].tolist() == expected


def test_divergence_calls_and_thread_memory() -> None:
    n = 300
    k = RANDOM.integers(1, 60, n).astype(np.int32)
    _, out = launch(ARCH, "divergent", (3, 1, 1), (128, 1, 1), k, np.zeros(n, np.int32), n)

    def expected(i: int) -> int:
        local = [int(k[(i + j) % n]) for j in range(32)]
        total = 0
        for j in range(40):
            total += local[(total + j) & 31]
            local[(j * 5 + i) & 31] += j
        steps, value = 0, int(k[i])
        while value > 1:
            value, steps = (3 * value + 1 if value & 1 else value // 2), steps + 1
        return total + steps

    assert out.tolist() == [expected(i) for i in range(n)]


def test_atomics_and_device_variables() -> None:
    n = 256
    k = RANDOM.integers(-1000, 1000, n).astype(np.int32)
    x = (RANDOM.integers(0, 64, n) / 8).astype(np.float32)  # sums are exact in every order
    order = np.zeros(2 + n, np.int32)
    *_, bins, total, order, wide, tally = launch(
        ARCH, "atomics", (2, 1, 1), (128, 1, 1), k, x, np.zeros(16, np.uint32), np.zeros(1, np.float32),
        order, np.zeros(1), symbols={"tally": np.zeros(4, np.int32)},
    )  # fmt: skip
    assert np.array_equal(bins, np.bincount(k & 15, minlength=16))
    assert total[0] == x.sum(dtype=np.float64)
    assert (order[0], order[1]) == (max(k.max(), 0), min(k.min(), 0))
    assert sorted(order[2:]) == list(range(n))
    assert wide[0] == k.sum()
    assert tally[0] == n
    assert tally[1] in (k | 1)


def test_narrow_loads_and_stores() -> None:
    n = 64
    data = RANDOM.integers(0, 256, n).astype(np.uint8)
    shorts = RANDOM.integers(-30000, 30000, n).astype(np.int16)
    *_, out, last = launch(
        ARCH, "narrow", (1, 1, 1), (n, 1, 1), data, shorts, np.zeros(n, np.int16), np.zeros(n, np.uint8)
    )
    assert np.array_equal(out, (data.astype(np.int64) * 3 + shorts).astype(np.int16))
    assert np.array_equal(last, data[::-1])


def test_dynamic_lds_and_wide_accesses() -> None:
    x = RANDOM.normal(size=(4, 64, 4)).astype(np.float32)
    _, y = launch(ARCH, "dynamic_lds", (4, 1, 1), (64, 1, 1), x, np.zeros_like(x), lds=64 * 16)
    assert np.array_equal(y.reshape(x.shape), x[:, ::-1])


def test_three_dimensional_launches() -> None:
    (out,) = launch(ARCH, "geometry", (2, 3, 2), (5, 3, 2), np.zeros(12 * 30, np.int32))
    assert np.array_equal(out.reshape(12, 30), np.arange(12)[:, None] * 1000 + np.arange(30))


def test_an_access_past_the_end_is_reported_with_its_thread() -> None:
    with pytest.raises(IsaError) as caught:
        launch(ARCH, "past_the_end", (1, 1, 1), (64, 1, 1), np.zeros(100, np.float32), 60)
    assert caught.value.code == "ISA010"
    assert "thread 40" in str(caught.value)
    assert "at byte 400 of argument 0 (400 bytes)" in str(caught.value)
    assert "global_store_dword in past_the_end" in str(caught.value)


def test_lds_that_the_launch_did_not_give_is_reported() -> None:
    x = np.zeros((64, 4), np.float32)
    with pytest.raises(IsaError) as caught:
        launch(ARCH, "dynamic_lds", (1, 1, 1), (64, 1, 1), x, np.zeros_like(x), lds=32 * 16)
    assert caught.value.code == "ISA011"


def test_a_trap_is_an_error() -> None:
    with pytest.raises(IsaError) as caught:
        launch(ARCH, "trap", (1, 1, 1), (64, 1, 1), np.arange(64, dtype=np.int32))
    assert caught.value.code == "ISA014"
    launch(ARCH, "trap", (1, 1, 1), (64, 1, 1), np.zeros(64, np.int32))


def test_launches_that_do_not_fit_the_kernel_are_refused() -> None:
    with pytest.raises(IsaError, match="fewer arguments"):
        launch(ARCH, "vector_add", (1, 1, 1), (64, 1, 1), np.zeros(64, np.float32))
    with pytest.raises(IsaError, match="threads a block"):
        launch(ARCH, "trap", (1, 1, 1), (2048, 1, 1), np.zeros(2048, np.int32))


def _bf16(values: np.ndarray) -> np.ndarray:
    """Small integers are exact in bfloat16: the upper half of the float32."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(("kernel", "side", "depth"), [("mfma_bf16_16", 16, 16), ("mfma_bf16_32", 32, 8)])
def test_bfloat16_matrix_instructions(arch: str, kernel: str, side: int, depth: int) -> None:
    a, b = (RANDOM.integers(-8, 9, (side, depth)) for _ in range(2))
    *_, d = launch(
        arch, kernel, (1, 1, 1), (64, 1, 1), _bf16(a), _bf16(b), np.zeros((side, side), np.float32)
    )
    assert np.array_equal(d.reshape(side, side), a @ b.T)


@pytest.mark.parametrize("arch", ARCHES)
def test_float_and_double_matrix_instructions(arch: str) -> None:
    a, b = (RANDOM.integers(-8, 9, (16, 4)) for _ in range(2))
    single = [m.astype(np.float32) for m in (a, b)]
    *_, d = launch(arch, "mfma_f32_16", (1, 1, 1), (64, 1, 1), *single, np.zeros((16, 16), np.float32))
    assert np.array_equal(d.reshape(16, 16), a @ b.T + (np.arange(16) % 4 + 1)[:, None])
    double = [RANDOM.normal(size=(16, 4)) for _ in range(2)]
    *_, d = launch(arch, "mfma_f64_16", (1, 1, 1), (64, 1, 1), *double, np.zeros((16, 16)))
    assert np.allclose(d.reshape(16, 16), double[0] @ double[1].T, rtol=1e-14)
