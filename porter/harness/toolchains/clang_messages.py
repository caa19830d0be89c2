"""clang's and lld's messages as findings in the user's own files.

Assumes `-fno-caret-diagnostics -fno-color-diagnostics`. A message inside a toolchain header is moved to the
place in the user's file that led there: the first note, else the include directive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span

BUILD_ERROR = "BLD901"
BUILD_WARNING = "BLD902"
OVER_LDS = "BLD903"
UNRESOLVED = "BLD904"
NO_KERNEL = "BLD905"

_MESSAGE = re.compile(
    r"^(?P<path>[^\n:]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<kind>fatal error|error|warning|note): (?P<text>.*)$"
)
_PLACELESS = re.compile(r"^(?:\S+: )?(?P<kind>fatal error|error): (?P<text>.*)$")
_INCLUDED = re.compile(r"^In file included from (?P<path>[^\n]+):(?P<line>\d+)[:,]$")
_QUOTED = re.compile(r"'(?:void |__device__ )*([A-Za-z_][\w:]*)")


@dataclass(frozen=True)
class _Place:
    path: str
    line: int
    column: int


@dataclass
class _Group:
    """One error or warning with the includes that lead to it and the notes that follow."""

    severity: Severity
    text: str
    place: _Place | None
    includes: list[_Place] = field(default_factory=list)
    notes: list[_Place] = field(default_factory=list)


def clang_diagnostics(log: str, source: Path, is_user: Callable[[Path], bool]) -> tuple[Diagnostic, ...]:
    """Errors first, in the order printed; `source` is the file handed to the compiler."""
    main = SourceText.read(source)
    found = [_diagnostic(group, main, is_user) for group in _groups(log)]
    unique = list(dict.fromkeys(found))
    return tuple(sorted(unique, key=lambda d: d.severity is not Severity.ERROR))


def _groups(log: str) -> list[_Group]:
    groups: list[_Group] = []
    includes: list[_Place] = []
    for line in log.splitlines():
        if match := _INCLUDED.match(line):
            includes.append(_Place(match["path"], int(match["line"]), 1))
        elif match := _MESSAGE.match(line):
            place = _Place(match["path"], int(match["line"]), int(match["column"]))
            if match["kind"] == "note":
                if groups:
                    groups[-1].notes.append(place)
            else:
                severity = Severity.WARNING if match["kind"] == "warning" else Severity.ERROR
                groups.append(_Group(severity, match["text"], place, includes))
            includes = []
        elif match := _PLACELESS.match(line):
            groups.append(_Group(Severity.ERROR, match["text"], None))
    return groups


def _diagnostic(group: _Group, main: SourceText, is_user: Callable[[Path], bool]) -> Diagnostic:
    user = _user_place(group, is_user)
    text = group.text
    if group.place and user and group.place != user:
        text += f" (in {Path(group.place.path).name}:{group.place.line})"
    return Diagnostic(
        code=_code(group),
        severity=group.severity,
        message=text,
        span=_span(user, main) if user else _span_by_name(text, main),
        hint=_hint(text),
    )


def _user_place(group: _Group, is_user: Callable[[Path], bool]) -> _Place | None:
    candidates = [group.place, *group.notes, *reversed(group.includes)]
    return next((p for p in candidates if p and is_user(Path(p.path))), None)


def _code(group: _Group) -> str:
    if group.severity is Severity.WARNING:
        return BUILD_WARNING
    if "local memory" in group.text and "exceeds limit" in group.text:
        return OVER_LDS
    return UNRESOLVED if group.text.startswith("undefined") else BUILD_ERROR


def _span(place: _Place, main: SourceText) -> Span:
    text = main if Path(place.path) == Path(main.path).resolve() or place.path == main.path else None
    try:
        text = text or SourceText.read(Path(place.path))
        start = text.offset(place.line, place.column)
    except (OSError, IndexError):
        return Span(place.path, 0, 0, place.line, place.column)
    token = re.compile(r"\w+|\S").match(text.text, start)
    return Span(text.path, start, token.end() if token else start, place.line, place.column)


def _span_by_name(text: str, main: SourceText) -> Span:
    """Messages of code generation and the linker name a function, not a place: take its first mention."""
    names = [*_QUOTED.findall(text), *re.findall(r"symbol: ([A-Za-z_][\w:]*)", text)]
    for name in names:
        if found := re.search(rf"\b{re.escape(name.split('::')[-1])}\b", main.text):
            return main.span(found.start(), found.end())
    return Span(main.path, 0, 0, 1, 1)


_HINTS = (
    ("exceeds limit (65536)", "gfx90a and gfx942 have 64 KB of LDS a workgroup; gfx950 has 160 KB"),
    ("mask must be a 64-bit integer", "a wavefront has 64 lanes; HIP's *_sync masks are 64-bit"),
    ("invalid instruction", "inline PTX cannot be assembled for AMD"),
    ("not a recognized", "inline PTX cannot be assembled for AMD"),
)


def _hint(text: str) -> str:
    return next((hint for mark, hint in _HINTS if mark in text), "")


_MISSING_HEADER = re.compile(r"fatal error: '([^']+)' file not found")
_ROCM_HEADERS = (
    "hip/", "hipcub/", "rocprim/", "thrust/", "hipblas", "rocblas", "hipfft", "rocfft", "hiprand", "rocrand",
    "hipsparse", "rocsparse", "hipsolver", "rocsolver", "rccl", "miopen", "rocwmma", "roctx", "roctracer",
)  # fmt: skip


def missing_rocm_header(log: str) -> str | None:
    """The header of ROCm that this machine lacks, where that is why the build failed."""
    found = _MISSING_HEADER.search(log)
    if found and found.group(1).startswith(_ROCM_HEADERS):
        return found.group(1)
    return None
