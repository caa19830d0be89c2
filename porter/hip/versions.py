"""HIP names that the chosen ROCm does not have yet, or no longer: from `versions.toml`.

A name without a documented version is taken to be there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.rocm_version import RocmVersion
from porter.hip.step import error

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VERSIONS_FILE = Path(__file__).parent / "versions.toml"
NOT_IN_THIS_ROCM = "API013"

_NAME = re.compile(r"[A-Za-z_]\w+")


@dataclass(frozen=True)
class Versions:
    """By HIP name: the version it came with, and the one it was removed in."""

    since: Mapping[str, RocmVersion]
    removed: Mapping[str, RocmVersion]


@cache
def load_versions() -> Versions:
    """What `versions.toml` says."""
    document = tomllib.loads(VERSIONS_FILE.read_text(encoding="utf-8"))
    return Versions(_by_name(document["since"]), _by_name(document["removed"]))


def _by_name(section: Mapping[str, list[str]]) -> dict[str, RocmVersion]:
    return {name: RocmVersion.parse(version) for version, names in section.items() for name in names}


def version_findings(unit: TranslationUnit, edits: Iterable[Edit], rocm: RocmVersion) -> Iterator[Diagnostic]:
    """An error at the first place of each name that `edits` write and `rocm` does not have."""
    told: set[str] = set()
    for edit in edits:
        for name in _NAME.findall(edit.replacement.decode("latin-1")):
            reason = _missing(name, rocm)
            if reason is not None and name not in told:
                told.add(name)
                message, way_out = reason
                yield error(NOT_IN_THIS_ROCM, message, unit.source.span(edit.start, edit.end), way_out)


def _missing(name: str, rocm: RocmVersion) -> tuple[str, str] | None:
    """Why `rocm` has no `name`, and what to do."""
    versions = load_versions()
    since, removed = versions.since.get(name), versions.removed.get(name)
    if since is not None and rocm < since:
        return f"{name} came with ROCm {since}; {rocm} does not have it", f"build with ROCm {since} or later"
    if removed is not None and rocm >= removed:
        way_out = "see the release notes for what took its place"
        return f"{name} was removed in ROCm {removed}; {rocm} does not have it", way_out
    return None
