"""Errors a user sees. Each is one clear message; the exit codes are part of the interface."""

from __future__ import annotations

from enum import IntEnum

from porter.core.diagnostic import Diagnostic


class ExitCode(IntEnum):
    OK = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130


class PorterError(Exception):
    """Anything porter can explain to its user. `hint` says what to do."""

    exit_code = ExitCode.USAGE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(PorterError):
    """The input cannot be used: unreadable, binary, not CUDA, an existing output …"""


class ToolMissing(PorterError):
    """A program or package is needed that this machine does not have."""


class Refused(PorterError):
    """The input was understood and cannot be ported; carries the findings that say why."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(str(d) for d in diagnostics))
        self.diagnostics = diagnostics
