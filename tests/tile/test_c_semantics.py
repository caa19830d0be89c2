"""Generated Triton computes what C++ says: integer division, wrap, widths, conversions, selection."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated

N = 129
GRID = (3, 1, 1)
HEAD = "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
INTS = np.concatenate([np.array([-(2**31), 2**31 - 1, 0, 1, -1, -7, 7]), np.arange(-61, 61)]).astype(np.int32)
UINTS = INTS.view(np.uint32)
FLOATS = np.linspace(-8, 8, N, dtype=np.float32)


def elementwise(type_: str, expression: str, result: str = "") -> str:
    return f"""__global__ void k(const {type_}* x, {result or type_}* out, int n) {{
        {HEAD} const {type_} v = x[i]; out[i] = {expression}; }}"""


def applied(
    type_: str, expression: str, values: np.ndarray, result: str = "", dtype: object = None
) -> np.ndarray:
    out = np.zeros(values.size, dtype or values.dtype)
    return run(elementwise(type_, expression, result), values, out, values.size, grid=GRID)[1]


def truncated(a: np.ndarray, b: int) -> np.ndarray:
    return np.trunc(a.astype(np.float64) / b).astype(np.int32)


@pytest.mark.parametrize("divisor", [3, -3, 7])
def test_division_and_remainder_truncate(divisor):
    quotient = truncated(INTS, divisor)
    assert np.array_equal(applied("int", f"v / {divisor}", INTS), quotient)
    assert np.array_equal(applied("int", f"v % {divisor}", INTS), INTS - quotient * divisor)


def test_division_of_loop_counters_truncates():
    source = """__global__ void k(int* out, int n) {
        int total = 0;
        for (int j = -n; j < n; j++) { total = total * 3 + j / 2 + j % 3; }
        out[threadIdx.x] = total; }"""
    expected = 0
    for j in range(-9, 9):
        expected = expected * 3 + int(j / 2) + (j - int(j / 3) * 3)
    assert (run(source, np.zeros(64, np.int32), 9, grid=(1, 1, 1))[0] == expected).all()


COUNTERS = """
__global__ void k(const int* x, int* out, int n) {
    int s = x[threadIdx.x];
    for (int j = 0; j < 10; ++j) { s = s * 31 + j * 2000000000; s ^= 7 - 1500000000 * j; }
    for (int j = -9; j < 9; j += 3) { s += (j * 2000000000) / 3; s ^= (j + 2000000000) + 1000000000; }
    for (int j = 0; j < 4; ++j) { const int far = j * 1000000000; s ^= far * 3 + (j << 30); }
    for (int j = 0; j < n; ++j) s ^= j * 1640531527;
    for (int j = 0; j < 40; ++j) s += j * 4 + 1;
    out[threadIdx.x] = s;
}"""


def test_a_counter_s_arithmetic_wraps_where_it_may_leave_its_type():
    x = np.arange(64, dtype=np.int64)
    s = x
    for j in range(10):
        s = _wrapped(_wrapped(s * 31 + j * 2000000000) ^ _wrapped(7 - 1500000000 * j))
    for j in range(-9, 9, 3):
        product = int(_wrapped(j * 2000000000))
        s = _wrapped(_wrapped(s + int(product / 3)) ^ _wrapped(j + 3000000000))
    for j in range(4):
        s = _wrapped(s ^ _wrapped(j * 3000000000 + (j << 30)))
    for j in range(20):
        s = _wrapped(s ^ _wrapped(j * 1640531527))
    s = _wrapped(s + sum(j * 4 + 1 for j in range(40)))
    found = run(COUNTERS, x.astype(np.int32), np.zeros(64, np.int32), 20, grid=(1, 1, 1))[1]
    assert np.array_equal(found, s)


def _wrapped(value):
    return (np.asarray(value, dtype=np.int64) + 2**31) % 2**32 - 2**31


def test_a_counter_s_arithmetic_that_fits_stays_as_it_is():
    text = translated(COUNTERS).text
    assert "s + (j * 4 + 1)" in text or "s += j * 4 + 1" in text
    assert "tl.cast(j, tl.int32) * 2000000000" in text
    assert "tl.cast(j, tl.int32) * 1640531527" in text
    assert "tl.cast(j * " not in text


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("v * 2654435761u + (v >> 3)", lambda v: v * np.uint32(2654435761) + (v >> np.uint32(3))),
        ("(v ^ 61u) - v / 5u", lambda v: (v ^ np.uint32(61)) - v // np.uint32(5)),
        ("~v << 4 | v >> 28", lambda v: (~v << np.uint32(4)) | (v >> np.uint32(28))),
        ("v > 3000000000u ? 1u : 0u", lambda v: (v > 3000000000).astype(np.uint32)),
        ("-v", lambda v: np.uint32(0) - v),
    ],
)
def test_unsigned_arithmetic_wraps(expression, expected):
    with np.errstate(over="ignore"):
        assert np.array_equal(applied("unsigned", expression, UINTS), expected(UINTS))


def test_a_signed_shift_keeps_the_sign():
    assert np.array_equal(applied("int", "v >> 3", INTS), INTS >> 3)


def test_comparing_signed_with_unsigned_is_unsigned():
    assert np.array_equal(applied("int", "v < 5u", INTS), (UINTS < 5).astype(np.int32))


@pytest.mark.parametrize("type_", ["long long", "unsigned long long"])
def test_64_bit_products(type_):
    dtype = np.int64 if type_ == "long long" else np.uint64
    expected = INTS.astype(dtype) * dtype(1000003)
    assert np.array_equal(applied("int", f"({type_})v * 1000003", INTS, type_, dtype), expected)


def test_64_bit_scalars_keep_their_width():
    source = """__global__ void k(long long* out, long long a, size_t b) {
        out[threadIdx.x] = a * 3000000 + (long long)(b * b); }"""
    got = run(source, np.zeros(64, np.int64), 70000, 90000, grid=(1, 1, 1))[0]
    assert (got == 70000 * 3000000 + 90000 * 90000).all()


def test_unsigned_scalars_wrap():
    source = (
        "__global__ void k(unsigned* out, unsigned a) { out[threadIdx.x] = a * 65537u + (a - 10u) / 2u; }"
    )
    expected = (3 * 65537 + ((3 - 10) % 2**32) // 2) % 2**32
    assert (run(source, np.zeros(64, np.uint32), 3, grid=(1, 1, 1))[0] == expected).all()


@pytest.mark.parametrize(
    ("type_", "dtype"),
    [("char", np.int8), ("unsigned char", np.uint8), ("short", np.int16), ("unsigned short", np.uint16)],
)
def test_narrow_integers_are_promoted_and_narrowed(type_, dtype):
    values = np.arange(-64, 65).astype(dtype)
    expected = (values.astype(np.int32) * 3 - 200).astype(dtype)
    assert np.array_equal(applied(type_, "v * 3 - 200", values), expected)


def test_float_conversions_truncate():
    assert np.array_equal(applied("float", "(int)v", FLOATS, "int", np.int32), FLOATS.astype(np.int32))
    assert np.array_equal(
        applied("float", "(unsigned char)(int)v", FLOATS, "unsigned char", np.uint8),
        FLOATS.astype(np.int32).astype(np.uint8),
    )


def test_reinterpretation_keeps_the_bits():
    got = applied("float", "__float_as_int(v) & 0x7fffffff", FLOATS, "int", np.int32)
    assert np.array_equal(got, FLOATS.view(np.int32) & 0x7FFFFFFF)
    back = applied("int", "__int_as_float(v)", FLOATS.view(np.int32), "float", np.float32)
    assert np.array_equal(back, FLOATS)


def test_float_literals_stay_single_and_doubles_double():
    third = applied("float", "v * 0.1f", FLOATS)
    assert np.array_equal(third, FLOATS * np.float32(0.1))
    values = FLOATS.astype(np.float64)
    assert np.array_equal(applied("double", "v * 0.1 + 1e-300", values), values * 0.1 + 1e-300)
    scaled = "__global__ void k(double* x, double a) { x[threadIdx.x] *= a; }"
    assert np.array_equal(run(scaled, np.ones(64), 0.1, grid=(1, 1, 1))[0], np.full(64, 0.1))


def test_half_and_bfloat16():
    values = FLOATS.astype(np.float16)
    source = "#include <cuda_fp16.h>\n" + elementwise("__half", "__float2half(__half2float(v) * 3.0f)")
    assert np.array_equal(run(source, values, np.zeros_like(values), N, grid=GRID)[1], values * np.float16(3))
    source = "#include <cuda_bf16.h>\n" + elementwise("__nv_bfloat16", "v + v")
    bits = (FLOATS.view(np.uint32) >> 16).astype(np.uint16)
    import torch

    x = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
    out = torch.zeros_like(x)
    from tests.tile.run_text import module_of

    module_of(source).k(x, out, N, grid=GRID)
    assert torch.equal(out, x + x)


def test_bool_pointers_are_bytes():
    source = f"__global__ void k(const bool* x, bool* out, int n) {{ {HEAD} out[i] = !x[i] || i % 2 == 0; }}"
    values = np.arange(N) % 3 == 0
    got = run(source, values.astype(np.int8), np.zeros(N, np.int8), N, grid=GRID)[1]
    assert np.array_equal(got != 0, ~values | (np.arange(N) % 2 == 0))


@pytest.mark.parametrize(
    ("call", "expected", "ulps"),
    [
        ("expf(v)", np.exp, 2), ("logf(fabsf(v) + 0.5f)", lambda v: np.log(np.abs(v) + 0.5), 4),
        ("tanhf(v)", np.tanh, 8), ("rsqrtf(v * v + 1.0f)", lambda v: 1 / np.sqrt(v * v + 1), 4),
        ("erff(v * 0.3f)", None, 4), ("floorf(v) + ceilf(v)", lambda v: np.floor(v) + np.ceil(v), 0),
        ("fmaxf(v, 1.0f) + fminf(v, -1.0f)", lambda v: np.maximum(v, 1) + np.minimum(v, -1), 1),
        ("roundf(v * 2.0f)", lambda v: np.trunc(v * 2 + np.copysign(0.5, v)), 0),
        ("rintf(v * 2.0f)", lambda v: np.rint(v * 2), 0), ("truncf(v)", np.trunc, 0),
        ("powf(fabsf(v), 1.7f)", lambda v: np.abs(v) ** np.float64(np.float32(1.7)), 4),
        ("powf(v, 3.0f)", lambda v: v**3, 4),
        ("expm1f(v * 0.01f)", lambda v: np.expm1(v * np.float64(np.float32(0.01))), 8),
        ("log1pf(v * v * 0.01f)", lambda v: np.log1p(v * v * 0.01), 8),
        ("sinhf(v * 0.5f)", lambda v: np.sinh(v * 0.5), 8),
        ("cbrtf(v)", np.cbrt, 4), ("fmodf(v, 0.75f)", lambda v: np.fmod(v, 0.75), 0),
        ("sinf(v) * cosf(v)", lambda v: np.sin(v) * np.cos(v), 4),
        ("copysignf(2.0f, v)", lambda v: np.copysign(2, v), 0),
        ("fmaf(v, v, 1.0f)", lambda v: v * v + 1, 1),
        ("__fdividef(1.0f, v + 9.0f)", lambda v: 1 / (v + 9), 2),
        ("atan2f(v, 2.0f)", lambda v: np.arctan2(v, 2), 8), ("hypotf(v, 3.0f)", lambda v: np.hypot(v, 3), 4),
        ("exp2f(v) + log2f(v * v + 1.0f)", lambda v: np.exp2(v) + np.log2(v * v + 1), 4),
        ("erfcf(v * 0.25f)", None, 64), ("log10f(v * v + 1.0f)", lambda v: np.log10(v * v + 1), 8),
    ],
)  # fmt: skip
def test_math_functions(call, expected, ulps):
    got = applied("float", call, FLOATS)
    wide = FLOATS.astype(np.float64)
    if expected is None:
        import math

        function = math.erf if call.startswith("erff(") else math.erfc
        factor = 0.3 if call.startswith("erff(") else 0.25
        wanted = np.array([function(float(np.float32(v) * np.float32(factor))) for v in FLOATS])
    else:
        wanted = expected(wide)
    spacing = np.spacing(np.maximum(np.abs(wanted), 1e-6).astype(np.float32)).astype(np.float64)
    worst = np.max(np.abs(got - wanted) / spacing)
    assert worst <= max(ulps, 0.51), f"{worst} ulp at {FLOATS[np.argmax(np.abs(got - wanted) / spacing)]}"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("__popc(v)", lambda v: np.array([bin(int(n)).count("1") for n in v])),
        ("__clz(v)", lambda v: np.array([32 - int(n).bit_length() for n in v])),
        ("__ffs(v)", lambda v: np.array([(int(n) & -int(n)).bit_length() for n in v])),
        ("__brev(v)", lambda v: np.array([int(f"{int(n):032b}"[::-1], 2) for n in v])),
    ],
)
def test_bit_functions(call, expected):
    assert np.array_equal(applied("unsigned", f"(unsigned){call}", UINTS), expected(UINTS).astype(np.uint32))


def test_integer_absolute_value_and_extremes():
    got = applied("int", "min(max(abs(v), 3), 50)", INTS[1:])
    assert np.array_equal(got, np.clip(np.abs(INTS[1:]), 3, 50))


def test_nan_is_recognised_and_dropped_by_fmax():
    values = FLOATS.copy()
    values[::5] = np.nan
    got = applied("float", "isnan(v) ? -1.0f : fmaxf(v, 0.0f)", values)
    assert np.array_equal(got, np.where(np.isnan(values), -1, np.fmax(values, 0)))
    assert np.array_equal(applied("float", "fmaxf(v, 0.5f)", values), np.fmax(values, np.float32(0.5)))


def test_a_fused_multiply_add_of_halves_rounds_once():
    """Values whose float32 result lies halfway between two halves, where the exact one does not."""
    source = """#include <cuda_fp16.h>
    __global__ void k(const __half* a, const __half* b, const __half* c, __half* out, __half2* pairs) {
        const int i = threadIdx.x; out[i] = __hfma(a[i], b[i], c[i]);
        pairs[i] = __hfma2(__half2half2(a[i]), __half2half2(b[i]), __half2half2(c[i])); }"""
    a, b, c = (
        np.resize(np.array(values, np.float16), 64)
        for values in (
            (1.8310546875, 1.2470703125, 0.7724609375, 0.25341796875, 2.0),
            (0.3583984375, -1.9169921875, 4.65234375, 1.3564453125, 3.0),
            (-70.0625, 42.03125, -125.0625, 83.0, 0.5),
        )
    )
    out, pairs = run(source, a, b, c, np.zeros(64, np.float16), np.zeros(128, np.float16), grid=(1, 1, 1))[3:]
    exact = (a.astype(float) * b + c).astype(np.float16)  # a product of halves and the sum fit a double
    assert exact[:5].tolist() == [-69.4375, 39.65625, -121.4375, 83.3125, 6.5]
    assert np.array_equal(out, exact)
    assert np.array_equal(pairs, np.repeat(exact, 2))
