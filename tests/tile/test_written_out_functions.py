"""CUDA functions that Triton lacks, which porter's headers and modules write out, against Python's own."""

import math

import numpy as np
import pytest

from porter.core.span import SourceText
from porter.cuda.clang_unit import parse_unit
from tests.tile.run_text import run

WORDS = np.array(
    [
        0,
        1,
        2,
        3,
        7,
        0x80,
        0xFF,
        0x7F80,
        0x8000,
        0xFFFF,
        0x80000000,
        0x7FFFFFFF,
        0xFFFFFFFF,
        0x80808080,
        0x7F7F7F7F,
    ]
    + [(k * 2654435761) & 0xFFFFFFFF for k in range(1, 50)],
    np.uint32,
)
OTHERS = np.roll(WORDS[::-1], 5)
N = WORDS.size
SPECIAL = [
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    1.0,
    -1.0,
    0.5,
    2.5,
    -2.5,
    1e-45,
    -3e-39,
    3.4e38,
    1e-30,
    7.0,
]
FLOATS = np.array(SPECIAL + [(-1) ** k * 1.37**k * 1e-4 for k in range(N - len(SPECIAL))], np.float32)
DOUBLES = np.array([*SPECIAL[:10], 5e-324, -3e-309, 1.7e308, 1e-300, 7.0, *FLOATS[15:].astype(float)])


def test_the_headers_have_no_errors():
    names = ("cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h")
    text = "".join(f"#include <{name}>\n" for name in names) + "__global__ void k(int* x) {}"
    unit = parse_unit(SourceText("kernel.cu", text.encode()))
    assert [str(d) for d in unit.translation_unit.diagnostics if d.severity >= 3] == []


def applied(
    expression: str, *arrays: np.ndarray, type_: str, result: np.ndarray, before: str = ""
) -> np.ndarray:
    names = "abc"[: len(arrays)]
    dtype = {"uint32": "unsigned", "int32": "int", "uint64": "unsigned long long", "int64": "long long",
             "float32": "float", "float64": "double", "float16": "__half"}[str(result.dtype)]  # fmt: skip
    parameters = ", ".join(f"const {type_}* p{n}" for n in names)
    reads = " ".join(f"const {type_} {n} = p{n}[threadIdx.x];" for n in names)
    source = f"""#include <cuda_fp16.h>
    __global__ void k({parameters}, {dtype}* out) {{ {reads} {before} out[threadIdx.x] = {expression}; }}"""
    return run(source, *arrays, result, grid=(1, 1, 1), block=(arrays[0].size, 1, 1))[-1]


def parts(word: int, bits: int, signed: bool) -> list[int]:
    found = [word >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [p - (1 << bits) if signed and p >> (bits - 1) else p for p in found]


def packed(values: list[int], bits: int) -> int:
    return sum((v & ((1 << bits) - 1)) << bits * k for k, v in enumerate(values))


def clamped(v: int, bits: int, signed: bool) -> int:
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, v))


@pytest.mark.parametrize(
    ("name", "bits", "signed", "part"),
    [
        ("__vadd4", 8, False, lambda a, b: a + b),
        ("__vsub2", 16, False, lambda a, b: a - b),
        ("__vabsdiffu4", 8, False, lambda a, b: abs(a - b)),
        ("__vmaxs4", 8, True, max),
        ("__vminu2", 16, False, min),
        ("__vcmpgtu4", 8, False, lambda a, b: -(a > b)),
        ("__vcmples2", 16, True, lambda a, b: -(a <= b)),
        ("__vseteq4", 8, False, lambda a, b: int(a == b)),
        ("__vavgu4", 8, False, lambda a, b: (a + b + 1) >> 1),
        ("__vaddss4", 8, True, lambda a, b: clamped(a + b, 8, True)),
        ("__vaddus2", 16, False, lambda a, b: clamped(a + b, 16, False)),
        ("__vsubus4", 8, False, lambda a, b: max(a - b, 0)),
        ("__vsubss2", 16, True, lambda a, b: clamped(a - b, 16, True)),
    ],
)
def test_several_numbers_in_a_word(name, bits, signed, part):
    expected = [
        packed(
            [
                part(p, q)
                for p, q in zip(parts(int(a), bits, signed), parts(int(b), bits, signed), strict=True)
            ],
            bits,
        )
        for a, b in zip(WORDS, OTHERS, strict=True)
    ]
    got = applied(f"{name}(a, b)", WORDS, OTHERS, type_="unsigned", result=np.zeros(N, np.uint32))
    assert got.tolist() == expected


def picked(a: int, b: int, selector: int) -> int:
    return sum((pair(a, b) >> 8 * (selector >> 4 * k & 7) & 255) << 8 * k for k in range(4))


def dot(a: int, b: int, *, signed: bool) -> int:
    return sum(p * q for p, q in zip(parts(a, 8, signed), parts(b, 8, signed), strict=True))


def pair(low: int, high: int) -> int:
    return high << 32 | low


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("__byte_perm(a, b, 0x6420)", lambda a, b: picked(a, b, 0x6420)),
        ("__byte_perm(a, b, b)", lambda a, b: picked(a, b, b)),
        ("__funnelshift_l(a, b, b)", lambda a, b: pair(a, b) << (b & 31) >> 32),
        ("__funnelshift_r(a, b, b)", lambda a, b: pair(a, b) >> (b & 31)),
        ("__funnelshift_lc(a, b, b)", lambda a, b: pair(a, b) << min(b, 32) >> 32),
        ("__funnelshift_rc(a, b, b)", lambda a, b: pair(a, b) >> min(b, 32)),
        ("__usad(a, b, 5u)", lambda a, b: abs(a - b) + 5),
        ("__uhadd(a, b)", lambda a, b: (a + b) >> 1),
        ("__urhadd(a, b)", lambda a, b: (a + b + 1) >> 1),
        ("__brev(a)", lambda a, b: int(f"{a:032b}"[::-1], 2)),
        ("__fns(a, 0, 3)", lambda a, b: ([k for k in range(32) if a >> k & 1] + [-1] * 3)[2]),
        ("__fns(a, 20, -2)", lambda a, b: ([k for k in range(20, -1, -1) if a >> k & 1] + [-1] * 2)[1]),
        ("__dp4a(a, b, 9u)", lambda a, b: dot(a, b, signed=False) + 9),
    ],
)  # fmt: skip
def test_words(expression, expected):
    got = applied(expression, WORDS, OTHERS, type_="unsigned", result=np.zeros(N, np.uint32))
    assert got.tolist() == [expected(int(a), int(b)) & 0xFFFFFFFF for a, b in zip(WORDS, OTHERS, strict=True)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("__mulhi(a, b)", lambda a, b: a * b >> 32),
        ("__hadd(a, b)", lambda a, b: (a + b) >> 1),
        ("__rhadd(a, b)", lambda a, b: (a + b + 1) >> 1),
        ("(int)__sad(a, b, 7u)", lambda a, b: abs(a - b) + 7),
        ("__dp4a(a, b, -4)", lambda a, b: dot(a & 0xFFFFFFFF, b & 0xFFFFFFFF, signed=True) - 4),
        ("__vimax3_s32(a, b, -5)", lambda a, b: max(a, b, -5)),
    ],
)  # fmt: skip
def test_signed_words(expression, expected):
    a, b = WORDS.view(np.int32), OTHERS.view(np.int32)
    got = applied(expression, a, b, type_="int", result=np.zeros(N, np.int32))
    wanted = np.array([expected(int(p), int(q)) & 0xFFFFFFFF for p, q in zip(a, b, strict=True)], np.uint32)
    assert np.array_equal(got, wanted.view(np.int32))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("__popcll(a)", lambda a: a.bit_count()),
        ("__clzll(a)", lambda a: 64 - a.bit_length()),
        ("__ffsll(a)", lambda a: (a & -a).bit_length()),
        ("__brevll(a)", lambda a: int(f"{a:064b}"[::-1], 2)),
        ("(unsigned long long)__mul64hi(a, a)", lambda a: (a - (a >> 63 << 64)) ** 2 >> 64),
    ],
)
def test_long_words(expression, expected):
    a = WORDS.astype(np.uint64) << np.uint64(32) | OTHERS.astype(np.uint64)
    a[:3] = [0, 1, 1 << 40]
    got = applied(expression, a, type_="unsigned long long", result=np.zeros(N, np.uint64))
    assert got.tolist() == [expected(int(v)) & (1 << 64) - 1 for v in a]


def same(got: np.ndarray, expected: np.ndarray) -> None:
    equal = (got == expected) & (np.signbit(got) == np.signbit(expected)) | np.isnan(got) & np.isnan(expected)
    assert equal.all(), (got[~equal], expected[~equal])


@pytest.mark.parametrize(("type_", "values", "suffix"), [("float", FLOATS, "f"), ("double", DOUBLES, "")])
def test_numbers_are_taken_apart_exactly(type_, values, suffix):
    def call(expression: str, before: str = "", result: object = values.dtype) -> np.ndarray:
        return applied(expression, values, type_=type_, result=np.zeros(N, result), before=before)  # type: ignore[call-overload]

    with np.errstate(all="ignore"):
        fraction, exponent = np.frexp(values)
        exponent[~np.isfinite(values)] = 0
        same(call(f"frexp{suffix}(a, &e)", "int e;"), fraction)
        assert np.array_equal(call("e", f"int e; frexp{suffix}(a, &e);", np.int32), exponent)
        same(call(f"modf{suffix}(a, &w)", f"{type_} w;"), np.copysign(np.modf(values)[0], values))
        same(call("w", f"{type_} w; modf{suffix}(a, &w);"), np.trunc(values))
        for power in (0, 1, -1, 30, -140, 150, -1074, 2100, -2200):
            same(call(f"ldexp{suffix}(a, {power})"), np.ldexp(values, power))
        same(call(f"nextafter{suffix}(a, 1.5{suffix})"), np.nextafter(values, values.dtype.type(1.5)))
        finite = np.isfinite(values) & (values != 0)
        assert np.array_equal(call(f"ilogb{suffix}(a)", result=np.int32)[finite], (exponent - 1)[finite])
        in_range = np.abs(values) < 1e15
        rounded = np.copysign(np.floor(np.abs(values.astype(float)) + 0.5), values)
        assert np.array_equal(call(f"llround{suffix}(a)", result=np.int64)[in_range], rounded[in_range])


@pytest.mark.parametrize("divisor", [3.0, -0.7, 1e-38, 3e38, math.inf, 0.0])
def test_remainders(divisor):
    values = FLOATS.astype(float)

    def expected(v: float) -> float:
        return math.nan if math.isnan(v) or math.isinf(v) or divisor == 0 else math.remainder(v, divisor)

    got = applied("remainder(a, b)", values, np.full(N, divisor), type_="double", result=np.zeros(N))
    same(got, np.array([expected(v) for v in values]))
    if divisor in (3.0, -0.7):
        got = applied("q", values, np.full(N, divisor), type_="double", result=np.zeros(N, np.int32),
                      before="int q; remquo(a, b, &q);")  # fmt: skip
        near = np.abs(values) < 1e6
        wanted = [round((v - math.remainder(v, divisor)) / divisor) for v in values[near]]
        assert got[near].tolist() == [(abs(q) & 7) * (-1 if q < 0 else 1) for q in wanted]


def test_conversions_that_round_in_a_direction():
    x = np.array([0.1, -0.1, 1 + 2**-30, -1 - 2**-30, 1e-46, 3.5, 1e300, 16777217.0])
    near = x.astype(np.float32)
    with np.errstate(over="ignore"):
        down = np.where(near.astype(float) > x, np.nextafter(near, np.float32(-np.inf)), near)
        up = np.where(near.astype(float) < x, np.nextafter(near, np.float32(np.inf)), near)
    zero = np.where(x > 0, down, up)
    for mode, expected in (("rd", down), ("ru", up), ("rz", zero)):
        got = applied(f"__double2float_{mode}(a)", x, type_="double", result=np.zeros(8, np.float32))
        assert np.array_equal(got, expected)


def sine_of_turns(x: float) -> float:
    return math.sin(math.pi * math.remainder(x, 1)) * (1 - 2 * (round(x) & 1))


def ulps(got: np.ndarray, expected: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):
        return float(
            np.nanmax(np.abs(got.astype(float) - expected) / np.spacing(np.abs(expected).astype(got.dtype)))
        )


@pytest.mark.parametrize(
    ("type_", "dtype", "suffix"), [("float", np.float32, "f"), ("double", np.float64, "")]
)
@pytest.mark.parametrize(
    ("name", "function", "low", "high", "limit"),
    [
        ("tanh", math.tanh, -25, 25, 6), ("sinh", math.sinh, -30, 30, 6), ("asinh", math.asinh, -1e9, 1e9, 6),
        ("acosh", math.acosh, 1.0, 1e9, 6), ("atanh", math.atanh, -0.99, 0.99, 6),
        ("atan", math.atan, -50, 50, 6),
        ("asin", math.asin, -1, 1, 8), ("acos", math.acos, -1, 1, 8),
        ("sinpi", sine_of_turns, -1.2, 1.2, 4),
        ("erfc", math.erfc, -6, 8, 8),
        ("normcdf", lambda x: 0.5 * math.erfc(-x * math.sqrt(0.5)), -5, 5, 24),
        ("rcbrt", lambda x: x ** (-1 / 3), 1e-3, 1e3, 6),
    ],
)  # fmt: skip
def test_accuracy(type_, dtype, suffix, name, function, low, high, limit):
    steps = np.linspace(-1, 1, 96) ** 3 if low < 0 else np.linspace(0, 1, 96) ** 3
    values = (steps * high if low < 0 else low + steps * (high - low)).astype(dtype)
    got = applied(f"{name}{suffix}(a)", values, type_=type_, result=np.zeros(96, dtype))
    assert ulps(got, np.array([function(float(v)) for v in values])) <= limit


@pytest.mark.parametrize(
    ("type_", "dtype", "suffix"), [("float", np.float32, "f"), ("double", np.float64, "")]
)
def test_angles_in_every_quadrant(type_, dtype, suffix):
    side = np.array([0.0, -0.0, 1, -1, 1e-20, -3e10, math.inf, -math.inf, math.nan, 2.5], dtype)
    y, x = (a.ravel() for a in np.meshgrid(side, side))
    got = applied(f"atan2{suffix}(a, b)", y, x, type_=type_, result=np.zeros(100, dtype))
    expected = np.arctan2(y, x)
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    assert np.array_equal(np.signbit(got[~np.isnan(got)]), np.signbit(expected[~np.isnan(got)]))
    close = np.abs(got - expected) <= 6 * np.spacing(np.abs(expected))
    assert (close | np.isnan(expected)).all()


def test_lengths():
    a, b = (np.array([3, 0, 1e30, 1e-30, math.inf, -2], np.float32) for _ in range(2))
    got = applied("norm3df(a, b, 1.0f)", a, b, type_="float", result=np.zeros(6, np.float32))
    expected = np.sqrt(2 * a.astype(float) ** 2 + 1)
    assert np.allclose(got, expected, rtol=1e-7)
    got = applied("rhypot(a, b)", a.astype(float), b.astype(float), type_="double", result=np.zeros(6))
    with np.errstate(divide="ignore"):
        assert np.allclose(got, 1 / np.hypot(a.astype(float), b.astype(float)), rtol=1e-14)


def test_pairs_of_halves():
    x = np.tile(np.array([1, -2, 0.5, 4, 0, 100, 0.25, 3], np.float16), 16)
    source = """#include <cuda_fp16.h>
    __global__ void k(const half2* x, half2* out, int* flags) {
        const int i = threadIdx.x;
        half2 v = x[i];
        v -= __float2half2_rn(0.5f);
        const half2 roots = h2sqrt(__habs2(v));
        out[4 * i] = roots;
        out[4 * i + 1] = __lowhigh2highlow(v);
        out[4 * i + 2] = __hgt2(v, __low2half2(v));
        out[4 * i + 3] = __hmul2_sat(v, v);
        flags[i] = __hbeq2(v, v) + 2 * __hble2(v, __high2half2(v));
    }"""
    _, out, flags = run(source, x, np.zeros(512, np.float16), np.zeros(64, np.int32), grid=(1, 1, 1))
    v = (x - np.float16(0.5)).reshape(64, 2)
    expected = np.stack(
        [
            np.sqrt(np.abs(v).astype(np.float32)).astype(np.float16),
            v[:, ::-1],
            (v > v[:, :1]).astype(np.float16),
            np.clip(v * v, 0, 1),
        ],
        axis=1,
    )
    assert np.array_equal(out.reshape(64, 4, 2), expected)
    assert np.array_equal(flags, 1 + 2 * (v <= v[:, 1:]).all(axis=1))
