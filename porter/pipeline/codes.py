"""The codes of the ladder itself."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "TIL040": "the threads a block are not known: no launch tells them and the program was not run",
    "TIL041": "a file that the source includes does not exist",
    "VER020": "no port of the model was accepted, and the strategy takes none from the compiler",
    "VER021": "a kernel was checked in a copy of the port without the kernels that were declined",
    "VER022": "a kernel was checked in a copy of its file that has the kernels alone",
    "VER023": "a kernel was checked at the first launches of a program that was stopped",
}
