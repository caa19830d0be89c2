"""What targets of CMake hand on to those that link them, over all CMakeLists.txt files of a tree.

A target is known in its whole project, wherever it is made. Of projects that lie beside each other, each has
targets of its own; a target of another one counts where only that one has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from porter.hip.build_files.cmake_options import CMakeFile, Saying

_MOST_LINKED = 400
"""Targets that are followed for one target's sources."""


class Links:
    """`files` are the CMakeLists.txt files by their folders."""

    def __init__(self, files: Mapping[str, CMakeFile]) -> None:
        self._files = files
        self._added_by: dict[str, str] = {}
        for folder, file in files.items():
            for below in file.subfolders:
                if below in files and below != folder:
                    self._added_by.setdefault(below, folder)
        self._sayings: dict[tuple[str, str], list[Saying]] = {}
        self._aliases: dict[tuple[str, str], str] = {}
        self._projects: dict[str, set[str]] = {}
        self._project_of = {folder: self._outermost(folder) for folder in files}
        for folder, file in files.items():
            project = self._project_of[folder]
            for saying in file.sayings:
                self._sayings.setdefault((project, saying.name), []).append(saying)
                self._projects.setdefault(saying.name, set()).add(project)
            for alias, name in file.aliases.items():
                self._aliases[project, alias] = name
                self._projects.setdefault(alias, set()).add(project)

    def folders_of(self, folder: str) -> tuple[str, ...]:
        """Folders of headers for the sources of the CMakeLists.txt in `folder`, those of its own text apart:
        of what any of its targets links, of what else is said of them, and of files that add `folder`."""
        file, project = self._files[folder], self._project_of[folder]
        sayings = [s for name in file.compiled for s in self._own(project, name)]
        linked = [name for saying in (*file.sayings, *sayings) for name in saying.links]
        found = [d for s in sayings for d in s.options.include_dirs]
        for saying in self._handed_on(project, (*file.links, *linked)):
            found += saying.options.include_dirs
        for above in self._adders(folder):
            found += self._files[above].options.include_dirs
        return tuple(dict.fromkeys(found))

    def defines_of(self, folder: str) -> tuple[str, ...]:
        """Macros that every target with sources of the CMakeLists.txt in `folder` has, its own or of what it
        links: which source is which target's is not asked."""
        file, project = self._files[folder], self._project_of[folder]
        of_each = [self._defines(project, name, file.links) for name in dict.fromkeys(file.compiled)]
        if not of_each:
            return ()
        return tuple(d for d in of_each[0] if all(d in others for others in of_each))

    def _defines(self, project: str, name: str, links: tuple[str, ...]) -> tuple[str, ...]:
        """Those with one value."""
        own = [s for s in self._own(project, name) if s.is_certain]
        linked = (*links, *(link for s in own for link in s.links))
        handed_on = self._handed_on(project, linked, certain=True)
        values: dict[str, set[str]] = {}
        for saying in (*own, *handed_on):
            for define in saying.options.defines:
                values.setdefault(define.partition("=")[0], set()).add(define)
        return tuple(next(iter(v)) for v in values.values() if len(v) == 1)

    def _own(self, project: str, name: str) -> Iterator[Saying]:
        return (s for s in self._sayings.get((project, name), ()) if s.is_own)

    def _handed_on(self, project: str, names: Iterable[str], *, certain: bool = False) -> Iterator[Saying]:
        """Of the targets `names` and of those that they hand on; each target once, so that targets that link
        each other end."""
        waiting = [(project, name) for name in names]
        seen: set[tuple[str, str]] = set()
        while waiting and len(seen) < _MOST_LINKED:
            target = self._target(*waiting.pop(0))
            if target is None or target in seen:
                continue
            seen.add(target)
            for saying in self._sayings.get(target, ()):
                if saying.is_handed_on and (saying.is_certain or not certain):
                    yield saying
                    waiting += ((target[0], link) for link in saying.links)

    def _target(self, project: str, name: str) -> tuple[str, str] | None:
        """Of its own project, else of the only other one that has it; by its name and not by an alias."""
        projects = self._projects.get(name, set())
        if project not in projects:
            if len(projects) != 1:
                return None
            project = next(iter(projects))
        return project, self._aliases.get((project, name), name)

    def _adders(self, folder: str) -> Iterator[str]:
        """What adds `folder` from elsewhere, and what is above that: a folder has what those have above it
        anyway."""
        above = {str(parent) for parent in PurePosixPath(folder).parents}
        seen = {folder}
        while (outer := self._outer(folder)) is not None and outer not in seen:
            seen.add(outer)
            folder = outer
            if folder not in above:
                yield folder

    def _outermost(self, folder: str) -> str:
        seen = {folder}
        while (outer := self._outer(folder)) is not None and outer not in seen:
            seen.add(outer)
            folder = outer
        return min(seen) if outer in seen else folder

    def _outer(self, folder: str) -> str | None:
        """What adds it, else the next folder above that has a file."""
        if folder in self._added_by:
            return self._added_by[folder]
        parents = (str(parent) for parent in PurePosixPath(folder).parents)
        return next((parent for parent in parents if parent in self._files and parent != folder), None)
