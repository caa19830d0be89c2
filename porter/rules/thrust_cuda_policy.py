"""An execution policy of Thrust for CUDA.

What it finds: `thrust::cuda::par` and `thrust::cuda::par_nosync`.

Why it matters: rocThrust has the same policies in the namespace `thrust::hip`.

What porter does: renames the namespace.

Example: `thrust::cuda::par.on(stream)` becomes `thrust::hip::par.on(stream)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_POLICIES = frozenset(("par", "par_nosync"))


@rule("LIB006", "thrust-cuda-policy", answered=True)
def thrust_cuda_policy(unit: TranslationUnit) -> Iterator[Diagnostic]:
    tokens = unit.tokenized.code
    for i in range(4, len(tokens) if "thrust" in unit.words else 0):
        names = tuple(t.text for t in tokens[i - 4 : i])
        if tokens[i].text in _POLICIES and names == ("thrust", "::", "cuda", "::"):
            message = "rocThrust has this policy in the namespace thrust::hip"
            span = unit.span_of(tokens[i - 4])
            yield Diagnostic("LIB006", Severity.NOTE, message, span, "name the namespace once, by platform")
