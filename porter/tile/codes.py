"""The codes of the Triton compiler: why it declined a kernel, and notes on those that it translated."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "TIL050": "a construct that Triton has no equivalent of",
    "TIL051": "a type that Triton has no equivalent of",
    "TIL052": "a call that has no equivalent, or could not be inlined",
    "TIL053": "control flow that has no structured form",
    "TIL054": "memory that cannot be addressed from a tensor",
    "TIL055": "a launch whose shared memory is not known",
    "TIL056": "a limit of the compiler: an idiom, a group or a loop it does not cover",
    "TIL059": "a defect of porter: the compiler failed on this kernel",
    "TIL060": "note: a loop that adds up products, as a matrix product's does, stays a loop",
    "TIL061": "note: values that threads combine step by step, as in a reduction or scan, stay steps",
    "TIL062": "note: a shared array becomes a buffer in global memory",
    "TIL063": "note: counters in a shared array become a buffer in global memory",
    "TIL064": "note: `printf`, `assert`, `__trap` or `__nanosleep` is left out",
    "TIL065": "note: values that are weighted by exponentials, as in attention, are added up as they stand",
}
