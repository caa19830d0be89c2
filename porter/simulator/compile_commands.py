"""What a `compile_commands.json` says about sources: folders of headers and macros.

Build systems write the file (`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`); its format is Clang's "JSON
compilation database". Other options of the commands mean nothing to the simulator.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
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
    wanted = {source.resolve() for source in sources}
    include_dirs: list[Path] = []
    defines: list[str] = []
    for entry in _entries(database):
        folder = database.parent.joinpath(str(entry.get("directory", ".")))
        path = (folder / str(entry["file"])).resolve()
        if path not in wanted:
            continue
        wanted.discard(path)
        for option, value in _options(_arguments(entry)):
            if option in _INCLUDE_OPTIONS:
                include_dirs.append((folder / value).resolve())
            else:
                defines.append(value)
    if wanted:
        names = ", ".join(sorted(str(path) for path in wanted))
        raise InputError(f"{database}: no command compiles {names}")
    return CompileSettings(tuple(dict.fromkeys(include_dirs)), tuple(dict.fromkeys(defines)))


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
