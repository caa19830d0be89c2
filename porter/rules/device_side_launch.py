"""A kernel launched from device code.

What it finds: `k<<<…>>>(…)` inside a kernel or device function.

Why it matters: HIP has no dynamic parallelism.

What porter does: refuses the kernel.

Example: a kernel that starts a child grid per row becomes a loop over rows on the host, or a work queue in
one persistent kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("LCH001", "device-side-launch")
def device_side_launch(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for launch in unit.launches:
        function = unit.function_at(launch.span.start)
        if function is not None and function.kind.value in ("kernel", "device"):
            message = f"{function.name} launches {launch.kernel} from device code, which HIP cannot"
            hint = "launch from the host, or loop within the kernel"
            yield Diagnostic("LCH001", Severity.ERROR, message, launch.span, hint)
