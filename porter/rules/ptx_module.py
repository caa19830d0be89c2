"""PTX files and NVIDIA architectures handed to the driver or to the run-time compiler.

What it finds: string literals ending in `.ptx`, `.cubin` or `.fatbin`, and run-time compiler options that
name an NVIDIA architecture, in files that use those interfaces.

Why it matters: AMD loads code objects; hiprtc takes `--offload-arch=gfx950` and rejects `compute_80`.

What porter does: for HIP it rewrites whole options in the list that `nvrtcCompileProgram` is given; other
strings stay, and are reported.

Example: `cuModuleLoad(&m, "k.ptx")` becomes `hipModuleLoad(&m, "k.hsaco")`, built with `hipcc --genco`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_MODULE = re.compile(r"\.(ptx|cubin|fatbin)\"$")
_OPTION = re.compile(r"\"(-arch=|--gpu-architecture|-gencode|--generate-code|.*\b(compute|sm)_\d\d)")
_INTERFACES = re.compile(r"^(cuModule\w+|cuLink\w+|cudaLibrary\w+|nvrtc\w+)$")


@rule("LIB004", "ptx-module")
def ptx_module(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if not any(_INTERFACES.match(t.text) for t in unit.references):
        return
    for token in unit.tokenized.code:
        if token.kind is not Kind.STRING:
            continue
        if _MODULE.search(token.text):
            message = f"{token.text} is NVIDIA code, which AMD cannot load"
            hint = "build a code object with hipcc --genco and load that"
            yield Diagnostic("LIB004", Severity.ERROR, message, unit.span_of(token), hint)
        elif _OPTION.search(token.text):
            message = f"{token.text} names an NVIDIA architecture"
            hint = "pass --offload-arch=gfx950 (or the GPU at hand) to hiprtc"
            yield Diagnostic("LIB004", Severity.ERROR, message, unit.span_of(token), hint)
