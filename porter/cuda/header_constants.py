"""What names stand for in the user's own headers: object-like macros and constants of file scope.

Only quoted includes are read, a few levels deep: beside the includer, then in folders that are named. A name
to which the headers give several values has none, since which of them counts is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.definitions import file_definitions, macro_definitions
from porter.cuda.directives import find_includes, find_macros
from porter.cuda.structure import find_functions
from porter.cuda.tokens import tokenize

_MAX_DEPTH = 4
_MAX_HEADER_BYTES = 1 << 20


def constants_in_headers(source: SourceText, include_dirs: Iterable[Path] = ()) -> Mapping[str, str]:
    """The expressions by name; empty when no header can be read. Links and loops end at the deepest level."""
    folders = tuple(include_dirs)
    values: dict[str, set[str]] = {}
    waiting = [(path, 1) for path in _included(source, folders)]
    seen: set[Path] = set()
    while waiting:
        path, depth = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        header = _read(path)
        if header is None:
            continue
        for name, value in _constants(header).items():
            values.setdefault(name, set()).add(value)
        if depth < _MAX_DEPTH:
            waiting += [(below, depth + 1) for below in _included(header, folders)]
    return {name: next(iter(found)) for name, found in values.items() if len(found) == 1}


def _included(source: SourceText, folders: tuple[Path, ...]) -> list[Path]:
    """The files that the quoted includes of `source` mean, those that are there."""
    found: list[Path] = []
    for include in find_includes(tokenize(source)):
        if include.is_system:
            continue
        places = (folder / include.target for folder in (Path(source.path).parent, *folders))
        path = next((place for place in places if place.is_file()), None)
        if path is not None:
            found.append(path.resolve())
    return found


def _read(path: Path) -> SourceText | None:
    try:
        status = path.stat()
        if status.st_size > _MAX_HEADER_BYTES:
            return None
        return _read_once(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _read_once(path: Path, _changed_ns: int, _bytes: int) -> SourceText:
    """A header that many files include is read, and then tokenized, once."""
    return SourceText.read(path)


@lru_cache(maxsize=256)
def _constants(header: SourceText) -> Mapping[str, str]:
    tokenized = tokenize(header)
    # What is not const in a header may be written by any file.
    defined = (d for d in file_definitions(tokenized, find_functions(tokenized)) if "const" in d.type_text)
    return {**macro_definitions(find_macros(tokenized)), **{d.name: d.value for d in defined}}
