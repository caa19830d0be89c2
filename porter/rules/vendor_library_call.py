"""Calls of NVIDIA libraries whose AMD counterpart has other arguments.

What it finds: cuDNN and NVML names; the first use in each function.

Why it matters: MIOpen's functions take their arguments in another order and number, AMD SMI's differ
altogether. A rename compiles at best.

What porter does: leaves the names and reports them.

Example: `cudnnSoftmaxForward(h, algo, mode, &a, x, p, &b, y, q)` becomes `miopenSoftmaxForward_V2(h, &a, x,
p, &b, y, q, algo, mode)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_LIBRARIES = {
    "cuDNN": (
        re.compile(r"^(cudnn[A-Z]\w*|CUDNN_\w+)$"),
        "port to MIOpen or hipDNN by hand: the arguments differ",
    ),
    "NVML": (re.compile(r"^(nvml[A-Z]\w*|NVML_\w+)$"), "use AMD SMI (amdsmi_*)"),
}


@rule("LIB003", "vendor-library-call")
def vendor_library_call(unit: TranslationUnit) -> Iterator[Diagnostic]:
    seen: set[tuple[str, int]] = set()
    for token in unit.references:
        for library, (pattern, way_out) in _LIBRARIES.items():
            place = (library, unit.span_of(token).line)
            if pattern.match(token.text) and place not in seen:
                seen.add(place)
                message = f"{token.text}: {library} has no drop-in counterpart in ROCm"
                yield Diagnostic("LIB003", Severity.ERROR, message, unit.span_of(token), way_out)
