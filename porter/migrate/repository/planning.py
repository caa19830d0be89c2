"""The plan: which files become units, in which order. It reads every file once and keeps one at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from porter.core.cache import digest
from porter.core.outcome import Target
from porter.migrate.build_file_names import is_build_file
from porter.migrate.discovery import (
    CUDA_SUFFIXES,
    HEADER_SUFFIXES,
    Tree,
    holds_cuda,
    is_source_name,
    list_files,
)
from porter.migrate.repository.units import Kind, Unit
from porter.migrate.source_files import Unusable, read_source_file

_KERNEL = b"__global__"
_MAIN = re.compile(rb"\bmain\s*\(")


class Surroundings:
    """A digest of what units of a kind depend on besides their own file, as far as the plan has come: a
    program is compared with what it includes, a build file finds what others use."""

    def __init__(self, settings: str = "") -> None:
        self._digests = {Kind.KERNELS: digest(settings), Kind.BUILD: ""}

    def add(self, kind: Kind, name: str, data: bytes) -> None:
        self._digests[kind] = digest(self._digests[kind], os.fsencode(name), data)

    def by_kind(self) -> Mapping[Kind, str]:
        return dict(self._digests)


def plan(tree: Tree, target: Target, around: Surroundings | None = None) -> Iterator[Unit]:
    """Build files first: they are quick, and the first that a user looks at. Then sources in the order of
    their names, so that a folder's work is done together. `around` is told of all that was read."""
    files = _files(tree, target, around or Surroundings())
    for number, (name, kind, data) in enumerate(files):
        yield Unit(number, name, kind, digest(data))


def _files(tree: Tree, target: Target, around: Surroundings) -> Iterator[tuple[str, Kind, bytes]]:
    if target is Target.HIP:
        for name, data in _read(tree, is_build_file):
            around.add(Kind.BUILD, name, data)
            yield name, Kind.BUILD, data
    for name, data in _read(tree, is_source_name):
        around.add(Kind.KERNELS, name, data)
        kind = _kind(name, data)
        if kind is Kind.KERNELS or (kind is not None and target is Target.HIP):
            yield name, kind, data


def _read(tree: Tree, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """A file that is CUDA by its name and cannot be read comes too, with what is wrong for its contents: its
    unit says so. Of others nobody knows that they are CUDA."""
    for name in list_files(tree, is_wanted):
        data = read_source_file(tree.root / name)
        if not isinstance(data, Unusable):
            yield name, data
        elif PurePosixPath(name).suffix in CUDA_SUFFIXES:
            yield name, _KERNEL + data.message.encode()


def kernels_in(path: Path) -> int:
    """How many a file seems to have, by their qualifier; comments may count."""
    data = read_source_file(path)
    return 0 if isinstance(data, Unusable) else data.count(_KERNEL)


def _kind(name: str, data: bytes) -> Kind | None:
    """A quick look at the text; whether it is CUDA after all is found when the unit is worked on.

    Kernels of a header are proved with the programs that include it, which may have none of their own."""
    suffix = PurePosixPath(name).suffix
    if suffix != ".cu" and not holds_cuda(name, data):
        return None
    if suffix in HEADER_SUFFIXES:
        return Kind.CUDA
    is_program = suffix == ".cu" and _MAIN.search(data) is not None
    return Kind.KERNELS if _KERNEL in data or is_program else Kind.CUDA
