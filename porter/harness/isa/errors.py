"""What stops an execution: always with a code of `codes.CODES` and, once known, the place in the kernel."""

from __future__ import annotations

from porter.harness.isa.codes import CODES


class IsaError(Exception):
    """The launch cannot go on. `code` is a key of CODES; the message names instruction, place and reason."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.place = ""

    def __str__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        return f"[{self.code}] {CODES[self.code]}{where}: {self.reason}"


class AccessError(IsaError):
    """An access that is not allowed; `lane` is the flat position of its first lane in the group's arrays."""

    def __init__(self, code: str, reason: str, lane: int) -> None:
        super().__init__(code, reason)
        self.lane = lane
