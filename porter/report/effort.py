"""How much work a reason is for a person: a class, not a number of hours that nobody measured."""

from __future__ import annotations

from enum import Enum


class Effort(str, Enum):
    SMALL = "small"
    """a line, or an option"""
    MEDIUM = "medium"
    """a function to be written anew, by someone who knows what it does"""
    LARGE = "large"
    """a design: another algorithm, or a library that has no counterpart"""
    UNKNOWN = "unknown"
    """it has to be looked at first"""

    def __str__(self) -> str:
        return self.value


_BY_CODE = {"TIL041": Effort.SMALL, "VER008": Effort.SMALL}
_BY_FAMILY = {
    "API": Effort.MEDIUM,
    "BLD": Effort.SMALL,
    "CHK": Effort.SMALL,
    "LCH": Effort.SMALL,
    "LIB": Effort.LARGE,
    "MEM": Effort.MEDIUM,
    "NUM": Effort.SMALL,
    "PTX": Effort.MEDIUM,
    "SYN": Effort.MEDIUM,
    "TIL": Effort.MEDIUM,
    "WAV": Effort.MEDIUM,
}


def effort_of(code: str) -> Effort:
    """By the code of a finding; what has none, or is about a check, has to be looked at."""
    return _BY_CODE.get(code) or _BY_FAMILY.get(code[:3], Effort.UNKNOWN)
