"""The codes of the Triton compiler: why it declined a kernel."""

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
}
