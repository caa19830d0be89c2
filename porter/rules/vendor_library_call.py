"""Calls of NVIDIA libraries whose AMD counterpart is another interface.

What it finds: NVML names; the first use in each line.

Why it matters: AMD SMI counts, names and measures otherwise. A rename compiles at best.

What porter does: leaves the names and reports them.

Example: `nvmlDeviceGetTemperature(d, NVML_TEMPERATURE_GPU, &t)` becomes `amdsmi_get_temp_metric` with a
sensor, a metric and a processor handle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_LIBRARIES = {
    "NVML": (re.compile(r"^(nvml[A-Z]\w*|NVML_\w+)$"), "use AMD SMI (amdsmi_*)"),
}


@rule("LIB003", "vendor-library-call")
def vendor_library_call(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if not any(pattern.match(word) for word in unit.words for pattern, _ in _LIBRARIES.values()):
        return
    seen: set[tuple[str, int]] = set()
    for token in unit.references:
        for library, (pattern, way_out) in _LIBRARIES.items():
            if not pattern.match(token.text):
                continue
            place = (library, unit.span_of(token).line)
            if place not in seen:
                seen.add(place)
                message = f"{token.text}: {library} has no drop-in counterpart in ROCm"
                yield Diagnostic("LIB003", Severity.ERROR, message, unit.span_of(token), way_out)
