"""How the sources of a tree are compiled, from its build files; and where headers are that none names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from porter.hip.build_files.cmake_links import Links
from porter.hip.build_files.cmake_options import CMakeFile, of_cmake
from porter.hip.build_files.compile_options import CompileOptions, of_makefile, of_setup_py
from porter.migrate.build_file_names import is_cmake_lists, is_makefile, is_setup_py
from porter.migrate.discovery import HEADER_SUFFIXES, Tree, list_files
from porter.migrate.source_files import Unusable, read_source_file

_MOST_INCLUDED = 400
"""Headers of one source that are followed."""
_OF_THE_SYSTEM = frozenset(
    ("arpa", "asm", "bits", "cooperative_groups", "crt", "cub", "cuda", "experimental", "ext", "hip", "linux",
     "net", "netinet", "nv", "sys", "thrust")
)  # fmt: skip
_INCLUDE = re.compile(rb'(?m)^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]')


@dataclass(frozen=True)
class Found:
    """A folder that was found by its header: no build file names it."""

    header: str
    folder: str


@dataclass(frozen=True)
class BuildSettings:
    """`by_folder` is what the build files in a folder say of the sources in it and below. `of_targets` are
    macros of CMake's targets: for the folder of their file, and for those below that have no build file.
    `headers` are the names of the tree's headers, by their last part. `closed` are folders with a Makefile or
    a setup.py."""

    by_folder: Mapping[str, CompileOptions] = field(default_factory=dict)
    of_targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()

    def of(self, name: str) -> CompileOptions:
        """The nearest build file's folders first. Macros of folders above count no more where a Makefile or
        a setup.py is found: those do not hand theirs down."""
        parents = [str(parent) for parent in PurePosixPath(name).parents if str(parent) in self.by_folder]
        folders: list[str] = []
        of_targets = self.of_targets.get(parents[0], ()) if parents else ()
        defines = {define.partition("=")[0]: define for define in of_targets}
        closed = False
        for parent in parents:
            options = self.by_folder[parent]
            folders += options.include_dirs
            for define in options.defines if not closed else ():
                defines.setdefault(define.partition("=")[0], define)
            closed = closed or parent in self.closed
        return CompileOptions(tuple(dict.fromkeys(folders)), tuple(defines.values()))

    def found_for(self, root: Path, name: str, known: tuple[str, ...]) -> tuple[Found, ...]:
        """For headers that `name` and its headers include and that are neither beside them nor in the folders
        `known`: the folder in which exactly one file of the tree has that name."""
        folders = list(known)
        found: dict[str, Found] = {}
        waiting, seen = [name], {name}
        while waiting and len(seen) < _MOST_INCLUDED:
            source = waiting.pop(0)
            for quote, target in _includes(root / source):
                place = self._place(root, source, target, folders, quoted=quote == '"')
                may_be_own = quote == '"' or _may_be_own(target)
                if place is None and may_be_own and (only := self._only(target)):
                    folder = only[: -len(target)].rstrip("/") or "."
                    found.setdefault(folder, Found(target, folder))
                    folders.append(folder)
                    place = only
                if place is not None and place not in seen:
                    seen.add(place)
                    waiting.append(place)
        return tuple(found.values())

    def _place(self, root: Path, source: str, target: str, folders: list[str], *, quoted: bool) -> str | None:
        """As a compiler looks: beside the file, then in the folders."""
        beside = [str(PurePosixPath(source).parent)] if quoted else []
        for folder in (*beside, *folders):
            name = str(PurePosixPath(folder) / target)
            if name in self.headers.get(PurePosixPath(target).name, ()) or (root / name).is_file():
                return name
        return None

    def _only(self, target: str) -> str | None:
        """The one header whose name ends with `target`."""
        if target.startswith((".", "/")) or not PurePosixPath(target).name:
            return None
        names = self.headers.get(PurePosixPath(target).name, ())
        same = [name for name in names if name == target or name.endswith(f"/{target}")]
        return same[0] if len(same) == 1 else None


def _may_be_own(target: str) -> bool:
    """Whether `<target>` may be the tree's: `<unistd.h>` and `<sys/types.h>` are the system's, whatever the
    tree has of that name, and so are CUDA's."""
    folder, _, rest = target.partition("/")
    if rest:
        return folder not in _OF_THE_SYSTEM
    return PurePosixPath(target).suffix in (".cuh", ".hpp", ".hxx", ".inl")


def read_build_settings(tree: Tree) -> BuildSettings:
    """Reads every build file once; outer folders before inner ones, which see their variables."""
    by_folder: dict[str, list[CompileOptions]] = {}
    cmake: dict[str, CMakeFile] = {}
    names = tuple(list_files(tree, _is_read))
    for name in sorted(names, key=lambda n: (n.count("/"), n)):
        data = read_source_file(tree.root / name)
        if isinstance(data, Unusable):
            continue
        text, folder = data.decode("latin-1"), str(PurePosixPath(name).parent)
        if is_cmake_lists(name):
            cmake[folder] = of_cmake(text, folder, _variables_above(folder, cmake))
            options = cmake[folder].options
        else:
            options = of_setup_py(text, folder) if is_setup_py(name) else of_makefile(text, folder)
        by_folder.setdefault(folder, []).append(options)
    links = Links(cmake)
    for folder in cmake:
        by_folder[folder].append(CompileOptions(links.folders_of(folder)))
    headers: dict[str, list[str]] = {}
    for name in list_files(tree, lambda n: PurePosixPath(n).suffix in HEADER_SUFFIXES):
        headers.setdefault(PurePosixPath(name).name, []).append(name)
    return BuildSettings(
        by_folder={folder: _joined(tree.root, options) for folder, options in by_folder.items()},
        of_targets={folder: links.defines_of(folder) for folder in cmake},
        headers={name: tuple(places) for name, places in headers.items()},
        closed=frozenset(str(PurePosixPath(name).parent) for name in names if not is_cmake_lists(name)),
    )


def _is_read(name: str) -> bool:
    return is_setup_py(name) or is_cmake_lists(name) or is_makefile(name)


def _variables_above(folder: str, files: Mapping[str, CMakeFile]) -> Mapping[str, str]:
    above = (str(parent) for parent in PurePosixPath(folder).parents)
    return next((files[p].variables for p in above if p in files and p != folder), {})


def _joined(root: Path, options: list[CompileOptions]) -> CompileOptions:
    """Folders that exist in the tree, no link out of it; macros to which all build files of a folder give the
    same value."""
    folders = dict.fromkeys(f for o in options for f in o.include_dirs if _is_own_folder(root, f))
    values: dict[str, set[str]] = {}
    for option in options:
        for define in option.defines:
            values.setdefault(define.partition("=")[0], set()).add(define)
    return CompileOptions(tuple(folders), tuple(next(iter(v)) for v in values.values() if len(v) == 1))


def _is_own_folder(root: Path, folder: str) -> bool:
    try:
        found = (root / folder).resolve()
        return found.is_dir() and found.is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # too long a name, a loop of links
        return False


def _includes(path: Path) -> Iterator[tuple[str, str]]:
    data = read_source_file(path)
    if isinstance(data, Unusable):
        return
    for match in _INCLUDE.finditer(data):
        yield match[1].decode(), match[2].decode("utf-8", "surrogateescape")
