"""The device property `warpSize` in host code.

What it finds: a `.warpSize` member.

Why it matters: it is 64 on CDNA. Where the host computes block sizes from it, that is welcome; where it
computes the shared memory for kernels that work in groups of 32, it is half of what they need.

What porter does: leaves it and reports it; kernels keep their groups of 32 lanes.

Example: `shared = threads / prop.warpSize * sizeof(float)` must divide by 32 when the kernel divides by 32.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("WAV002", "host-warp-size")
def host_warp_size(unit: TranslationUnit) -> Iterator[Diagnostic]:
    tokens = unit.tokenized.code
    for i in range(1, len(tokens)):
        if tokens[i].text == "warpSize" and tokens[i - 1].text in (".", "->"):
            yield Diagnostic(
                "WAV002",
                Severity.WARNING,
                "the property warpSize is 64 on CDNA, while the ported kernels keep groups of 32 lanes",
                unit.span_of(tokens[i]),
                "use 32 where the value must agree with a kernel's own arithmetic",
            )
