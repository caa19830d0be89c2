"""A function of NVIDIA's libdevice by its own name.

What it finds: calls of `__nv_sinf`, `__nv_pow` and the like in device code.

Why it matters: the library is NVIDIA's: such a call compiles where the file declares the function, and does
not link.

What porter does: reports it. The fix calls the function of CUDA's math library, which nvcc maps to the same
code.

Example: `__nv_sinf(x)` becomes `sinf(x)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import is_on_device

_MATH = frozenset(
    (
        *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign"),
        *("cos", "cosh", "erf", "erfc", "erfcinv", "erfinv", "exp", "exp10", "exp2", "expm1"),
        *("fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "j0", "j1", "ldexp"),
        *("lgamma", "log", "log10", "log1p", "log2", "nearbyint", "pow", "rcbrt", "remainder"),
        *("rint", "round", "rsqrt", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma"),
        *("trunc", "y0", "y1"),
    )
)


@rule("API024", "libdevice-call", fixable=True)
def libdevice_call(unit: TranslationUnit) -> Iterator[Diagnostic]:
    names = frozenset(word for word in unit.words if word.startswith("__nv_") and _plain(word) in _MATH)
    for call in calls(unit, names):
        if not is_on_device(unit, call.name) or _is_declaration(call):
            continue
        name = call.name.text
        new = name.removeprefix("__nv_")
        fix = (Edit(call.name.start, call.name.end, new.encode(), "CUDA's name"),)
        message = f"{name} is in NVIDIA's libdevice, which AMD does not have"
        yield Diagnostic("API024", Severity.ERROR, message, unit.span_of(call.name), f"call {new}", fix)


def _plain(word: str) -> str:
    return word.removeprefix("__nv_").removesuffix("f") if word != "__nv_erf" else "erf"


def _is_declaration(call: CallSite) -> bool:
    """Whether a type stands in front: `float __nv_sinf(float);`."""
    return call.at > 0 and call.stream.tokens[call.at - 1].text in ("float", "double", "int", "void")
