"""The codes of the ISA executor: why a code object cannot be run, and what went wrong while it ran."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "ISA001": "an instruction that is not supported",
    "ISA002": "bytes that are no instruction",
    "ISA003": "an operand or a modifier that is not supported",
    "ISA004": "an argument or a launch feature that is not supported",
    "ISA005": "a code object that cannot be loaded",
    "ISA010": "an access outside of any allocation",
    "ISA011": "an access outside of the block's LDS or the thread's scratch memory",
    "ISA012": "a write to memory that is read-only",
    "ISA014": "the kernel trapped",
    "ISA015": "the launch is too long to be executed instruction by instruction",
}
