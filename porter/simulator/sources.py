"""The user's files, rewritten into a scratch tree of the same layout: relative includes keep working."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError
from porter.simulator.rewrite import Rewritten

INCLUDE_DIRECTORY = Path(__file__).parent / "include"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
_TEXT_LIMIT_BYTES = 16 << 20

Rewrite = Callable[[str, bytes], Rewritten]


@dataclass(frozen=True)
class UserFile:
    """A file of the program: where it is, what it says, what the compiler gets instead."""

    path: Path
    original: bytes
    rewritten: Rewritten


def collect(
    sources: Sequence[Path],
    include_dirs: Sequence[Path],
    rewrite: Rewrite,
    hidden: Sequence[Path] = (),
) -> tuple[UserFile, ...]:
    """The sources and every header they reach that is neither the simulator's nor the system's.

    What is `hidden`, or lies below it, is not there for them. Raises InputError for what cannot be read or is
    no text.
    """
    unseen = {path.resolve() for path in hidden}
    files: dict[Path, UserFile] = {}
    pending = [source.absolute() for source in sources]
    while pending:
        path = pending.pop()
        if path in files:
            continue
        data = _read(path)
        files[path] = UserFile(path, data, rewrite(str(path), data))
        pending.extend(p for p in _included(path, data, include_dirs) if not _is_below(p, unseen))
    return tuple(files[path] for path in sorted(files))


def _is_below(path: Path, folders: Collection[Path]) -> bool:
    real = path.resolve()
    return any(part in folders for part in (real, *real.parents))


def reached_files(
    source: Path, include_dirs: Sequence[Path], hidden: Sequence[Path] = ()
) -> tuple[Path, ...]:
    """The source and every header it reaches that is neither the simulator's nor the system's."""
    unseen = {path.resolve() for path in hidden}
    reached: set[Path] = set()
    pending = [source.absolute()]
    while pending:
        path = pending.pop()
        if path in reached or _is_below(path, unseen):
            continue
        reached.add(path)
        pending.extend(_included(path, _read(path), include_dirs))
    return tuple(sorted(reached))


def included_names(files: Sequence[UserFile]) -> frozenset[str]:
    """What the files' include directives name, those of branches that are not compiled too."""
    return frozenset(
        (match.group(1) or match.group(2)).decode("latin-1")
        for file in files
        for match in _INCLUDE.finditer(file.original)
    )


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _TEXT_LIMIT_BYTES:
            raise InputError(f"{path}: {path.stat().st_size} bytes is too large for a source file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if b"\0" in data:
        raise InputError(f"{path}: this is a binary file")
    return data


def _included(path: Path, data: bytes, include_dirs: Sequence[Path]) -> Iterator[Path]:
    for match in _INCLUDE.finditer(data):
        name = (match.group(1) or match.group(2)).decode("latin-1")
        if Path(name).is_absolute() or (INCLUDE_DIRECTORY / name).is_file():
            continue
        folders = [path.parent, *include_dirs] if match.group(1) else list(include_dirs)
        for folder in folders:
            found = _normal(folder / name)
            if found.is_file():
                yield found
                break


def _normal(path: Path) -> Path:
    """Absolute, without `..`; links stay links, since includes are looked up beside the link."""
    parts: list[str] = []
    for part in path.absolute().parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return Path(*parts)


def mirrored(root: Path, path: Path) -> Path:
    return root / path.absolute().relative_to(path.absolute().anchor)


def write_mirror(root: Path, files: Sequence[UserFile]) -> None:
    """Writes every file under `root` at its own absolute path, with a line marker that names the original."""
    for file in files:
        target = mirrored(root, file.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        name = str(file.path).replace("\\", "\\\\").replace('"', '\\"')
        target.write_bytes(file.rewritten.prelude + f'#line 1 "{name}"\n'.encode() + file.rewritten.data)
