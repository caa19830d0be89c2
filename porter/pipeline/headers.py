"""The user's own CUDA headers travel with the port: each is ported once, under a name of its own.

`helper.cuh` becomes `helper.hip.cuh`, so that port and original can stand in one folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
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

    `written` are the compatibility headers that the ported ones include.
    """

    contents: dict[str, bytes]
    names: dict[str, str]
    findings: tuple[Diagnostic, ...]
    written: tuple[bytes, ...] = ()


def port_headers(
    unit: TranslationUnit, include_dirs: tuple[Path, ...], options: HipOptions, *, renamed: bool = True
) -> PortedHeaders:
    """Ports every CUDA header that `unit` reaches through includes that resolve to the user's own files."""
    found = dict(_reachable(unit, include_dirs, set()))
    names = {target: _new_name(path) if renamed else target for target, path in found.items()}
    contents: dict[str, bytes] = {}
    findings: list[Diagnostic] = []
    written: list[bytes] = []
    spelled = {path: target for target, path in reversed(found.items())}
    for path, target in reversed(spelled.items()):
        translation = translate_hip(read_translation_unit(SourceText.read(path)), options)
        contents[names[target]] = rename_includes(str(path), translation.text, names if renamed else {})
        findings.extend(translation.findings)
        written.extend(translation.headers.values())
    return PortedHeaders(contents, names if renamed else {}, tuple(findings), tuple(written))


def compatibility_header(written: Sequence[bytes]) -> dict[str, bytes]:
    """The one compatibility header for all files of a port, by its name; none where none needs it."""
    return {COMPATIBILITY_HEADER: reduce(merge_headers, written)} if written else {}


def rename_includes(path: str, text: bytes, names: dict[str, str]) -> bytes:
    """`#include "helper.cuh"` (or `<helper.cuh>`) to the ported header's name."""
    unit = read_translation_unit(SourceText(path, text))
    edits = [
        Edit(include.span.start, include.span.end, f'"{names[include.target]}"'.encode(), "ported header")
        for include in unit.includes
        if include.target in names
    ]
    return apply_edits(text, edits)


def _new_name(path: Path) -> str:
    return f"{path.stem}.hip{path.suffix}"


def _reachable(unit: TranslationUnit, dirs: tuple[Path, ...], seen: set[Path]) -> Iterator[tuple[str, Path]]:
    for include in unit.includes:
        path = _resolve(include.target, Path(unit.source.path).parent, dirs)
        if path is None or path in seen:
            continue
        seen.add(path)
        header = _read_cuda_header(path)
        if header is None:
            continue
        yield include.target, path
        yield from _reachable(header, dirs, seen)


def _resolve(target: str, folder: Path, dirs: tuple[Path, ...]) -> Path | None:
    return next((d / target for d in (folder, *dirs) if (d / target).is_file()), None)


def _read_cuda_header(path: Path) -> TranslationUnit | None:
    try:
        unit = read_translation_unit(check_input(path))
    except InputError:
        return None
    return unit if has_cuda(unit) else None
