"""The codes of the front end: why a file does not parse, and why a kernel does not reach the IR."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "API090": "a bracket has no partner; the rest of the file is translated",
    "API091": "a place that the CUDA grammar does not accept; a macro can be the reason",
    "TIL001": "the C++ front end objects: a syntax error, an unknown name, a host variable on the device",
    "TIL002": "a type has no counterpart: bit fields, variable-length arrays, a `void*` that is read",
    "TIL003": "something is called or passed through a function pointer",
    "TIL004": "a device function calls itself",
    "TIL005": "`goto` and labels",
    "TIL006": "virtual calls and `dynamic_cast`",
    "TIL007": "exceptions",
    "TIL008": "inline assembly",
    "TIL009": "a kernel is launched from device code",
    "TIL010": "textures and surfaces",
    "TIL011": "an unknown library, or a function without a body in the source and its headers",
    "TIL012": "a kernel template is never instantiated, or its arguments cannot be determined",
    "TIL013": "a `switch` whose cases run into each other at length, or statements before the first case",
    "TIL014": "memory is allocated in the kernel",
    "TIL015": "an expression that the IR cannot say",
    "TIL016": "a statement or declaration that the IR cannot say, or a kernel too large once inlined",
    "TIL017": "a reference, or a place to store to, that cannot be followed",
    "TIL019": "a lambda captures a host variable, or copies a variable that changes later",
    "TIL020": "a cooperative group, or an operation on one, that is not known when porter compiles",
    "TIL021": "a defect of porter: the lowered kernel breaks an invariant",
}
