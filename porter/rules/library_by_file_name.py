"""A library of NVIDIA, loaded by the name of its file.

What it finds: `dlopen`, `LoadLibraryA` and `LoadLibrary` with a literal that names one of CUDA's libraries.

Why it matters: strings are not renamed: the program asks for a file that is not there, and often goes on
without the feature.

What porter does: leaves strings alone and reports it.

Example: `dlopen("libnvrtc.so", RTLD_LAZY)` is `dlopen("libhiprtc.so", RTLD_LAZY)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import calls
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_CALLS = frozenset(("dlopen", "LoadLibrary", "LoadLibraryA"))
_LIBRARY = re.compile(
    r'"(?:[^"]*/)?(?:lib)?(cuda|cudart|nvrtc|nvcuda|nvidia-ml|nvml|cublas|cublasLt|cudnn|cufft|curand|cusolver'
    r'|cusparse|nccl|nvToolsExt|cupti)[.\d_a-zA-Z-]*"'
)


@rule("LIB008", "library-by-file-name")
def library_by_file_name(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, _CALLS):
        match = _LIBRARY.match(call.argument(unit, 0)) if call.arguments else None
        if match is not None:
            message = f"{match[0]} is a library of NVIDIA"
            hint = "load ROCm's library of the same duty, and its names"
            yield Diagnostic("LIB008", Severity.WARNING, message, unit.span_of(call.name), hint)
