"""What a CUDA math function becomes in Triton, as text: a name of `tl`, or a function of the module's own."""

from __future__ import annotations

from porter.tile.calls import ARITHMETIC, DIRECT, NAN_DROPPING, RENAMED
from porter.tile.functions import function_sources, is_available

_WRITTEN = {
    "fma": "tl.fma(a, b, c)",
    "__umulhi": "tl.umulhi(a, b)",
    "__umul64hi": "tl.umulhi(a, b)",
    "__mulhi": "((a.to(tl.int64) * b.to(tl.int64)) >> 32).to(tl.int32)",
    "__saturatef": "tl.clamp(a, 0.0, 1.0)",
    "fdim": "tl.maximum(a - b, 0.0)",
}


def triton_equivalent(name: str) -> str | None:
    """The expression or the functions that stand for a call of `name`; None where there are none."""
    for spelling in (name, name.removesuffix("f")):
        plain = RENAMED.get(spelling, spelling)
        if plain in DIRECT:
            return f"{DIRECT[plain]}(a)"
        if plain in NAN_DROPPING:
            return f"{NAN_DROPPING[plain]}(a, b), which gives the number where one operand is a NaN"
        if plain in ARITHMETIC:
            return f"a {ARITHMETIC[plain]} b"
        if plain in _WRITTEN:
            return _WRITTEN[plain]
        if is_available(plain):
            return "\n\n".join(function_sources(frozenset((plain,))))
    return None
