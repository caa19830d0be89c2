"""A whole checkout ported in place, into a mirror of it: sources and headers once, everything else linked.

A file's port is kept by the hash of its bytes and of porter's own code, so that a second run costs little.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from statement_lines import statement_lines

import porter.analysis
import porter.cuda
import porter.hip
import porter.rules
from porter.core.cache import cache_directory, digest
from porter.core.errors import InputError
from porter.cuda.input import check_input
from porter.cuda.translation_unit import has_cuda, read_translation_unit
from porter.hip.options import HipOptions
from porter.hip.translate import HipTranslation, translate_hip

# What is kept of a file: another word here when that changes.
_RECORD = "findings with their statements' lines"
SOURCES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".cxx", ".inl", ".hu"))


@dataclass(frozen=True)
class Finding:
    """What porter says about a place of a file; in the port its statement has the lines `first` to `last`."""

    code: str
    severity: str
    line: int
    message: str
    first: int = 0
    last: int = 0


@dataclass(frozen=True)
class PortedFile:
    """One source of a checkout: its path there, and what porter said about it."""

    path: Path
    findings: tuple[Finding, ...]
    includes: tuple[str, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "error")


@dataclass(frozen=True)
class PortedTree:
    """`root` is the mirror; files by their path below it."""

    checkout: Path
    root: Path
    files: dict[Path, PortedFile]

    @cached_property
    def includers(self) -> dict[str, tuple[Path, ...]]:
        """The files that include a header of this name, whatever its folder."""
        found: dict[str, list[Path]] = {}
        for path, file in self.files.items():
            for target in file.includes:
                found.setdefault(Path(target).name, []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}


def port_tree(checkout: Path, arch: str, jobs: int) -> PortedTree:
    """Ports every source of `checkout` that holds CUDA; the mirror lies in porter's cache."""
    root = cache_directory("public-ports") / checkout.name
    sources = []
    for path in _regular_files(checkout):
        target = root / path.relative_to(checkout)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in SOURCES:
            sources.append((path, target, arch))
        elif not target.exists():
            target.symlink_to(path.resolve())
    with ProcessPoolExecutor(jobs) as pool:
        ported = pool.map(_port_file, *zip(*sources, strict=True), chunksize=8)
    return PortedTree(checkout, root, {f.path.relative_to(checkout): f for f in ported})


def _regular_files(folder: Path) -> Iterator[Path]:
    return (p for p in sorted(folder.rglob("*")) if p.is_file() and ".git" not in p.parts)


# The fields of a Finding.
_Record = tuple[str, str, int, str, int, int]


@cache
def _code_of_porter() -> str:
    packages = (porter.analysis, porter.cuda, porter.hip, porter.rules)
    files = (p for package in packages for p in sorted(Path(package.__path__[0]).rglob("*")))
    return digest(*(p.read_bytes() for p in files if p.suffix in (".py", ".toml", ".h")))


def _port_file(path: Path, target: Path, arch: str) -> PortedFile:
    data = path.read_bytes()
    kept = cache_directory("public-ports-files") / digest(data, str(path), arch, _code_of_porter(), _RECORD)
    if not kept.exists():
        translated, findings, includes = _translate(path, arch)
        kept.with_suffix(".text").write_bytes(translated.text)
        headers = {name: data.decode() for name, data in translated.headers.items()}
        kept.write_text(json.dumps([findings, includes, headers]), encoding="utf-8")
    findings, includes, headers = json.loads(kept.read_text(encoding="utf-8"))
    for name, header in headers.items():
        (target.parent / name).write_text(header)
    text = kept.with_suffix(".text").read_bytes()
    # An unchanged file keeps its time, so that what was built from it is still fresh.
    if not target.exists() or target.read_bytes() != text:
        target.write_bytes(text)
    return PortedFile(path, tuple(Finding(*f) for f in findings), tuple(includes))


def _translate(
    path: Path, arch: str
) -> tuple[HipTranslation, list[tuple[str, str, int, str, int, int]], list[str]]:
    try:
        unit = read_translation_unit(check_input(path))
    except InputError:
        return HipTranslation(path.read_bytes(), (), ()), [], []
    includes = [i.target for i in unit.includes]
    if path.suffix not in (".cu", ".cuh") and not has_cuda(unit):
        return HipTranslation(unit.source.data, (), ()), [], includes
    translation = translate_hip(unit, HipOptions(arch=arch))
    findings = [
        (f.code, str(f.severity), f.span.line, f.message, *statement_lines(unit, translation.edits, f.span))
        for f in translation.findings
    ]
    return translation, findings, includes
