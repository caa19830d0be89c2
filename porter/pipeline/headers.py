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
    """As it is included, and where it is: each of the user's own CUDA headers once, and what they have beside
    them."""
    return _reachable(unit, (Path(unit.source.path).parent, *dirs), set())


def read_headers(unit: TranslationUnit, dirs: tuple[Path, ...]) -> Iterator[TranslationUnit]:
    """`reachable_headers`, each once, as they are read."""
    for path in dict.fromkeys(path for _, path in reachable_headers(unit, dirs)):
        header = _read_header(path)
        if header is not None:
            yield header


def _reachable(unit: TranslationUnit, dirs: tuple[Path, ...], seen: set[Path]) -> Iterator[tuple[str, Path]]:
    for include in unit.includes:
        path = resolved_include(include.target, Path(unit.source.path).parent, dirs)
        if path is None or path.resolve() in seen:
            continue
        seen.add(path.resolve())
        header = _read_header(path)
        if header is None or (not has_cuda(header) and _is_found_by(dirs, include.target, path)):
            continue
        yield include.target, path
        yield from _reachable(header, dirs, seen)


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
