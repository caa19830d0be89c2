"""A kernel passed where HIP takes a `const void*`.

What it finds: `cudaFuncSetAttribute`, `cudaFuncGetAttributes`, `cudaFuncSetCacheConfig` and
`cudaFuncSetSharedMemConfig` that name a kernel of the file without a cast.

Why it matters: CUDA has templates for them, HIP has only the functions of C: without a cast the call does not
compile.

What porter does: adds the cast. The fix does the same to the source, which means the same on NVIDIA.

Example: `cudaFuncSetAttribute(k, a, v)` becomes `cudaFuncSetAttribute(reinterpret_cast<const void*>(k), a,
v)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.structure import FunctionKind
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import foreign_calls

_ARGUMENT = {
    "cudaFuncSetAttribute": 0,
    "cudaFuncGetAttributes": 1,
    "cudaFuncSetCacheConfig": 0,
    "cudaFuncSetSharedMemConfig": 0,
}


@rule("LCH005", "kernel-as-argument", answered=True, fixable=True)
def kernel_as_argument(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if unit.words.isdisjoint(_ARGUMENT):
        return
    names = Counter(f.name for f in unit.functions)
    kernels = {f.name: f for f in unit.functions if f.kind is FunctionKind.KERNEL}
    for call in foreign_calls(unit, frozenset(_ARGUMENT)):
        index = _ARGUMENT[call.name.text]
        if index >= len(call.arguments):
            continue
        first, last = call.arguments[index]
        tokens = call.stream.tokens[first:last]
        kernel = kernels.get(tokens[0].text) if tokens else None
        if kernel is None or (len(tokens) > 1 and tokens[1].text != "<"):
            continue
        # Without the types of its parameters a cast cannot choose between overloads.
        is_one = names[kernel.name] == 1 and (len(tokens) > 1 or not kernel.template_parameters)
        edits = (
            Edit(tokens[0].start, tokens[0].start, b"reinterpret_cast<const void*>("),
            Edit(tokens[-1].end, tokens[-1].end, b")"),
        )
        message = f"{call.name.text} takes the kernel as const void* in HIP"
        span = unit.span_of(tokens[0])
        hint = "cast the kernel to const void*"
        yield Diagnostic("LCH005", Severity.NOTE, message, span, hint, edits if is_one else ())
