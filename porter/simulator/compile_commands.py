"""What a `compile_commands.json` says about sources: folders of headers and macros.

Build systems write the file (`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`); its format is Clang's "JSON
compilation database". Other options of the commands mean nothing to the simulator.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError

_INCLUDE_OPTIONS = ("-I", "-isystem", "-iquote", "--include-path", "--system-include")
_DEFINE_OPTIONS = ("-D", "--define-macro")


@dataclass(frozen=True)
class CompileSettings:
    """Absolute folders of headers, and macros as `NAME` or `NAME=VALUE`."""

    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()


def read_compile_commands(database: Path, sources: Sequence[Path]) -> CompileSettings:
    """The settings of `sources` together, in the order in which the database names them.

    Raises InputError for a file that is no compilation database, and for a source that it does not name.
    """
    known = read_compile_database(database)
    wanted = [source.resolve() for source in sources]
    unknown = sorted(str(path) for path in wanted if path not in known)
    if unknown:
        raise InputError(f"{database}: no command compiles {', '.join(unknown)}")
    return _together(known[path] for path in known if path in wanted)


def read_compile_database(database: Path) -> dict[Path, CompileSettings]:
    """The settings of every source that the database names, by its path without links.

    Raises InputError for a file that is no compilation database.
    """
    found: dict[Path, list[CompileSettings]] = {}
    for entry in _entries(database):
        folder = database.parent.joinpath(str(entry.get("directory", ".")))
        try:
            options = tuple(_options(_arguments(entry)))
        except ValueError as error:
            raise InputError(f"{database}: the command of {entry['file']}: {error}") from error
        include_dirs = ((folder / value).resolve() for option, value in options if option in _INCLUDE_OPTIONS)
        defines = (value for option, value in options if option in _DEFINE_OPTIONS)
        path = (folder / str(entry["file"])).resolve()
        found.setdefault(path, []).append(CompileSettings(tuple(include_dirs), tuple(defines)))
    return {path: _together(settings) for path, settings in found.items()}


def _together(settings: Iterable[CompileSettings]) -> CompileSettings:
    every = tuple(settings)
    include_dirs = dict.fromkeys(folder for s in every for folder in s.include_dirs)
    return CompileSettings(tuple(include_dirs), tuple(dict.fromkeys(d for s in every for d in s.defines)))


def _entries(database: Path) -> list[dict[str, object]]:
    try:
        document = json.loads(database.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{database}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{database}: no JSON: {error}") from error
    if not isinstance(document, list) or not all(isinstance(e, dict) and "file" in e for e in document):
        raise InputError(f"{database}: no compilation database: a list of objects with 'file' is expected")
    return document


def _arguments(entry: dict[str, object]) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(argument) for argument in arguments]
    return shlex.split(str(entry.get("command", "")))


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of an option and its value, whether they are one argument (`-Ifoo`, `--x=foo`) or two."""
    index = 0
    while index < len(arguments):
        for option in (*_INCLUDE_OPTIONS, *_DEFINE_OPTIONS):
            if arguments[index] == option and index + 1 < len(arguments):
                index += 1
                yield option, arguments[index]
                break
            if arguments[index].startswith(option):
                yield option, arguments[index][len(option) :].removeprefix("=")
                break
        index += 1
