"""What CUDA's parts are called in build files, and their counterparts in ROCm, from `names.toml`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Part:
    """`target` and `package` are CMake's names, `linked` the linker's; empty where there is nothing to name.

    With a `way_out` ROCm has no such part.
    """

    target: str
    package: str
    linked: str
    way_out: str = ""


@dataclass(frozen=True)
class BuildNames:
    """`variables`, `properties` by their CUDA name; `link_variables` to the part they hold; `no_properties`
    to what is done instead."""

    parts: Mapping[str, Part]
    variables: Mapping[str, str]
    link_variables: Mapping[str, str]
    properties: Mapping[str, str]
    no_properties: Mapping[str, str]


@cache
def build_names() -> BuildNames:
    data = tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))
    parts = {name: Part(**fields) for name, fields in data.pop("parts").items()}
    return BuildNames(parts, **data)


def library_part(name: str) -> Part | None:
    """The part that `-lNAME` or `CUDA::NAME` links, or None for what is not CUDA's."""
    parts = build_names().parts
    return parts.get(name) or (parts["npp"] if re.fullmatch(r"npp\w*", name) else None)
