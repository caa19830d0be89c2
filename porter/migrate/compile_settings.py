"""What a tree's `compile_commands.json` says of its files: folders of headers and macros, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.errors import InputError
from porter.migrate.build_settings import BuildSettings
from porter.migrate.discovery import Tree
from porter.simulator.compile_commands import CompileSettings, read_compile_database

DATABASE = "compile_commands.json"


@dataclass(frozen=True)
class TreeSettings:
    """`of` gives the settings of a file. `broken` says what is wrong with the database at `path`. `build` is
    what the build files say, for files that no database names."""

    path: str = ""
    by_name: Mapping[str, CompileSettings] = field(default_factory=dict)
    broken: str = ""
    build: BuildSettings = field(default_factory=BuildSettings)

    def of(self, name: str) -> CompileSettings:
        """Those of `name`; none for a file that the database does not name, such as a header."""
        return self.by_name.get(name, CompileSettings())


def read_settings(tree: Tree, database: Path | None = None) -> TreeSettings:
    """Of `database`, which has to be right; without one of what is found, which may be broken or missing."""
    if database is not None:
        return _read(tree, database)
    found = find_database(tree.root)
    if found is None:
        return TreeSettings()
    name = found.relative_to(tree.root).as_posix()
    try:
        return _read(tree, found)
    except InputError as error:
        return TreeSettings(name, broken=error.message.removeprefix(f"{found}: "))


def find_database(root: Path) -> Path | None:
    """At the root, else the newest in a folder below it whose name starts with `build` or `out`."""
    if (root / DATABASE).is_file():
        return root / DATABASE
    built = [
        path
        for pattern in ("build*", "out*")
        for path in root.glob(f"{pattern}/{DATABASE}")
        if path.is_file()
    ]
    return max(built, key=lambda path: path.stat().st_mtime_ns, default=None)


def _read(tree: Tree, database: Path) -> TreeSettings:
    root = tree.root.resolve()
    known = read_compile_database(database)
    named = {p.relative_to(root).as_posix(): s for p, s in known.items() if p.is_relative_to(root)}
    return TreeSettings(str(database), named)
