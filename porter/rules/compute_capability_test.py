"""A decision by `major` and `minor` of the device properties.

What it finds: a comparison of a `.major` or `.minor` member in host code that uses CUDA.

Why it matters: on AMD the majors are 9 to 12 and mean GPU generations, so `major < 7` and `major >= 8` both
decide something that was never meant.

What porter does: leaves the test and reports it.

Example: `if (prop.major < 7) return;` becomes a test of the feature itself, or of `prop.gcnArchName`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!=", "*"))


@rule("API010", "compute-capability-test")
def compute_capability_test(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if not any(t.text == "cudaDeviceProp" for t in unit.references):
        return
    tokens = unit.tokenized.code
    for i in range(1, len(tokens) - 1):
        is_member = tokens[i].text in ("major", "minor") and tokens[i - 1].text in (".", "->")
        if is_member and tokens[i + 1].text in _COMPARISONS:
            yield Diagnostic(
                "API010",
                Severity.WARNING,
                f"'{tokens[i].text}' is a GPU generation on AMD (9 to 12), no compute capability",
                unit.span_of(tokens[i]),
                "test the feature that is needed, or gcnArchName",
            )
