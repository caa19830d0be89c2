"""Python names for the source's variables: kept where possible, made legal and unique where not."""

from __future__ import annotations

import builtins
import keyword
from dataclasses import dataclass, field

_RESERVED = frozenset(keyword.kwlist) | frozenset({"tl", "triton", "torch", "range", "float", "math"})

CONSTANTS = frozenset(
    {"BLOCK", "BLOCK_X", "BLOCK_Y", "BLOCK_Z", "BLOCK_K", "LANES", "WARPS", "THREADS", "BINS"}
)
"""Compile-time parameters that the compiler adds; variables of the source step aside."""


@dataclass
class NameScope:
    """Hands out names; a taken one gets a numeric suffix."""

    taken: set[str] = field(default_factory=set)

    def fresh(self, wanted: str) -> str:
        name = legal(wanted)
        candidate, count = name, 1
        while candidate in self.taken:
            count += 1
            candidate = f"{name}_{count}"
        self.taken.add(candidate)
        return candidate


def legal(name: str) -> str:
    """A Python identifier close to `name`: keywords and the module's own names get an underscore."""
    cleaned = "".join(c if c.isalnum() or c == "_" else "_" for c in name).strip("_") or "value"
    if cleaned[0].isdigit():
        cleaned = f"v{cleaned}"
    if _is_taken(cleaned):
        cleaned += "_"
    return cleaned


def function_name(name: str) -> str:
    """The launcher's name: the kernel's own with its underscores, and one more where Python has it."""
    return name if name.isascii() and name.isidentifier() and not _is_taken(name) else legal(name)


def _is_taken(name: str) -> bool:
    return name in _RESERVED or hasattr(builtins, name)


def pointer_parameter(name: str) -> str:
    """Triton's convention: `x_ptr`."""
    name = legal(name).rstrip("_")
    return name if name.endswith("ptr") else f"{name}_ptr"


def loaded_value(pointer_name: str) -> str:
    """The name for what a pointer's load gives: the pointer's own without `_ptr`."""
    stem = pointer_name.removesuffix("_ptr").removesuffix("_scratch")
    return stem or "value"
