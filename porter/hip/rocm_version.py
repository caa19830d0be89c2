"""A version of ROCm, as `6.2` or `6.2.1`, and the one that is installed."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError

_TEXT = re.compile(r"(\d+)\.(\d+)(?:\.\d+)?")
_MACRO = re.compile(r"#define\s+HIP_VERSION_(MAJOR|MINOR)\s+(\d+)")


@dataclass(frozen=True, order=True)
class RocmVersion:
    """Major and minor; patches add no names."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @classmethod
    def parse(cls, text: str) -> RocmVersion:
        """Raises InputError for what is no version."""
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            raise InputError(f"{text!r} is no version of ROCm", hint="write it as 6.2")
        return cls(int(found.group(1)), int(found.group(2)))


def installed_rocm() -> RocmVersion | None:
    """The version of the ROCm below `ROCM_PATH` or /opt/rocm, by its HIP headers; None without one."""
    header = Path(os.environ.get("ROCM_PATH", "/opt/rocm")) / "include" / "hip" / "hip_version.h"
    try:
        macros = dict(_MACRO.findall(header.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return None
    if {"MAJOR", "MINOR"} <= macros.keys():
        return RocmVersion(int(macros["MAJOR"]), int(macros["MINOR"]))
    return None
