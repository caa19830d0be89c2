"""Which files of a tree are build files, by their names."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_CMAKE = re.compile(r"CMakeLists\.txt|.+\.cmake")
_MAKEFILE = re.compile(r"GNUmakefile|[Mm]akefile(?:\..+)?|.+\.(?:mk|mak)|make\.config")
_OTHERS = re.compile(r"meson\.build|BUILD(?:\.bazel)?|.+\.bzl")


def is_build_file(name: str) -> bool:
    base = PurePosixPath(name).name
    is_other = is_presets(name) or is_pyproject(name) or bool(_OTHERS.fullmatch(base))
    return is_cmake(name) or is_makefile(name) or is_setup_py(name) or is_other


def is_cmake(name: str) -> bool:
    return bool(_CMAKE.fullmatch(PurePosixPath(name).name))


def is_cmake_lists(name: str) -> bool:
    """Of a folder, and so of the sources in it; a `.cmake` file may be included from anywhere."""
    return PurePosixPath(name).name == "CMakeLists.txt"


def is_makefile(name: str) -> bool:
    return bool(_MAKEFILE.fullmatch(PurePosixPath(name).name))


def is_presets(name: str) -> bool:
    return PurePosixPath(name).name in ("CMakePresets.json", "CMakeUserPresets.json")


def is_pyproject(name: str) -> bool:
    return PurePosixPath(name).name == "pyproject.toml"


def is_setup_py(name: str) -> bool:
    return PurePosixPath(name).name == "setup.py"
