"""The user's own CUDA headers travel with the port: each is ported once, under a name of its own.

`helper.cuh` becomes `helper.hip.cuh`, so that port and original can stand in one folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit, apply_edits
from porter.core.errors import InputError
from porter.core.span import SourceText
from porter.cuda.input import check_input
from porter.cuda.translation_unit import TranslationUnit, has_cuda, read_translation_unit
from porter.hip.dual_header import COMPATIBILITY_HEADER, merge_headers
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip


@dataclass(frozen=True)
class PortedHeaders:
    """`contents` by new name; `names` maps each include's spelling to it, and is empty where names stay.

    `written` are the headers of porter's that the ported ones include, by name. `declined` are their kernels
    that cannot be ported, with the reason.
    """

    contents: dict[str, bytes]
    names: dict[str, str]
    findings: tuple[Diagnostic, ...]
    written: tuple[Mapping[str, bytes], ...] = ()
    declined: Mapping[str, Diagnostic] = field(default_factory=dict)


def port_headers(
    unit: TranslationUnit, include_dirs: tuple[Path, ...], options: HipOptions, *, renamed: bool = True
) -> PortedHeaders:
    """Ports every CUDA header that `unit` reaches through includes that resolve to the user's own files."""
    found = dict(reachable_headers(unit, include_dirs))
    names = _new_names(found) if renamed else {target: target for target in found}
    contents: dict[str, bytes] = {}
    findings: list[Diagnostic] = []
    written: list[Mapping[str, bytes]] = []
    declined: dict[str, Diagnostic] = {}
    spelled = {path: target for target, path in reversed(found.items())}
    for path, target in reversed(spelled.items()):
        translation = translate_hip(read_translation_unit(SourceText.read(path)), options)
        contents[names[target]] = rename_includes(str(path), translation.text, names if renamed else {})
        findings.extend(translation.findings)
        written.append(translation.headers)
        declined.update(translation.declined_kernels)
    return PortedHeaders(contents, names if renamed else {}, tuple(findings), tuple(written), declined)


def porters_headers(written: Sequence[Mapping[str, bytes]]) -> dict[str, bytes]:
    """The headers of porter's for all files of a port, by name; the compatibility header is one for all."""
    merged = {name: data for headers in written for name, data in headers.items()}
    compatible = [headers[COMPATIBILITY_HEADER] for headers in written if COMPATIBILITY_HEADER in headers]
    return merged | ({COMPATIBILITY_HEADER: reduce(merge_headers, compatible)} if compatible else {})


def rename_includes(path: str, text: bytes, names: dict[str, str]) -> bytes:
    """`#include "helper.cuh"` (or `<helper.cuh>`) to the ported header's name."""
    unit = read_translation_unit(SourceText(path, text))
    edits = [
        Edit(include.span.start, include.span.end, f'"{names[include.target]}"'.encode(), "ported header")
        for include in unit.includes
        if include.target in names
    ]
    return apply_edits(text, edits)


def with_the_users_includes(unit: TranslationUnit, text: bytes, include_dirs: tuple[Path, ...]) -> bytes:
    """A port of `unit` that includes its headers as `unit` does: in a tree they are ported where they are."""
    names = _new_names(dict(reachable_headers(unit, include_dirs)))
    spelled = {names[i.target]: unit.source.slice(i.span) for i in unit.includes if i.target in names}
    port = read_translation_unit(SourceText(unit.source.path, text))
    edits = [
        Edit(i.span.start, i.span.end, spelled[i.target].encode("latin-1"), "the user's header")
        for i in port.includes
        if i.target in spelled
    ]
    return apply_edits(text, edits)


def _new_names(found: Mapping[str, Path]) -> dict[str, str]:
    """All in one folder: of two headers of one name the later one has its folder's before it."""
    taken: dict[str, Path] = {}
    names: dict[str, str] = {}
    for target, path in found.items():
        name = f"{path.stem}.hip{path.suffix}"
        for parent in path.resolve().parents:
            if taken.setdefault(name, path) == path or not parent.name:
                break
            name = f"{parent.name}_{name}"
        names[target] = name
    return names


def reachable_headers(unit: TranslationUnit, dirs: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """As they are included, and where they are: the user's own headers that move with a port. Those are the
    CUDA headers, the headers that lead to them, and what these have beside them."""
    folders = (Path(unit.source.path).parent, *dirs)
    found = tuple(_followed(unit, folders))
    moving = _moving(found, folders)
    yield from dict.fromkeys((i.target, i.path) for i in found if i.place in moving)


def read_headers(unit: TranslationUnit, dirs: tuple[Path, ...]) -> Iterator[TranslationUnit]:
    """`reachable_headers`, each once, as they are read."""
    for path in dict.fromkeys(path for _, path in reachable_headers(unit, dirs)):
        header = _read_header(path)
        if header is not None:
            yield header


@dataclass(frozen=True)
class _Inclusion:
    """`includer` and `place` are resolved paths; `path` is the first by which the header was found."""

    includer: Path
    target: str
    place: Path
    path: Path
    has_cuda: bool


def _followed(unit: TranslationUnit, dirs: tuple[Path, ...]) -> Iterator[_Inclusion]:
    """Every include that leads to a file of the user's, a header's own after the include of it; each file is
    looked into once, so that headers that include each other end."""
    own = Path(unit.source.path)
    paths: dict[Path, Path] = {own.resolve(): own}
    waiting = [(own, include.target) for include in reversed(unit.includes)]
    while waiting:
        includer, target = waiting.pop()
        path = resolved_include(target, includer.parent, dirs)
        header = _look_into(path) if path is not None else None
        if path is None or header is None:
            continue
        place = path.resolve()
        if place not in paths:
            paths[place] = path
            waiting += ((path, below) for below in reversed(header.targets))
        if place != own.resolve():
            yield _Inclusion(includer.resolve(), target, place, paths[place], header.has_cuda)


def _moving(found: Sequence[_Inclusion], dirs: tuple[Path, ...]) -> set[Path]:
    """What includes a header that moves, moves too, or it would include the original; so does what a port
    does not find where it is, since its includer has moved."""
    beside = tuple(i for i in found if not _is_found_by(dirs, i.target, i.path))
    headers = {i.place for i in found}
    moving: set[Path] = set()
    new = {i.place for i in found if i.has_cuda}
    while new:
        moving |= new
        leading = {i.includer for i in found if i.place in moving} & headers
        left_behind = {i.place for i in beside if i.includer in moving}
        new = (leading | left_behind) - moving
    return moving


def resolved_include(target: str, folder: Path, dirs: tuple[Path, ...]) -> Path | None:
    """The file of the user's that an include in a file of `folder` means."""
    return next((d / target for d in (folder, *dirs) if (d / target).is_file()), None)


def _is_found_by(dirs: tuple[Path, ...], target: str, path: Path) -> bool:
    """Whether a port finds the file where it is: not beside its includer, which moves."""
    found = next((d / target for d in dirs if (d / target).is_file()), None)
    return found is not None and found.resolve() == path.resolve()


def _read_header(path: Path) -> TranslationUnit | None:
    try:
        status = path.stat()
        return _read_once(path, status.st_mtime_ns, status.st_size)
    except (InputError, OSError):
        return None


@lru_cache(maxsize=64)
def _read_once(path: Path, _changed_ns: int, _bytes: int) -> TranslationUnit:
    """A header that many files include is read once."""
    return read_translation_unit(check_input(path))


@dataclass(frozen=True)
class _Header:
    """What of a header says how far to follow it: it is kept longer than its text."""

    has_cuda: bool
    targets: tuple[str, ...]


def _look_into(path: Path) -> _Header | None:
    try:
        status = path.stat()
        return _look_once(path, status.st_mtime_ns, status.st_size)
    except (InputError, OSError):
        return None


@lru_cache(maxsize=8192)
def _look_once(path: Path, changed_ns: int, size_bytes: int) -> _Header:
    header = _read_once(path, changed_ns, size_bytes)
    return _Header(has_cuda(header), tuple(include.target for include in header.includes))
