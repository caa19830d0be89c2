"""A program that cannot be built here, for want of a library: its kernels in a copy that can be.

The copy has the file and the user's headers that it includes, without the includes that are not there,
without host functions, and without what else cannot be read once those are gone. Every byte keeps its place.
Templates are instantiated as the program's launches say, or else for float.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.errors import PorterError
from porter.core.span import SourceText
from porter.cuda.clang_unit import ParseError, parse_unit
from porter.cuda.declarations import declarations
from porter.cuda.input import check_input
from porter.cuda.structure import FunctionKind
from porter.cuda.tokens import tokenize
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hip.options import Warps
from porter.pipeline.headers import resolved_include
from porter.pipeline.missing_includes import file_not_found, is_of_cuda
from porter.pipeline.original import config_beside
from porter.pipeline.request import PortRequest
from porter.pipeline.template_instances import template_instances

ALONE = "VER022"
_MOST_ROUNDS = 40
"""Of reading and blanking: what is blanked may have been all that something else was read by."""
_ON_DEVICE = frozenset(("__global__", "__device__", "__shared__", "__constant__"))


@dataclass(frozen=True)
class KernelsAlone:
    """`request` is for the copy, which goes away with `workspace`; `absent` are the includes it lacks.

    `originals` are the files that copies stand for, by the copies' paths; `instances` are those that were
    made of kernel templates, by the templates' names.
    """

    request: PortRequest
    workspace: tempfile.TemporaryDirectory[str]
    absent: tuple[str, ...]
    originals: Mapping[str, str]
    instances: Mapping[str, str]

    def in_the_users_file(self, finding: Diagnostic) -> Diagnostic:
        """A finding of the copy, where it stands in the program."""
        path = self.originals.get(os.path.realpath(finding.span.path), finding.span.path)
        told = self.in_the_users_words(finding.message)
        return replace(finding, span=replace(finding.span, path=path), message=told)

    def in_the_users_words(self, text: str) -> str:
        for copy, path in self.originals.items():
            text = text.replace(copy, path)
        return text


def kernels_alone(request: PortRequest, unit: TranslationUnit) -> KernelsAlone | None:
    """None where the copy has no kernel any more."""
    sources = dict(_own_files(unit, request.search_path))
    main = Path(unit.source.path).resolve()
    texts = {path: source.data for path, source in sources.items()}
    texts[main] = _without_host_functions(unit)
    root = Path(os.path.commonpath([path.parent for path in texts]))
    workspace = tempfile.TemporaryDirectory(prefix="porter-alone-")
    top = Path(workspace.name).resolve()
    copies = {path: top / path.relative_to(root) for path in texts}
    folders = tuple(_copied_folder(folder, root, top) for folder in request.include_dirs)
    for path, data in texts.items():
        copies[path].parent.mkdir(parents=True, exist_ok=True)
        copies[path].write_bytes(data)
    absent = _reduce(copies, main, folders, request.defines)
    reduced = read_translation_unit(SourceText(str(copies[main]), copies[main].read_bytes()))
    if not reduced.kernels:
        return None
    instances = tuple(template_instances(reduced, unit.launches))
    appended = "".join(f"\n{instance.declaration}" for instance in instances)
    copies[main].write_bytes(reduced.source.data + appended.encode("latin-1") + b"\n")
    originals = {str(copy): sources[path].path for path, copy in copies.items()}
    alone = replace(
        request,
        source=copies[main],
        include_dirs=folders,
        config=request.config or config_beside(request.source),
        in_place=False,
        tune=False,
        warps=Warps.PRESERVE,
    )
    return KernelsAlone(alone, workspace, absent, originals, {i.kernel: i.name for i in instances})


def _own_files(unit: TranslationUnit, folders: tuple[Path, ...]) -> Iterator[tuple[Path, SourceText]]:
    """The file, and every file of the user's that it includes, by where they are."""
    waiting, seen = [unit], {Path(unit.source.path).resolve()}
    while waiting:
        one = waiting.pop()
        yield Path(one.source.path).resolve(), one.source
        for include in one.includes:
            path = resolved_include(include.target, Path(one.source.path).parent, folders)
            if path is None or path.resolve() in seen:
                continue
            seen.add(path.resolve())
            try:
                waiting.append(read_translation_unit(check_input(path)))
            except PorterError:
                continue


def _copied_folder(folder: Path, root: Path, copy: Path) -> Path:
    """Where files of `folder` are copied to; a folder that holds none of them stays."""
    found = folder.resolve()
    return copy / found.relative_to(root) if found.is_relative_to(root) else folder


def _without_host_functions(unit: TranslationUnit) -> bytes:
    """What a kernel may call is kept: functions of the device, and constexpr ones."""
    host = {f.name_span.start for f in unit.functions if f.kind is FunctionKind.HOST}
    data = unit.source.data
    for one in declarations(unit.tokenized):
        named = any(one.start <= start < one.end for start in host)
        if named and not one.is_type and not (_ON_DEVICE | {"constexpr"}) & one.words:
            data = _blanked(data, one.start, one.end)
    return data


def _reduce(
    copies: Mapping[Path, Path], main: Path, folders: tuple[Path, ...], defines: tuple[str, ...]
) -> tuple[str, ...]:
    """Blanks what cannot be read, round by round; gives the includes that are not there."""
    by_copy = {str(copy): path for path, copy in copies.items()}
    absent: dict[str, None] = {}
    for _ in range(_MOST_ROUNDS):
        source = SourceText(str(copies[main]), copies[main].read_bytes())
        found = parse_unit(source, include_dirs=(copies[main].parent, *folders), defines=defines)
        changed = False
        for error in found.errors:
            path = by_copy.get(os.path.realpath(error.path))
            missing = file_not_found(error.message)
            if path is None or (missing and is_of_cuda(missing)):
                continue
            if missing:
                absent.setdefault(missing)
            changed |= _drop(copies[path], error, is_include=bool(missing))
        if not changed:
            break
    return tuple(absent)


def _drop(copy: Path, error: ParseError, *, is_include: bool) -> bool:
    """Blanks the line of an include, or the declaration that an error is in, unless the device has it."""
    source = SourceText(str(copy), copy.read_bytes())
    if is_include:
        start = source.text.rfind("\n", 0, error.offset) + 1
        end = source.text.find("\n", error.offset)
        data = _blanked(source.data, start, end if end >= 0 else len(source.data))
    else:
        around = (d for d in declarations(tokenize(source)) if d.start <= error.offset < d.end)
        one = next(around, None)
        if one is None or _ON_DEVICE & one.words:
            return False
        data = _blanked(source.data, one.start, one.end)
    if data == source.data:
        return False
    copy.write_bytes(data)
    return True


def _blanked(data: bytes, start: int, end: int) -> bytes:
    """Line ends stay, so that every place does."""
    return data[:start] + re.sub(rb"[^\n]", b" ", data[start:end]) + data[end:]
