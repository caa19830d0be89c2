"""How the build of a ported file ends: it builds, it fails, or one of the two exemptions holds.

*refused* needs an error of porter at the very statement at which the compiler stops; *excluded* a header that
the original names, that no CUDA toolkit has and that the repository lacks, or a name that the program
declares nowhere. Everything else fails.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ported_tree import PortedFile, PortedTree

from porter.core.diagnostic import Severity
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.records import BuildResult, Built, NotAvailable
from porter.hip.includes import hip_header
from porter.hip.name_table import load_tables
from porter.hip.names import declared_names

MISSING_TOOL = "BLD900"
# How the headers of a CUDA toolkit begin, besides those that HIP has under another name.
_OF_THE_TOOLKIT = (
    "cu", "cub/", "cuda/", "thrust/", "cooperative_groups", "nv", "npp", "mma.h", "sm_", "device_", "host_",
    "vector_", "math_", "builtin_types.h", "channel_descriptor.h", "crt/", "driver_", "library_types.h",
    "surface_", "texture_", "common_functions.h",
)  # fmt: skip


def verdict(tree: PortedTree, built: BuildResult) -> tuple[str, str]:
    """The status of a file by its build, and why."""
    if isinstance(built, Built):
        return "builds", ""
    if isinstance(built, NotAvailable):
        return "fails", f"[{MISSING_TOOL}] this machine lacks {built.missing}"
    first = next(d for d in built.diagnostics if d.severity is Severity.ERROR)
    place = f"{Path(first.span.path).name}:{first.span.line}"
    file = _ported(tree, first.span.path)
    if missing := lacking_input(tree, file, first.message):
        return "excluded", f"its input {missing} is not in the repository"
    if undeclared := _declared_nowhere(tree, file, first.message):
        return "excluded", f"its program declares {undeclared} nowhere"
    if said := _said_at(file, first.span.line):
        return "refused", f"{said} (in {place})"
    return "fails", f"[{first.code}] {place}: {first.message}"


def _ported(tree: PortedTree, path: str) -> PortedFile | None:
    """The file whose port is `path`; None for a header that porter or a toolchain wrote."""
    place = Path(path)
    return tree.files.get(place.relative_to(tree.root)) if place.is_relative_to(tree.root) else None


def lacking_input(tree: PortedTree, file: PortedFile | None, message: str) -> str:
    """The header that was not found, where it is the original's and nobody's who ports it."""
    if file is None or "file not found" not in message:
        return ""
    target = message.split("'")[1]
    ours = hip_header(target) is not None or target.startswith(_OF_THE_TOOLKIT)
    held = any(path.name == Path(target).name for path in tree.files)
    return "" if ours or held or target not in file.includes else target


def _said_at(file: PortedFile | None, line: int) -> str:
    """porter's error at the statement of the port that holds `line`."""
    first = next((f for f in file.errors if f.first <= line <= f.last), None) if file else None
    return f"[{first.code}] {first.message}" if first else ""


def _declared_nowhere(tree: PortedTree, file: PortedFile | None, message: str) -> str:
    """The identifier that stands in this file of a program, in none beside it, and is no name of CUDA's."""
    found = re.search(r"use of undeclared identifier '(\w+)'", message)
    if file is None or found is None or found[1] not in _words(file.path):
        return ""
    program = file.path.relative_to(tree.checkout).parts[:2]
    beside = (f for p, f in tree.files.items() if p.parts[:2] == program or f.path.parent == file.path.parent)
    others = (f.path for f in beside if f is not file)
    elsewhere = any(found[1] in _words(other) for other in others)
    is_own = found[1] in declared_names(read_translation_unit(SourceText.read(file.path)))
    return "" if elsewhere or is_own or _is_of_cuda(found[1]) else found[1]


@cache
def _words(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", path.read_text(encoding="latin-1")))


def _is_of_cuda(name: str) -> bool:
    table = load_tables()
    return name.startswith("__") or name in table.mapped or name in table.unsupported
