"""Patterns of `.porterignore`, with the meaning that they have in a `.gitignore`.

A pattern with a slash before its end is relative to the folder of its file, another matches at every depth.
`*`, `?` and `[…]` stay within a name, `**` spans folders, a slash at the end means folders only, `!` takes
back; the last pattern that matches counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

IGNORE_FILE = ".porterignore"


@dataclass(frozen=True)
class IgnorePattern:
    """One line of an ignore file."""

    text: str

    @cached_property
    def negated(self) -> bool:
        return self.text.startswith("!")

    @cached_property
    def folders_only(self) -> bool:
        return self.text.endswith("/")

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        body = self.text.removeprefix("!").removesuffix("/").removeprefix("\\")
        anchored = "/" in body
        body = body.removeprefix("/")
        return re.compile(("" if anchored else "(?:.*/)?") + _translated(body), re.DOTALL)

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether `path`, relative to the folder of the ignore file, is meant itself."""
        return (is_folder or not self.folders_only) and bool(self._expression.fullmatch(path))


def _translated(pattern: str) -> str:
    parts: list[str] = []
    i = 0
    while i < len(pattern):
        if pattern.startswith("**/", i):
            parts.append("(?:.*/)?")
            i += 3
        elif pattern.startswith("**", i):
            parts.append(".*")
            i += 2
        elif pattern[i] == "[" and (close := pattern.find("]", i + 2)) > 0:
            inside = pattern[i + 1 : close].replace("\\", "\\\\")
            parts.append("[" + ("^" + inside[1:] if inside[0] in "!^" else inside) + "]")
            i = close + 1
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[i], re.escape(pattern[i])))
            i += 1
    return "".join(parts)


@dataclass(frozen=True)
class IgnoreFile:
    patterns: tuple[IgnorePattern, ...] = ()

    @classmethod
    def parse(cls, text: str) -> IgnoreFile:
        lines = (line.rstrip() for line in text.splitlines())
        return cls(tuple(IgnorePattern(line) for line in lines if line and not line.startswith("#")))

    @classmethod
    def read(cls, folder: Path) -> IgnoreFile:
        """Of `folder`; without patterns where it has none that can be read."""
        try:
            return cls.parse((folder / IGNORE_FILE).read_text("utf-8", "replace"))
        except OSError:
            return cls()

    def ignores(self, path: str) -> bool:
        """Whether the file `path`, or a folder that it is in, is ignored."""
        names = path.split("/")
        places = list(accumulate(names, lambda folder, name: f"{folder}/{name}"))
        return any(self._ignored(place, is_folder=place != path) for place in places)

    def _ignored(self, path: str, *, is_folder: bool) -> bool:
        matching = [p for p in self.patterns if p.matches(path, is_folder=is_folder)]
        return bool(matching) and not matching[-1].negated
