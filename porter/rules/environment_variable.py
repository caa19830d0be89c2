"""An environment variable of CUDA's runtime.

What it finds: `getenv`, `setenv`, `putenv` and `unsetenv` with a literal that names a variable that CUDA's
runtime reads. `CUDA_VISIBLE_DEVICES` is not among them, because HIP reads it too.

Why it matters: HIP does not read them: a setting that the program relies on has no effect, and nothing says
so.

What porter does: leaves strings alone and reports it.

Example: `CUDA_LAUNCH_BLOCKING=1` is `AMD_SERIALIZE_KERNEL=3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import streams
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_CALLS = frozenset(("getenv", "secure_getenv", "setenv", "putenv", "unsetenv"))
_VARIABLE = re.compile(
    r'"(CUDA_(LAUNCH_BLOCKING|CACHE_(PATH|DISABLE|MAXSIZE)|DEVICE_(ORDER|MAX_CONNECTIONS|WAITS_ON_EXCEPTION)'
    r"|MODULE_LOADING|FORCE_PTX_JIT|DISABLE_PTX_JIT|AUTO_BOOST|MPS_[A-Z_]+|ENABLE_\w*COREDUMP\w*))\b"
)
_WAYS = {
    "CUDA_LAUNCH_BLOCKING": "set AMD_SERIALIZE_KERNEL=3",
    "CUDA_CACHE_PATH": "set AMD_COMGR_CACHE_DIR",
    "CUDA_CACHE_DISABLE": "set AMD_COMGR_CACHE=0",
}


@rule("API026", "environment-variable")
def environment_variable(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if _CALLS.isdisjoint(unit.words):
        return
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 2):
            match = _VARIABLE.match(tokens[i + 2].text)
            if tokens[i].text not in _CALLS or tokens[i + 1].text != "(" or match is None:
                continue
            message = f"HIP does not read {match[1]}"
            hint = _WAYS.get(match[1], "see which of HIP's variables does what it is for")
            yield Diagnostic("API026", Severity.WARNING, message, unit.span_of(tokens[i]), hint)
