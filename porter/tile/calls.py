"""CUDA's math functions as expressions of `tl` that run interpreted, on NVIDIA and on AMD.

Functions that Triton lacks are written out. `tl.exp` and its kin take float32 and float64 only; half
precision goes through float32, as CUDA's own half functions do.
"""

from __future__ import annotations

from collections.abc import Callable

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.functions import is_available

Lower = Callable[[kir.Expr], ir.Expr]

DIRECT = {
    "exp": "tl.exp", "exp2": "tl.exp2", "log": "tl.log", "log2": "tl.log2", "sqrt": "tl.sqrt",
    "rsqrt": "tl.rsqrt", "sin": "tl.sin", "cos": "tl.cos", "floor": "tl.floor", "ceil": "tl.ceil",
    "erf": "tl.erf", "fabs": "tl.abs", "abs": "tl.abs",
    "__expf": "tl.exp", "__logf": "tl.log", "__log2f": "tl.log2", "__sinf": "tl.sin", "__cosf": "tl.cos",
    "__fsqrt_rn": "tl.sqrt_rn", "__dsqrt_rn": "tl.sqrt_rn", "__frsqrt_rn": "tl.rsqrt",
}  # fmt: skip
NAN_DROPPING = {"fmin": "tl.minimum", "fmax": "tl.maximum", "min": "tl.minimum", "max": "tl.maximum"}
RENAMED = {
    "__powf": "pow", "__exp10f": "exp10", "__log10f": "log10", "__tanf": "tan", "nearbyint": "rint",
    "__popc": "popc", "__clz": "clz", "__ffs": "ffs", "__brev": "brev", "powi": "pow",
    "__popcll": "popc64", "__clzll": "clz64", "__ffsll": "ffs64", "__brevll": "brev64",
}  # fmt: skip
ARITHMETIC = {
    "__fadd_rn": "+", "__fsub_rn": "-", "__fmul_rn": "*", "__fdividef": "/", "__fdiv_rn": "/",
    "__dadd_rn": "+", "__dsub_rn": "-", "__dmul_rn": "*", "__ddiv_rn": "/", "__mul24": "*", "__umul24": "*",
    "fdivide": "/", "fmod": "%",
}  # fmt: skip


def lower_call(ctx: Context, call: kir.Call, lower: Lower) -> ir.Expr:
    """A pure call. Calls with effects are statements and handled there."""
    name = RENAMED.get(call.name, call.name)
    if not isinstance(call.type, kir.Scalar):
        raise Declined("TIL052", f"`{call.name}` gives a `{call.type}`", call.span)
    arguments = [lower(argument) for argument in call.arguments]
    if name in ("isnan", "isinf", "isfinite", "signbit"):
        return _classify(name, arguments[0])
    dtype = call.type
    if name == "abs" and dtype.kind == "int" and ir.is_weak(arguments[0]):
        arguments[0] = ir.Convert(arguments[0], arguments[0].type)
    half = (
        c.is_float(dtype) and dtype.bits < 32 and (name, dtype) != ("fma", kir.FLOAT16)
    )  # it would round twice
    if half:
        arguments = [c.convert(a, kir.FLOAT32) if c.is_float(a.type.dtype) else a for a in arguments]
    result = _apply(ctx, name, arguments, kir.FLOAT32 if half else dtype, call)
    return c.convert(result, dtype)


def _apply(ctx: Context, name: str, arguments: list[ir.Expr], dtype: kir.Scalar, call: kir.Call) -> ir.Expr:
    axes = ir.UNIFORM.union(*(a.type.axes for a in arguments))
    result = ir.TileType(dtype, axes)
    if name in DIRECT:
        return ir.Invoke(DIRECT[name], (_strong(arguments[0]),), result)
    if name in NAN_DROPPING:
        return _min_max(name, arguments, result)
    if name in ARITHMETIC:
        return c.binary(ARITHMETIC[name], arguments[0], arguments[1], dtype)
    if name in ("fma", "__fmaf_rn", "__fma_rn"):
        return ir.Invoke("tl.fma", (_strong(arguments[0]), *arguments[1:]), result)
    if name in ("__frcp_rn", "__drcp_rn"):
        return ir.Infix("/", c.literal(1.0, dtype), arguments[0], result)
    if name == "fdim":
        return ir.Invoke(
            "tl.maximum", (c.binary("-", arguments[0], arguments[1], dtype), c.literal(0.0, dtype)), result
        )
    if name == "__saturatef":
        return ir.Invoke(
            "tl.clamp", (_strong(arguments[0]), c.literal(0.0, dtype), c.literal(1.0, dtype)), result
        )
    if name == "__ldg":
        raise Declined("TIL052", "`__ldg` outside of a load", call.span)
    if name in ("__umulhi", "__umul64hi"):
        if all(ir.is_weak(argument) for argument in arguments):
            arguments[0] = _strong(arguments[0])  # two numbers of Python would be signed
        return ir.Invoke("tl.umulhi", tuple(arguments), result)
    if name == "__mulhi":
        wide = [ir.Convert(a, ir.TileType(kir.INT64, a.type.axes)) for a in arguments]
        product = c.binary("*", wide[0], wide[1], kir.INT64)
        return c.convert(c.binary(">>", product, c.literal(32, kir.INT64), kir.INT64), dtype)
    if is_available(name):
        return _helper(ctx, name, arguments, result)
    raise Declined(
        "TIL052",
        f"`{call.name}` has no equivalent in Triton",
        call.span,
        "write it out with functions tl has",
    )


def _helper(ctx: Context, name: str, arguments: list[ir.Expr], result: ir.TileType) -> ir.Expr:
    """A function of the module's own, printed above the kernels."""
    if name == "pow" and (power := _small_power(arguments)) is not None:
        return power
    if name == "tanh" and result.dtype == kir.FLOAT64:
        name = "tanh64"
    ctx.functions.add(name)
    arguments = [_strong(argument) for argument in arguments]
    if name == "pow":
        arguments = [c.convert(argument, result.dtype) for argument in arguments]
    return ir.Invoke(f"_{name}", tuple(arguments), result)


def _small_power(arguments: list[ir.Expr]) -> ir.Expr | None:
    """`pow(x, 2)` and `pow(x, 3)` as products."""
    base, exponent = arguments
    if not isinstance(base, ir.Name) or not isinstance(exponent, ir.Literal) or exponent.value not in (2, 3):
        return None
    square = ir.Infix("*", base, base, base.type)
    return square if exponent.value == 2 else ir.Infix("*", square, base, base.type)


def _strong(value: ir.Expr) -> ir.Expr:
    """Functions of `tl` want a Triton value where a Python number might stand."""
    return ir.Convert(value, value.type) if ir.is_weak(value) else value


def _min_max(name: str, arguments: list[ir.Expr], result: ir.TileType) -> ir.Expr:
    first = _strong(arguments[0]) if all(ir.is_weak(a) for a in arguments) else arguments[0]
    return ir.Invoke(NAN_DROPPING[name], (first, arguments[1]), result)


def _classify(name: str, value: ir.Expr) -> ir.Expr:
    value = _strong(value)
    truth = ir.TileType(kir.BOOL, value.type.axes)
    if value.type.dtype == kir.BFLOAT16:
        value = c.convert(value, kir.FLOAT32)
    if name == "isnan":
        return ir.Infix("!=", value, value, truth)
    if name == "signbit":
        bits = kir.Scalar("int", value.type.dtype.bits)
        as_int = ir.Convert(value, ir.TileType(bits, value.type.axes), bitcast=True)
        return ir.Infix("<", as_int, c.literal(0, bits), truth)
    size = ir.Invoke("tl.abs", (value,), value.type)
    infinity = c.literal(float("inf"), value.type.dtype)
    return ir.Infix("==" if name == "isinf" else "<", size, infinity, truth)
