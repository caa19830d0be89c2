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
from itertools import pairwise
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.errors import PorterError
from porter.core.span import SourceText
from porter.cuda.clang_unit import ParseError, parse_unit
from porter.cuda.declarations import declarations
from porter.cuda.input import check_input
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.tokens import Kind, TokenizedSource, tokenize
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
    """`request` and `unit` are of the copy, which goes away with `workspace`; `absent` are the includes it
    lacks.

    `originals` are the files that copies stand for, by the copies' paths; `instances` are those that were
    made of kernel templates, by the templates' names. `undefined` are names that conditions ask for and that
    no file of it defines. `lost` are kernels that use a name which the copy has no declaration of any more:
    what they find there may be another one.
    """

    request: PortRequest
    unit: TranslationUnit
    workspace: tempfile.TemporaryDirectory[str]
    absent: tuple[str, ...]
    originals: Mapping[str, str]
    instances: Mapping[str, str]
    undefined: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()

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
    texts[main], dropped = _without_host_functions(unit)
    root = Path(os.path.commonpath([path.parent for path in texts]))
    workspace = tempfile.TemporaryDirectory(prefix="porter-alone-")
    top = Path(workspace.name).resolve()
    copies = {path: top / path.relative_to(root) for path in texts}
    folders = tuple(_copied_folder(folder, root, top) for folder in request.include_dirs)
    for path, data in texts.items():
        copies[path].parent.mkdir(parents=True, exist_ok=True)
        copies[path].write_bytes(data)
    absent = _reduce(copies, main, folders, request.defines, dropped)
    if any(_is_there(name, sources, request.search_path) for name in absent):
        return None  # a link, or a name that a macro makes: the copy would be another program
    reduced = _read(copies[main])
    of_headers = {kernel.name for kernel in unit.header_kernels}
    headers = [_read(copy) for path, copy in copies.items() if path != main]
    kept = tuple(k for header in headers for k in header.kernels if k.name in of_headers)
    if not reduced.kernels and not kept:
        return None
    instances = tuple(template_instances((*reduced.kernels, *kept), unit.launches))
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
    whole = replace(_read(copies[main]), header_kernels=kept)
    units = [whole, *headers]
    return KernelsAlone(
        alone,
        whole,
        workspace,
        absent,
        originals,
        {i.kernel: i.name for i in instances},
        tuple(_undefined(units, request.defines)),
        frozenset(_lost(units, dropped)),
    )


def _read(path: Path) -> TranslationUnit:
    return read_translation_unit(SourceText(str(path), path.read_bytes()))


def _is_there(target: str, sources: Mapping[Path, SourceText], folders: tuple[Path, ...]) -> bool:
    places = (Path(source.path).parent for source in sources.values())
    return any(resolved_include(target, place, folders) is not None for place in places)


_CUDAS = frozenset(("defined", "CUDA_VERSION", "CUDART_VERSION", "NDEBUG", "CUDA_ARCH"))


def _undefined(units: list[TranslationUnit], defines: tuple[str, ...]) -> Iterator[str]:
    directives = [d for unit in units for d in unit.tokenized.directives]
    known = {d.tokens[2].text for d in directives if d.name == "define" and len(d.tokens) > 2}
    known |= {define.partition("=")[0] for define in defines} | _CUDAS
    asked = (d for d in directives if d.name in ("if", "ifdef", "ifndef", "elif"))
    words = (t.text for d in asked for t in d.tokens[2:] if t.kind is Kind.IDENTIFIER)
    yield from dict.fromkeys(w for w in words if w not in known and (w[0] != "_" or w == "__has_include"))


def _lost(units: list[TranslationUnit], dropped: set[str]) -> Iterator[str]:
    """Kernels that use a dropped name, themselves or in what they call."""
    functions = [(f, _used(unit, f)) for unit in units for f in unit.functions if f.kind.on_device]
    macros = [words for unit in units for words in unit.tokenized.macro_words.items()]
    wrong = set(dropped)
    while more := {f.name for f, used in functions if used & wrong} | {n for n, ws in macros if ws & wrong}:
        if more <= wrong:
            break
        wrong |= more
    yield from (f.name for f, used in functions if f.kind is FunctionKind.KERNEL and used & wrong)


def _used(unit: TranslationUnit, function: Function) -> frozenset[str]:
    """The names in a function that are neither members nor its own: one behind a type's name is declared."""
    first = unit.tokenized.code_index(function.span.start)
    last = unit.tokenized.code_index(function.span.end)
    used: set[str] = set()
    own = {p.name for p in function.parameters} | {function.name}
    for before, token in pairwise(unit.tokenized.code[first:last]):
        if token.kind is Kind.IDENTIFIER and before.text not in (".", "->"):
            is_new = before.kind is Kind.IDENTIFIER and before.text not in ("return", "else", "case", "do")
            (own if is_new else used).add(token.text)
    return frozenset(used - own)


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


def _without_host_functions(unit: TranslationUnit) -> tuple[bytes, set[str]]:
    """What a kernel may call is kept: functions of the device, and constexpr ones. And the names dropped."""
    host = {f.name_span.start: f.name for f in unit.functions if f.kind is FunctionKind.HOST}
    data, dropped = unit.source.data, set[str]()
    for one in declarations(unit.tokenized):
        names = {name for start, name in host.items() if one.start <= start < one.end}
        if names and not one.is_type and not (_ON_DEVICE | {"constexpr"}) & one.words:
            data = _blanked(data, unit.tokenized, one.start, one.end)
            dropped |= names
    return data, dropped


def _reduce(
    copies: Mapping[Path, Path],
    main: Path,
    folders: tuple[Path, ...],
    defines: tuple[str, ...],
    dropped: set[str],
) -> tuple[str, ...]:
    """Blanks what cannot be read, round by round, and adds its names to `dropped`; gives the includes that
    are not there."""
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
            changed |= _drop(copies[path], error, dropped, is_include=bool(missing))
        if not changed:
            break
    return tuple(absent)


def _drop(copy: Path, error: ParseError, dropped: set[str], *, is_include: bool) -> bool:
    """Blanks the include, or the declaration that an error is in, unless the device has it."""
    source = SourceText(str(copy), copy.read_bytes())
    tokenized = tokenize(source)
    if is_include:
        line = next((d for d in tokenized.directives if d.start <= error.offset < d.end), None)
        if line is None:
            return False
        data = _spaces(source.data, line.start, line.end)
    else:
        around = (d for d in declarations(tokenized) if d.start <= error.offset < d.end)
        one = next(around, None)
        if one is None or _ON_DEVICE & one.words:
            return False
        data = _blanked(source.data, tokenized, one.start, one.end)
        dropped |= one.names
    if data == source.data:
        return False
    copy.write_bytes(data)
    return True


def _blanked(data: bytes, tokenized: TokenizedSource, start: int, end: int) -> bytes:
    """Without the directives inside: what they define holds for the rest of the file."""
    for directive in tokenized.directives:
        if start <= directive.start < end:
            data = _spaces(data, start, directive.start)
            start = directive.end
    return _spaces(data, start, end)


def _spaces(data: bytes, start: int, end: int) -> bytes:
    """Line ends stay, so that every place does."""
    return data[:start] + re.sub(rb"[^\n]", b" ", data[start:end]) + data[end:]
