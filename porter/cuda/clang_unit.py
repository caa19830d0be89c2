"""Parses a CUDA source with libclang against porter's own headers.

Nothing of a CUDA toolkit or of a system C++ library is needed. A missing include or an error elsewhere in the
file loses nothing but what depends on it: the parser keeps going, and errors are looked up by place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clang import cindex

from porter.core.span import SourceText, Span
from porter.cuda.clang_cursor import Cursor, extent_of

INCLUDE_DIRECTORY = Path(__file__).parent / "include"

_PRELUDE_PATH = str(INCLUDE_DIRECTORY / "porter_prelude.h")
_KEEP_GOING = 0x200
# The host side, with the device's macros: its target has the 16-bit float types that the device's lacks here.
_BASE_ARGUMENTS = (
    "-x", "cuda", "--cuda-host-only", "--cuda-gpu-arch=sm_80", "-D__CUDA_ARCH__=800",
    "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++", "-std=c++17",
    "-fno-access-control", "-ferror-limit=0", "-ftemplate-backtrace-limit=1", "-Wno-everything",
)  # fmt: skip


@dataclass(frozen=True)
class ParseError:
    """An error of the C++ front end; `path` and `offset` say where, `message` what."""

    path: str
    offset: int
    message: str
    span: Span


@dataclass
class ClangUnit:
    """A parsed source file. `cursor` is the translation unit; `errors` are in source order."""

    source: SourceText
    translation_unit: cindex.TranslationUnit
    real_path: str
    errors: tuple[ParseError, ...] = ()
    template_names: frozenset[str] | None = None
    _sources: dict[str, SourceText] = field(default_factory=dict)
    _file_names: dict[int, str] = field(default_factory=dict)

    @property
    def include_directory(self) -> Path:
        return INCLUDE_DIRECTORY

    @property
    def cursor(self) -> Cursor:
        return self.translation_unit.cursor

    def source_of(self, path: str) -> SourceText:
        """The text of the main file or of a header it includes (empty where it cannot be read)."""
        if path == self.real_path:
            return self.source
        if path not in self._sources:
            data = Path(path).read_bytes() if os.path.isfile(path) else b""
            self._sources[path] = SourceText(path, data)
        return self._sources[path]

    def text_of(self, span: Span) -> SourceText:
        """The file that `span` is in."""
        return self.source if span.path == self.source.path else self.source_of(span.path)

    def span(self, cursor: Cursor) -> Span:
        """Where `cursor` stands; inside a macro expansion, the macro's use."""
        file, start, end, line, column = extent_of(cursor)
        path = self._file_names.get(file)
        if path is None:
            name = cursor.extent.start.file
            path = self._file_names[file] = self.display_path(name.name if name else "")
        return Span(path, start, max(end, start), max(line, 1), max(column, 1))

    def display_path(self, path: str) -> str:
        return self.source.path if path in (self.real_path, "") else path

    def is_porters_own(self, cursor: Cursor) -> bool:
        """Whether `cursor` is declared in porter's headers, that is by CUDA or the standard library."""
        file = cursor.location.file
        return file is None or file.name.startswith(str(INCLUDE_DIRECTORY))

    def errors_within(self, span: Span) -> list[ParseError]:
        return [e for e in self.errors if e.path == span.path and span.start <= e.offset < span.end]


def parse_unit(
    source: SourceText,
    *,
    include_dirs: Sequence[str | Path] = (),
    defines: Sequence[str] = (),
    prelude: str = "",
    appendix: str = "",
) -> ClangUnit:
    """Parses `source`; `prelude` is C++ text before it, `appendix` after it, and no offset moves for either.

    Never raises for bad CUDA: whatever the front end objects to is in `errors`.
    """
    real_path = _nameable(os.path.abspath(source.path))
    text = _without_alignment(_ascii(source.data)) + ("\n" + appendix if appendix else "")
    arguments = [*_BASE_ARGUMENTS, f"-I{INCLUDE_DIRECTORY}"]
    arguments += [f"-I{_nameable(str(d))}" for d in include_dirs]
    arguments += [f"-D{d}" for d in defines] + ["-include", "cuda_runtime.h"]
    unsaved = [(real_path, text)]
    if prelude:
        unsaved.append((_PRELUDE_PATH, prelude))
        arguments += ["-include", _PRELUDE_PATH]
    unit = cindex.Index.create().parse(real_path, args=arguments, unsaved_files=unsaved, options=_KEEP_GOING)
    parsed = ClangUnit(source, unit, real_path)
    parsed.errors = tuple(_errors(parsed))
    return parsed


def _nameable(path: str) -> str:
    """libclang takes names in UTF-8 only. The text is given with its name, which no file has to have."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


_ALIGNED_MEMORY = re.compile(r"(__(?:shared|device|constant)__\s+)(alignas\s*\((?:[^()]|\([^()]*\))*\))")


def _without_alignment(text: str) -> str:
    """`__shared__ alignas(16) float x[4]` is nvcc's order only; blanks keep the offsets.

    How memory is aligned is nothing that the IR says.
    """
    return _ALIGNED_MEMORY.sub(lambda found: found[1] + re.sub(r"[^\n]", " ", found[2]), text)


def _ascii(data: bytes) -> str:
    """One ASCII character a byte, so that libclang's offsets are the user's."""
    return bytes(b if b < 0x80 else 0x20 for b in data).decode("ascii")


def _errors(unit: ClangUnit) -> list[ParseError]:
    errors = []
    for diagnostic in unit.translation_unit.diagnostics:
        if diagnostic.severity < cindex.Diagnostic.Error:
            continue
        location = diagnostic.location
        path = unit.display_path(location.file.name if location.file else "")
        span = Span(
            path, location.offset, location.offset + 1, max(location.line, 1), max(location.column, 1)
        )
        errors.append(ParseError(path, location.offset, diagnostic.spelling, span))
    return sorted(errors, key=lambda e: (e.path, e.offset))
