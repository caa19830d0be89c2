"""Checks the tables against real headers: that HIP declares each mapped name, with as many arguments.

A mapped name that no header declares is a defect of the table, unless the table's `newer` section says that
it came with a later version than the headers have. A function whose argument count differs from CUDA's must
be one whose calls are adapted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.hip.calls import ADAPTED_ARGUMENTS
from porter.hip.name_table import Mapped, NameTable

# The header that shows a library's names to be at hand.
_MAIN_HEADER = {
    "CUDA runtime": "hip_runtime_api.h",
    "CUDA driver": "hip_runtime_api.h",
    "cuBLAS": "hipblas.h",
    "cuBLASLt": "hipblaslt.h",
    "cuFFT": "hipfft.h",
    "cuRAND": "hiprand.h",
    "cuSOLVER": "hipsolver.h",
    "cuSPARSE": "hipsparse.h",
    "NVRTC": "hiprtc.h",
    "cuDNN": "miopen.h",
    "NVTX": "roctx.h",
}
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PROTOTYPE = re.compile(r"\b([a-z]\w+)\s*\(([^;{}()]*(?:\([^()]*\)[^;{}()]*)*)\)\s*[;{]")
_SUFFIXES = (".h", ".hpp", ".in")
_OWN_MARK = "porter's own"


@dataclass(frozen=True)
class LibraryCheck:
    """What one library's check found; `missing` and `counts` hold a line for each defect."""

    api: str
    names: int
    header: Path
    missing: tuple[str, ...]
    counts: tuple[str, ...] = ()


def check_tables(table: NameTable, hip: Iterable[Path], cuda: Path | None = None) -> tuple[LibraryCheck, ...]:
    """One check a library whose header is below one of the folders `hip`.

    `cuda` is the folder of CUDA's headers, for the numbers of arguments; without it only names are checked.
    """
    folders = tuple(hip)
    known = frozenset[str]().union(*map(declared_names, folders))
    hip_counts = _merged(count_arguments(f, deep=True) for f in folders)
    cuda_counts = count_arguments(cuda, deep=True) if cuda is not None else {}
    return tuple(
        _library(table, library, main, known, hip_counts, cuda_counts)
        for library, main in _main_headers(folders)
    )


def _main_headers(folders: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    for library, name in _MAIN_HEADER.items():
        paths = (path for folder in folders for path in sorted(folder.rglob(name)))
        main = next((p for p in paths if _OWN_MARK not in p.read_text(errors="replace")[:200]), None)
        if main is not None:
            yield library, main


def _library(
    table: NameTable,
    library: str,
    main: Path,
    known: frozenset[str],
    hip_counts: Mapping[str, frozenset[int]],
    cuda_counts: Mapping[str, frozenset[int]],
) -> LibraryCheck:
    entries = {name: e for name, e in sorted(table.mapped.items()) if e.api == library}
    missing = tuple(
        f"{name} is mapped to {e.hip}, which no HIP header declares"
        for name, e in entries.items()
        if e.hip.rstrip("*") not in known and e.hip not in table.newer
    )
    calls = tuple((n, e) for n, forms in sorted(table.calls.items()) for e in forms if e.api == library)
    missing += tuple(
        f"{name} is mapped to {e.name}, which no HIP header declares"
        for name, e in calls
        if e.name not in known
    )
    counts = tuple(
        f"{name} takes {_shown(cuda_counts[name])} arguments, {e.hip} {_shown(hip_counts[e.hip])}"
        for name, e in entries.items()
        if _differs(name, e, cuda_counts, hip_counts)
    )
    counts += tuple(
        f"{name} is called as {e.name} with {e.given} arguments, which takes {_shown(hip_counts[e.name])}"
        for name, e in calls
        if e.name in hip_counts and e.given not in hip_counts[e.name]
    )
    counts += tuple(
        f"{name} takes {_shown(cuda_counts[name])} arguments, the table says {e.arguments}"
        for name, e in calls
        if name in cuda_counts and e.arguments not in cuda_counts[name]
    )
    return LibraryCheck(library, len(entries) + len(calls), main, missing, counts)


def _differs(
    name: str, entry: Mapped, cuda: Mapping[str, frozenset[int]], hip: Mapping[str, frozenset[int]]
) -> bool:
    if name in ADAPTED_ARGUMENTS or name not in cuda or entry.hip not in hip:
        return False
    return not cuda[name] & hip[entry.hip]


def _shown(counts: frozenset[int]) -> str:
    return " or ".join(str(n) for n in sorted(counts))


def _merged(counted: Iterable[Mapping[str, frozenset[int]]]) -> dict[str, frozenset[int]]:
    merged: dict[str, frozenset[int]] = {}
    for counts in counted:
        for name, found in counts.items():
            merged[name] = merged.get(name, frozenset()) | found
    return merged


def declared_names(headers: Path) -> frozenset[str]:
    """Every identifier that stands in a header outside comments."""
    names: set[str] = set()
    for path in _headers(headers, deep=True):
        names.update(re.findall(r"\b[A-Za-z_]\w+", _code(path)))
    return frozenset(names)


def count_arguments(headers: Path, *, deep: bool = False) -> dict[str, frozenset[int]]:
    """The numbers of arguments that the headers give each function; overloads have several.

    `deep` reads the folders below too.
    """
    counts: dict[str, set[int]] = {}
    for path in _headers(headers, deep=deep):
        for name, arguments in _PROTOTYPE.findall(_code(path)):
            plain = re.sub(r"\([^()]*\)|<[^<>]*>", "", arguments).strip()
            counts.setdefault(name, set()).add(0 if plain in ("", "void") else plain.count(",") + 1)
    return {name: frozenset(found) for name, found in counts.items()}


def _headers(folder: Path, *, deep: bool) -> Iterator[Path]:
    paths = folder.rglob("*") if deep else folder.glob("*")
    return (path for path in paths if path.suffix in _SUFFIXES and path.is_file())


def _code(path: Path) -> str:
    return _COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
