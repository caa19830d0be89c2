"""A compiler's messages as findings at the user's own line and column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText, Span
from porter.simulator.sources import INCLUDE_DIRECTORY, UserFile

_MESSAGE = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>fatal error|error): (?P<text>.*)$"
)
_INCLUDED_FROM = re.compile(r"\bfrom (?P<path>[^:\n]+):(?P<line>\d+)[:,]")
_HIP_INCLUDE = re.compile(r"""\s*#\s*include\s*[<"](?P<target>hip/[\w./]+)[>"]""")
COMPILE_ERROR = "SIM100"
LINK_ERROR = "SIM101"
NO_MAIN_HINT = (
    "name the file that has it with --source; kernels alone are launched by `porter translate` and "
    "`porter verify`, which infer launches or take them from a porter.toml"
)

_HIP_HINT = "include the CUDA original of this file, or take HIP's header only where `#ifdef __HIPCC__` holds"


def parse_messages(output: str, files: Mapping[Path, UserFile]) -> tuple[Diagnostic, ...]:
    """Errors in order. A message about a file outside the program does not repeat that file's contents."""
    found = []
    for line in output.splitlines():
        match = _MESSAGE.match(line)
        if match:
            found.append(_diagnostic(match, files))
    return tuple(dict.fromkeys(found))


def hip_in_cuda(output: str, files: Mapping[Path, UserFile]) -> Diagnostic | None:
    """Of the errors of a CUDA program: that the first was met on the way through an include of HIP's.

    HIP's header declares again, in its own way, what CUDA's has declared before the file's first line.
    """
    for line in output.splitlines():
        if _MESSAGE.match(line):
            return None
        place = _INCLUDED_FROM.search(line)
        file = files.get(Path(place["path"])) if place else None
        if place is None or file is None:
            continue
        source = SourceText(str(file.path), file.original)
        include = _HIP_INCLUDE.match(source.line_text(int(place["line"])))
        if include is not None:
            start = source.offset(int(place["line"]), 1)
            message = f"{file.path.name} includes {include['target']} in a CUDA program"
            span = source.span(start, start + include.end())
            return Diagnostic(COMPILE_ERROR, Severity.ERROR, message, span, _HIP_HINT)
    return None


def link_error(output: str, source: Path) -> Diagnostic:
    missing = sorted(set(re.findall(r"undefined (?:reference to|symbol:) [`']?([^'\n]+)", output)))
    text = "undefined: " + ", ".join(missing[:5]) if missing else "the program does not link"
    place = Span(str(source), 0, 0, 1, 1)
    if missing == ["main"]:
        return Diagnostic(LINK_ERROR, Severity.ERROR, "the program has no main()", place, NO_MAIN_HINT)
    return Diagnostic(LINK_ERROR, Severity.ERROR, text, place)


def _diagnostic(match: re.Match[str], files: Mapping[Path, UserFile]) -> Diagnostic:
    path = Path(match["path"])
    line, column = int(match["line"]), int(match["column"] or 1)
    file = files.get(path)
    if file is None:
        text = match["text"] if INCLUDE_DIRECTORY in path.parents else "error in a file outside the program"
        return Diagnostic(COMPILE_ERROR, Severity.ERROR, text, Span(str(path), 0, 0, line, column))
    return Diagnostic(COMPILE_ERROR, Severity.ERROR, match["text"], _original_span(file, line, column))


def _original_span(file: UserFile, line: int, column: int) -> Span:
    """The rewriting keeps lines, so only the column moves: it is mapped through the edits before it."""
    source = SourceText(str(file.path), file.original)
    rewritten = SourceText(str(file.path), file.rewritten.data)
    count = file.original.count(b"\n") + 1
    if line > count:
        return Span(str(file.path), len(file.original), len(file.original), count, 1)
    offset = rewritten.offset(line, column)
    for edits in reversed(file.rewritten.stages):
        offset = original_offset(edits, offset)
    low = source.offset(line, 1)
    high = low + len(source.line_text(line))
    offset = min(max(offset, low), high)
    return source.span(offset, min(offset + 1, len(file.original)))


def original_offset(edits: tuple[Edit, ...], offset: int) -> int:
    """Where byte `offset` of the rewritten text was; a place inside a replacement is the edit's start."""
    shift = 0
    for edit in edits:
        start = edit.start + shift
        if offset < start:
            break
        if offset < start + len(edit.replacement):
            return edit.start
        shift += len(edit.replacement) - (edit.end - edit.start)
    return offset - shift
