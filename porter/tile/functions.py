"""Functions a generated module brings along: what `tl` lacks, written with what it has.

They run interpreted and compile for NVIDIA and AMD. Where a formula loses accuracy near zero a series is
used there; the error bounds are those of the functions they are made of, a few ulp.
"""

from __future__ import annotations

import re

_COMBINE = {
    "add": "a + b",
    "multiply": "a * b",
    "minimum": "tl.minimum(a, b)",
    "maximum": "tl.maximum(a, b)",
    "and": "a & b",
    "or": "a | b",
    "xor": "a ^ b",
}

_SOURCES = {
    "each": """
@triton.jit
def _each(mask):
    # For every component what holds for its vector.
    return None if mask is None else mask[:, None]
""",
    "load2": """
@triton.jit
def _load2(pointers, mask, other=None):
    # The two components of a vector in one access for each lane.
    places = pointers[:, None] + tl.arange(0, 2)[None, :]
    return tl.split(tl.load(places, mask=_each(mask), other=other))
""",
    "load4": """
@triton.jit
def _load4(pointers, mask, other=None):
    # The four components of a vector in one access for each lane.
    places = pointers[:, None] + tl.arange(0, 4)[None, :]
    vectors = tl.load(places, mask=_each(mask), other=other)
    even, odd = tl.split(tl.reshape(vectors, (pointers.shape[0], 2, 2)))
    x, z = tl.split(even)
    y, w = tl.split(odd)
    return x, y, z, w
""",
    "store2": """
@triton.jit
def _store2(pointers, x, y, mask):
    # The two components of a vector in one access for each lane.
    tl.store(pointers[:, None] + tl.arange(0, 2)[None, :], tl.join(x, y), mask=_each(mask))
""",
    "store4": """
@triton.jit
def _store4(pointers, x, y, z, w, mask):
    # The four components of a vector in one access for each lane.
    vectors = tl.reshape(tl.join(tl.join(x, z), tl.join(y, w)), (pointers.shape[0], 4))
    tl.store(pointers[:, None] + tl.arange(0, 4)[None, :], vectors, mask=_each(mask))
""",
    "tanh": """
@triton.jit
def _tanh(x):
    # Near zero the quotient below cancels; five terms of the series are exact to float32 there.
    x2 = x * x
    near = x * (1.0 + x2 * (-1.0 / 3.0 + x2 * (2.0 / 15.0 + x2 * (-17.0 / 315.0 + x2 * (62.0 / 2835.0)))))
    decay = tl.exp(-2.0 * tl.abs(x))
    far = 1.0 - 2.0 * decay / (1.0 + decay)
    return tl.where(tl.abs(x) < 0.2, near, tl.where(x < 0, -far, far))
""",
    "tanh64": """
@triton.jit
def _tanh64(x):
    # By expm1, which keeps its digits near zero; beyond 20 the result is 1.
    grown = _expm1(2.0 * tl.minimum(tl.abs(x), 20.0))
    size = grown / (grown + 2.0)
    size = tl.where(x != x, x, size)
    return tl.where(x < 0, -size, size)
""",
    "sinh": """
@triton.jit
def _sinh(x):
    # In halves, because the exponential overflows before its half does.
    size = tl.abs(x)
    grown = _expm1(tl.minimum(size, 20.0))
    near = 0.5 * (grown + grown / (grown + 1.0))
    half = tl.exp(0.5 * size)
    size = tl.where(size < 20.0, near, 0.5 * half * half)
    return tl.where(x < 0, -size, size)
""",
    "asinh": """
@triton.jit
def _asinh(x):
    size = tl.abs(x)
    small = tl.minimum(size, 1e8)
    near = _log1p(small + small * small / (1.0 + tl.sqrt(small * small + 1.0)))
    size = tl.where(size < 1e8, near, tl.log(size) + 0.6931471805599453)
    return tl.where(x < 0, -size, size)
""",
    "acosh": """
@triton.jit
def _acosh(x):
    t = tl.minimum(x, 1e8) - 1.0
    return tl.where(x < 1e8, _log1p(t + tl.sqrt(t * (t + 2.0))), tl.log(x) + 0.6931471805599453)
""",
    "atanh": """
@triton.jit
def _atanh(x):
    size = tl.abs(x)
    size = 0.5 * _log1p(2.0 * size / (1.0 - size))
    return tl.where(x < 0, -size, size)
""",
    "cosh": """
@triton.jit
def _cosh(x):
    return 0.5 * (tl.exp(x) + tl.exp(-x))
""",
    "tan": """
@triton.jit
def _tan(x):
    return tl.sin(x) / tl.cos(x)
""",
    "exp10": """
@triton.jit
def _exp10(x):
    return tl.exp2(x * 3.321928094887362)
""",
    "log10": """
@triton.jit
def _log10(x):
    return tl.log2(x) * 0.30102999566398120
""",
    "log1p": """
@triton.jit
def _log1p(x):
    # Kahan's correction: the rounding of 1 + x is divided out again.
    u = 1.0 + x
    return tl.where(u == 1.0, x, tl.log(u) * (x / (u - 1.0)))
""",
    "expm1": """
@triton.jit
def _expm1(x):
    u = tl.exp(x)
    near = (u - 1.0) * x / tl.log(u)
    return tl.where(u == 1.0, x, tl.where(tl.abs(x) < 1.0, near, u - 1.0))
""",
    "pow": """
@triton.jit
def _pow(x, y):
    # In float64, because the error of the logarithm grows with the size of the result.
    x, y = x + tl.zeros_like(y), y + tl.zeros_like(x)
    base = tl.abs(x).to(tl.float64)
    size = tl.exp2(y.to(tl.float64) * tl.log2(tl.where(base == 0, 1.0, base))).to(x.dtype)
    whole = tl.floor(y) == y
    odd = whole & (tl.floor(y * 0.5) * 2.0 != y)
    result = tl.where(x < 0, tl.where(whole, tl.where(odd, -size, size), float("nan")), size)
    zero = tl.where(y < 0, float("inf"), 0.0)
    result = tl.where(x == 0, zero, result)
    return tl.where((y == 0) | (x == 1), 1.0, result)
""",
    "atan": """
@triton.jit
def _atan(x):
    # atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))): two halvings bring the argument below tan(pi / 16).
    size = tl.abs(x)
    t = tl.where(size > 1.0, 1.0 / tl.where(size > 1.0, size, 1.0), size)
    t = t / (1.0 + tl.sqrt(1.0 + t * t))
    t = t / (1.0 + tl.sqrt(1.0 + t * t))
    t2 = t * t
    series = 1.0 / 9.0 + t2 * (-1.0 / 11.0 + t2 * (1.0 / 13.0))
    if x.dtype == tl.float64:
        rest = -1.0 / 19.0 + t2 * (1.0 / 21.0 + t2 * (-1.0 / 23.0 + t2 * (1.0 / 25.0 - t2 / 27.0)))
        series += t2 * t2 * t2 * (-1.0 / 15.0 + t2 * (1.0 / 17.0 + t2 * rest))
    series = 1.0 + t2 * (-1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * series)))
    angle = 4.0 * t * series
    angle = tl.where(size > 1.0, 1.5707963267948966 - angle, angle)
    return tl.where(x < 0, -angle, angle)
""",
    "atan2": """
@triton.jit
def _atan2(y, x):
    y, x = y * (tl.zeros_like(x) + 1.0), x * (tl.zeros_like(y) + 1.0)  # one shape, signs of zeros kept
    # The smaller of the two over the larger; a quarter turn minus it where that is upside down.
    high, wide = tl.abs(y), tl.abs(x)
    large, small = tl.maximum(high, wide), tl.minimum(high, wide)
    both_infinite = small == float("inf")
    ratio = small / tl.where((large == 0) | both_infinite, 1.0, large)
    angle = _atan(tl.where(both_infinite, 1.0, ratio))
    angle = tl.where(high > wide, 1.5707963267948966 - angle, angle)
    leftwards = (x < 0) | ((x == 0) & (1.0 / x < 0))
    angle = tl.where(leftwards, 3.141592653589793 - angle, angle)
    angle = tl.where((x != x) | (y != y), x + y, angle)
    return tl.where((y < 0) | ((y == 0) & (1.0 / y < 0)), -angle, angle)
""",
    "asin": """
@triton.jit
def _asin(x):
    return 2.0 * _atan(x / (1.0 + tl.sqrt(1.0 - x * x)))
""",
    "acos": """
@triton.jit
def _acos(x):
    # The half-angle form keeps its digits near 1, where pi / 2 - asin(x) cancels.
    return 2.0 * _atan(tl.sqrt(tl.maximum(1.0 - x, 0.0)) / tl.sqrt(tl.where(x > -1.0, 1.0 + x, 1e-30)))
""",
    "cbrt": """
@triton.jit
def _cbrt(x):
    size = tl.exp2(tl.log2(tl.abs(x)) / 3.0)
    # One Newton step brings the estimate to full precision.
    size = tl.where(x == 0, 0.0, size - (size * size * size - tl.abs(x)) / (3.0 * size * size))
    return tl.where(x < 0, -size, size)
""",
    "erfc": """
@triton.jit
def _erfc(x):
    # (1 + 2x) exp(x^2) erfc(x) is smooth in t (Shepherd and Laframboise, Math. Comp. 36, 1981).
    size = tl.minimum(tl.abs(x), 30.0)
    t = (size - 3.75) / (size + 3.75)
    if x.dtype == tl.float64:
        series = -2.618813061583627e-09 + t * 3.382539645590587e-10
        series = 3.195193480177158e-08 + t * (-3.902902953971129e-09 + t * series)
        series = -2.484982667107954e-07 + t * (2.3665185551557878e-08 + t * series)
        series = 1.7418745238655364e-06 + t * (-5.7794415773347656e-08 + t * series)
        series = -1.1437951412948969e-05 + t * (-9.730440947047915e-07 + t * series)
        series = 5.164647498700288e-05 + t * (2.238394003325396e-05 + t * series)
        series = 0.0002937143976607096 + t * (-0.0002901539676003223 + t * series)
        series = -0.009746579687582541 + t * (0.0017556258257028223 + t * series)
        series = -0.05869339857610267 + t * (0.028362277422926595 + t * series)
        series = -0.10880393014247963 + t * (0.09230432116005796 + t * series)
        series = 0.003585415485479889 + t * (0.08227673849015697 + t * series)
        series = 1.2375126308378275 + t * (-0.14024059858554708 + t * series)
        high = size.to(tl.float32).to(tl.float64)
    else:
        series = -0.0098444949 + t * (0.0016759122 + t * (0.00039630761 + t * -0.00022411675))
        series = -0.10881427 + t * (0.09229077 + t * (-0.058646859 + t * (0.028409252 + t * series)))
        series = 1.2375126 + t * (-0.14024066 + t * (0.0035862704 + t * (0.08227842 + t * series)))
        high = size.to(tl.float16).to(tl.float32)
    # The square of `high` is exact, so that exp(-x^2) keeps its digits.
    power = tl.exp(-high * high) * tl.exp((high - size) * (high + size))
    value = power * series / (1.0 + 2.0 * size)
    return tl.where(x != x, x, tl.where(x < 0, 2.0 - value, value))
""",
    "trunc": """
@triton.jit
def _trunc(x):
    return tl.where(x < 0, tl.ceil(x), tl.floor(x))
""",
    "round": """
@triton.jit
def _round(x):
    # Halves away from zero, as C's round.
    down = tl.floor(tl.abs(x))
    size = tl.where(tl.abs(x) - down >= 0.5, down + 1.0, down)
    return tl.where(x < 0, -size, size)
""",
    "rint": """
@triton.jit
def _rint(x):
    # Halves to even, as the hardware rounds.
    down = tl.floor(x)
    rest = x - down
    odd = tl.floor(down * 0.5) * 2.0 != down
    return tl.where((rest > 0.5) | ((rest == 0.5) & odd), down + 1.0, down)
""",
    "hypot": """
@triton.jit
def _hypot(x, y):
    large = tl.maximum(tl.abs(x), tl.abs(y))
    small = tl.minimum(tl.abs(x), tl.abs(y))
    ratio = tl.where(large == 0, 0.0, small / tl.where(large == 0, 1.0, large))
    return tl.where(large == float("inf"), large, large * tl.sqrt(1.0 + ratio * ratio))
""",
    "copysign": """
@triton.jit
def _copysign(x, y):
    negative = (y < 0) | ((y == 0) & (1.0 / y < 0))
    return tl.where(negative, -tl.abs(x), tl.abs(x))
""",
    "match_any": """
@triton.jit
def _match_any(values, active, LANES: tl.constexpr):
    # A bit for each active lane of the warp that holds the same value.
    WARPS: tl.constexpr = values.numel // LANES
    rows = tl.reshape(values, (WARPS, LANES))
    same = (rows[:, :, None] == rows[:, None, :]) & tl.reshape(active, (WARPS, LANES))[:, None, :]
    bits = tl.full((LANES,), 1, tl.uint32) << tl.arange(0, LANES)
    return tl.reshape(tl.sum(tl.where(same, bits[None, None, :], 0), axis=2), values.shape)
""",
    "popc": """
@triton.jit
def _popc(x):
    # Bits set in a 32-bit word: sums of neighbouring pairs, nibbles, bytes.
    x = x.to(tl.uint32)
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) >> 24).to(tl.int32)
""",
    "clz": """
@triton.jit
def _clz(x):
    # Smears the highest bit downwards; what is left clear is the leading zeros.
    x = x.to(tl.uint32)
    x = x | (x >> 1)
    x = x | (x >> 2)
    x = x | (x >> 4)
    x = x | (x >> 8)
    x = x | (x >> 16)
    return 32 - _popc(x)
""",
    "ffs": """
@triton.jit
def _ffs(x):
    x = x.to(tl.uint32)
    below = (x & (~x + 1)) - 1
    return tl.where(x == 0, 0, _popc(below) + 1)
""",
    "brev": """
@triton.jit
def _brev(x):
    x = x.to(tl.uint32)
    x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1)
    x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2)
    x = ((x >> 4) & 0x0F0F0F0F) | ((x & 0x0F0F0F0F) << 4)
    x = ((x >> 8) & 0x00FF00FF) | ((x & 0x00FF00FF) << 8)
    return (x >> 16) | (x << 16)
""",
    "popc64": """
@triton.jit
def _popc64(x):
    return _popc(x.to(tl.uint32)) + _popc((x.to(tl.uint64) >> 32).to(tl.uint32))
""",
    "clz64": """
@triton.jit
def _clz64(x):
    high = (x.to(tl.uint64) >> 32).to(tl.uint32)
    return tl.where(high == 0, 32 + _clz(x.to(tl.uint32)), _clz(high))
""",
    "ffs64": """
@triton.jit
def _ffs64(x):
    low, high = x.to(tl.uint32), (x.to(tl.uint64) >> 32).to(tl.uint32)
    return tl.where(low != 0, _ffs(low), tl.where(high != 0, 32 + _ffs(high), 0))
""",
    "brev64": """
@triton.jit
def _brev64(x):
    low, high = x.to(tl.uint32), (x.to(tl.uint64) >> 32).to(tl.uint32)
    return (_brev(low).to(tl.uint64) << 32) | _brev(high).to(tl.uint64)
""",
}


def _over_rows(source: str) -> str:
    """A function over the lanes of one axis for those of `[rows, lanes]`."""
    for one_axis, two_axes in (
        ("[:, None]", "[:, :, None]"),
        ("[None, :]", "[None, None, :]"),
        ("(pointers.shape[0], ", "(pointers.shape[0], pointers.shape[1], "),
        ("_each(", "_each_rows("),
    ):
        source = source.replace(one_axis, two_axes)
    return re.sub(r"def (_\w+?)(?:_rows)?\(", r"def \1_rows(", source)


VECTOR_FUNCTIONS = ("load2", "load4", "store2", "store4")
_SOURCES |= {f"{name}_rows": _over_rows(_SOURCES[name]) for name in ("each", *VECTOR_FUNCTIONS)}
_NEEDS = {
    **{f"{name}_rows": ("each_rows",) for name in VECTOR_FUNCTIONS},
    "load2": ("each",),
    "load4": ("each",),
    "store2": ("each",),
    "store4": ("each",),
    "clz": ("popc",),
    "ffs": ("popc",),
    "popc64": ("popc",),
    "clz64": ("popc", "clz"),
    "ffs64": ("popc", "ffs"),
    "brev64": ("brev",),
    "atan2": ("atan",),
    "asin": ("atan",),
    "tanh64": ("expm1",),
    "sinh": ("expm1",),
    "asinh": ("log1p",),
    "acosh": ("log1p",),
    "atanh": ("log1p",),
    "acos": ("atan",),
}


def is_available(name: str) -> bool:
    return name in _SOURCES


def function_sources(names: frozenset[str]) -> list[str]:
    """The text of each function, those it calls first."""
    wanted: dict[str, None] = {}
    for name in sorted(names):
        wanted.update(dict.fromkeys((*_NEEDS.get(name, ()), name)))
    return [_source(name) for name in wanted]


def _source(name: str) -> str:
    if name.startswith("combine_"):
        kind = name.removeprefix("combine_")
        return f"@triton.jit\ndef _combine_{kind}(a, b):\n    return {_COMBINE[kind]}"
    return _SOURCES[name].strip()
