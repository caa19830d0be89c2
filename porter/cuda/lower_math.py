"""Math intrinsics: the C name for double says the function, the operand type says the precision."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.kir import (
    BOOL,
    INT32,
    INT64,
    UINT32,
    Assign,
    Bitcast,
    Call,
    Cast,
    Expr,
    Index,
    Lvalue,
    MakeVector,
    Member,
    Scalar,
    Select,
    VarRef,
    Vector,
)
from porter.cuda.lower_expr import member
from porter.cuda.lower_intrinsics import IntrinsicCall, extremum, intrinsic, is_float, nothing, std_function
from porter.cuda.lower_vectors import elementwise

_UNARY = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "cyl_bessel_i0",
    "cyl_bessel_i1", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1", "fabs",
    "floor", "j0", "j1", "lgamma", "log", "log10", "log1p", "log2", "nearbyint", "normcdfinv",
    "rint", "round", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "y0", "y1",
)  # fmt: skip
_BINARY = ("atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "pow")
_OTHER = ("fma",)
_CANONICAL = {name + suffix: name for name in (*_UNARY, *_BINARY, *_OTHER) for suffix in ("", "f")}
_KEPT = (
    "__cosf", "__expf", "__exp10f", "__log10f", "__log2f", "__logf", "__sinf", "__tanf", "__tanhf",
    "__powf", "__saturatef", "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev",
    "__brevll", "__umulhi", "__umul64hi", "isnan", "isinf", "isfinite", "signbit", "__frsqrt_rn",
)  # fmt: skip


@intrinsic(*_CANONICAL)
def lower_math(call: IntrinsicCall) -> Expr:
    """Arguments of another type (`sqrt` of an int) are converted to the result's, as the C++ overloads do."""
    name, type_ = _CANONICAL[call.name], call.type
    values = [build.cast(v, type_) for v in call.values()]
    return Call(name, tuple(values), type_, call.span)


@std_function(*_CANONICAL)
def lower_std_math(call: IntrinsicCall) -> Expr:
    return lower_math(call)


@intrinsic(*_KEPT)
def lower_kept(call: IntrinsicCall) -> Expr:
    return Call(call.name, tuple(call.values()), call.type, call.span)


@intrinsic("abs", "labs", "llabs")
def lower_abs(call: IntrinsicCall) -> Expr:
    return Call("fabs" if is_float(call.type) else "abs", tuple(call.values()), call.type, call.span)


@std_function("abs")
def lower_std_abs(call: IntrinsicCall) -> Expr:
    return lower_abs(call)


@std_function("min", "max")
def lower_std_extremum(call: IntrinsicCall) -> Expr:
    """`std::max(a, b)` is `a < b ? b : a`, also for NaN; on ints that is `max`."""
    if not is_float(call.type):
        return extremum(call, call.name)
    first, second = (call.ctx.freeze(v, "operand") for v in call.values())
    left, right = (first, second) if call.name == "max" else (second, first)
    return Select(build.compare("<", left, right, call.span), second, first, call.type, call.span)


@std_function("isnan", "isinf", "isfinite", "signbit")
def lower_std_classification(call: IntrinsicCall) -> Expr:
    return lower_kept(call)


@intrinsic("fdivide", "fdividef", "__fdividef")
def lower_division(call: IntrinsicCall) -> Expr:
    left, right = call.values()
    if call.name == "__fdividef":
        return Call(call.name, (left, right), call.type, call.span)
    return build.binary("/", left, right, call.type, call.span)


@intrinsic("saturate")
def lower_saturate(call: IntrinsicCall) -> Expr:
    return Call("__saturatef", tuple(call.values()), call.type, call.span)


# --- results through pointers ---


@intrinsic("sincos", "sincosf", "__sincosf", "sincospi", "sincospif")
def lower_sincos(call: IntrinsicCall) -> Expr:
    angle = call.ctx.freeze(call.value(0), "angle")
    names = {"__sincosf": ("__sinf", "__cosf")}.get(
        call.name, ("sinpi", "cospi") if "pi" in call.name else ("sin", "cos")
    )
    for position, name in enumerate(names, start=1):
        target = _pointed(call, position)
        call.ctx.emit(Assign(target, Call(name, (angle,), angle.type, call.span), call.span))
    return nothing(call.span)


def _pointed(call: IntrinsicCall, position: int) -> Lvalue:
    place = build.index(call.value(position), build.int_constant(0, call.span), call.span)
    assert isinstance(place, (VarRef, Index, Member))
    return place


# --- rounded arithmetic ---

_ROUNDED = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


@intrinsic(*(f"__{p}{op}_rn" for p in "fd" for op in _ROUNDED))
def lower_rounded(call: IntrinsicCall) -> Expr:
    left, right = call.values()
    return build.binary(_ROUNDED[call.name[3:6]], left, right, call.type, call.span)


@intrinsic("__fmaf_rn", "__fma_rn")
def lower_fma(call: IntrinsicCall) -> Expr:
    return Call("fma", tuple(call.values()), call.type, call.span)


@intrinsic("__frcp_rn", "__drcp_rn", "hrcp")
def lower_reciprocal(call: IntrinsicCall) -> Expr:
    one = build.constant(1.0, call.type, call.span)
    return build.binary("/", one, call.value(0), call.type, call.span)


@intrinsic("__fsqrt_rn", "__dsqrt_rn")
def lower_root(call: IntrinsicCall) -> Expr:
    return Call("sqrt", tuple(call.values()), call.type, call.span)


# --- conversions ---

_FROM = ("float", "double", "int", "uint", "ll", "ull", "half", "bfloat16")
_TO = ("float", "double", "int", "uint", "ll", "ull", "half", "bfloat16")
_ROUNDING_CALL = {"rn": "rint", "ru": "ceil", "rd": "floor", "rz": "trunc"}


# Written out in the headers.
_DIRECTED = frozenset(f"__{a}2float_{mode}" for a in ("double", "int", "uint") for mode in ("rz", "rd", "ru"))


def _conversions(mode: str) -> list[str]:
    names = [f"__{a}2{b}{mode}" for a in _FROM for b in _TO if a != b]
    return [name for name in names if name not in _DIRECTED]


@intrinsic(
    *_conversions(""), *_conversions("_rn"), *_conversions("_rz"), *_conversions("_rd"), *_conversions("_ru")
)
def lower_conversion(call: IntrinsicCall) -> Expr:
    """`__float2int_rd` rounds first; conversions to a float type round to nearest whatever the source."""
    value, type_ = call.value(0), call.type
    mode = call.name.rpartition("_")[2]
    if is_float(value.type) and not is_float(type_) and mode in _ROUNDING_CALL and mode != "rz":
        value = Call(_ROUNDING_CALL[mode], (value,), value.type, call.span)
    elif is_float(type_) and mode in ("rz", "rd", "ru"):
        raise call.ctx.decline("TIL015", f"`{call.name}` rounds in a direction of its own", call.cursor)
    return build.cast(value, type_, call.span)


_BITCASTS = (
    "__float_as_int", "__float_as_uint", "__int_as_float", "__uint_as_float", "__double_as_longlong",
    "__longlong_as_double", "__half_as_ushort", "__half_as_short", "__ushort_as_half", "__short_as_half",
    "__bfloat16_as_ushort", "__ushort_as_bfloat16",
)  # fmt: skip


@intrinsic(*_BITCASTS)
def lower_bitcast(call: IntrinsicCall) -> Expr:
    return Bitcast(call.value(0), call.type, call.span)


@intrinsic("__mul24", "__umul24")
def lower_mul24(call: IntrinsicCall) -> Expr:
    """The low 32 bits of the product of the low 24 bits of each operand."""
    type_ = call.type
    assert isinstance(type_, Scalar)
    left, right = (_low24(call, v, type_) for v in call.values())
    return build.binary("*", left, right, type_, call.span)


def _low24(call: IntrinsicCall, value: Expr, type_: Scalar) -> Expr:
    if type_ == UINT32:
        return build.binary("&", value, build.int_constant(0xFFFFFF, call.span, UINT32), type_, call.span)
    eight = build.int_constant(8, call.span, INT32)
    return build.binary(">>", build.binary("<<", value, eight, type_, call.span), eight, type_, call.span)


@intrinsic("__double2hiint", "__double2loint")
def lower_half_of_double(call: IntrinsicCall) -> Expr:
    bits: Expr = Bitcast(call.value(0), INT64, call.span)
    if call.name == "__double2hiint":
        bits = build.binary(">>", bits, build.int_constant(32, call.span, INT64), INT64, call.span)
    return Cast(bits, INT32, call.span)


# --- vectors ---

_VECTOR_BASES = (
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float",
    "double",
)  # fmt: skip
_MAKE = tuple(f"make_{t}{n}" for t in _VECTOR_BASES for n in range(1, 5))


@intrinsic(*_MAKE, "make_half2", "make_bfloat162", "__halves2half2", "__halves2bfloat162")
def lower_make_vector(call: IntrinsicCall) -> Expr:
    type_ = call.type
    assert isinstance(type_, Vector)
    return MakeVector(tuple(build.cast(v, type_.element) for v in call.values()), type_, call.span)


@intrinsic("__floats2half2_rn", "__floats2bfloat162_rn")
def lower_pack(call: IntrinsicCall) -> Expr:
    return lower_make_vector(call)


@intrinsic("__float2half2_rn", "__half2half2", "__float2bfloat162_rn", "__bfloat162bfloat162")
def lower_broadcast(call: IntrinsicCall) -> Expr:
    type_ = call.type
    assert isinstance(type_, Vector)
    value = build.cast(call.ctx.freeze(call.value(0), "packed"), type_.element)
    return MakeVector((value, value), type_, call.span)


@intrinsic("__half22float2", "__bfloat1622float2", "__float22half2_rn")
def lower_unpack(call: IntrinsicCall) -> Expr:
    type_ = call.type
    assert isinstance(type_, Vector)
    element = type_.element
    return elementwise(
        call.ctx, type_, [call.value(0)], call.cursor, lambda lane: build.cast(lane[0], element)
    )


@intrinsic("__low2float", "__high2float", "__low2half", "__high2half", "__low2bfloat16", "__high2bfloat16")
def lower_half_of_pair(call: IntrinsicCall) -> Expr:
    axis = "x" if call.name.startswith("__low") else "y"
    return build.cast(member(call.ctx, call.value(0), axis, call.cursor), call.type)


# --- 16-bit arithmetic ---

_HALF_BINARY = {
    "__hadd": "+",
    "__hsub": "-",
    "__hmul": "*",
    "__hdiv": "/",
    "__hadd_rn": "+",
    "__hmul_rn": "*",
}
_HALF_COMPARE = {"__heq": "==", "__hne": "!=", "__hlt": "<", "__hle": "<=", "__hgt": ">", "__hge": ">="}
_HALF_CALLS = {
    "__hmax": "fmax", "__hmin": "fmin", "__hfma": "fma", "__habs": "fabs", "hexp": "exp", "hlog": "log",
    "hsqrt": "sqrt", "hrsqrt": "rsqrt", "hsin": "sin", "hcos": "cos", "htanh": "tanh", "hfloor": "floor",
    "hceil": "ceil", "__hisnan": "isnan",
}  # fmt: skip


@intrinsic(*_HALF_BINARY)
def lower_half_binary(call: IntrinsicCall) -> Expr:
    left, right = call.values()
    if not is_float(call.type):
        return _average(call, left, right)
    return build.binary(_HALF_BINARY[call.name], left, right, call.type, call.span)


def _average(call: IntrinsicCall, left: Expr, right: Expr) -> Expr:
    """`__hadd` of ints: half the sum, rounded down, without overflow."""
    type_, span = call.type, call.span
    left, right = call.ctx.freeze(left, "left"), call.ctx.freeze(right, "right")
    common = build.binary("&", left, right, type_, span)
    apart = build.binary("^", left, right, type_, span)
    half = build.binary(">>", apart, build.int_constant(1, span, INT32), type_, span)
    return build.binary("+", common, half, type_, span)


@intrinsic("__hadd2", "__hsub2", "__hmul2", "__h2div", "__hmax2", "__hmin2", "__hfma2", "__hneg2")
def lower_pair_arithmetic(call: IntrinsicCall) -> Expr:
    type_ = call.type
    assert isinstance(type_, Vector)
    name = "__hdiv" if call.name == "__h2div" else call.name.removesuffix("2")

    def combine(lane: list[Expr]) -> Expr:
        if name == "__hneg":
            return build.negate(lane[0], call.span)
        if name in _HALF_BINARY:
            return build.binary(_HALF_BINARY[name], lane[0], lane[1], type_.element, call.span)
        return Call(_HALF_CALLS[name], tuple(lane), type_.element, call.span)

    return elementwise(call.ctx, type_, call.values(), call.cursor, combine)


@intrinsic(*_HALF_COMPARE)
def lower_half_compare(call: IntrinsicCall) -> Expr:
    left, right = call.values()
    return build.compare(_HALF_COMPARE[call.name], left, right, call.span)


@intrinsic("__hneg")
def lower_half_negate(call: IntrinsicCall) -> Expr:
    return build.negate(call.value(0), call.span)


@intrinsic(*_HALF_CALLS)
def lower_half_call(call: IntrinsicCall) -> Expr:
    type_ = BOOL if call.name == "__hisnan" else call.type
    return Call(_HALF_CALLS[call.name], tuple(call.values()), type_, call.span)
