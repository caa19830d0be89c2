"""Arithmetic with a named rounding: `__fadd_rd` and its like, and sums and products that are never fused.

HIP declares the directed roundings only under a macro of its headers. Its `_rn` forms are plain operators,
which the compiler fuses into an fma; CUDA's are rounded by themselves.
"""

from __future__ import annotations

from porter.cuda.call_sites import CallSite, calls
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.names import declared_names
from porter.hip.step import Step, join, replace

_OPERATIONS = (
    "fadd", "fsub", "fmul", "fdiv", "fmaf", "frcp", "fsqrt",
    "dadd", "dsub", "dmul", "ddiv", "fma", "drcp", "dsqrt",
)  # fmt: skip
_DIRECTED = frozenset(f"__{name}_{way}" for name in _OPERATIONS for way in ("rd", "ru", "rz"))
_FUSED_IN_HIP = frozenset(f"__{kind}{name}_rn" for kind in "fd" for name in ("add", "sub", "mul"))


def port_named_rounding(unit: TranslationUnit) -> Step:
    """Each call goes to a definition of the same name in `shims/`."""
    names = _DIRECTED | _FUSED_IN_HIP
    if names.isdisjoint(unit.words):
        return Step()
    return join(_renamed(call) for call in calls(unit, names - declared_names(unit)))


def _renamed(call: CallSite) -> Step:
    is_directed = call.name.text in _DIRECTED
    reason = "HIP has no directed rounding" if is_directed else "HIP's is fused with what stands around it"
    edit = replace(call.name, f"porter_{call.name.text.removeprefix('__')}", reason)
    return Step((edit,), shims=frozenset(("directed_rounding" if is_directed else "unfused",)))
