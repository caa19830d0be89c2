"""The second argument of `__launch_bounds__`.

What it finds: `__launch_bounds__` with more than one argument.

Why it matters: in CUDA it counts blocks per multiprocessor, in HIP wavefronts per execution unit. The same
number asks for another occupancy, and can cost registers.

What porter does: converts it: blocks × threads ÷ (64 × 4).

Example: `__launch_bounds__(256, 4)` is `__launch_bounds__(256, 4)` in HIP by chance; `(512, 4)` is `(512,
8)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("LCH004", "launch-bound-second-argument", answered=True)
def launch_bound_second_argument(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for function in unit.functions:
        if len(function.launch_bounds) < 2:
            continue
        message = f"the second launch bound of {function.name} counts wavefronts per execution unit in HIP"
        hint = "convert it: blocks * threads / (64 * 4)"
        yield Diagnostic("LCH004", Severity.NOTE, message, function.name_span, hint)
