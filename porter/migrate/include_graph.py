"""Which files of a tree include which, by their text: includes in either branch of a condition count.

What a name means is not asked of a compiler: the file beside the includer where there is one, else every
file of the tree whose path ends like the name. So that no header is missed, one too many can be reached.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(["<][^">\n]+)[">]', re.MULTILINE)


def include_targets(data: bytes) -> tuple[str, ...]:
    """What a file includes, each with the mark in front (`"a.h`, `<b.h`)."""
    return tuple(
        dict.fromkeys(target.decode("utf-8", "surrogateescape") for target in _INCLUDE.findall(data))
    )


@dataclass(frozen=True)
class IncludeGraph:
    """`includes` are the files of the tree that each file includes itself."""

    includes: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, targets: Mapping[str, Iterable[str]]) -> IncludeGraph:
        """Of the files of a tree, by name, and what `include_targets` says of each."""
        by_last_name: dict[str, list[str]] = defaultdict(list)
        for name in targets:
            by_last_name[posixpath.basename(name)].append(name)
        return cls(
            {
                name: tuple(dict.fromkeys(m for t in own for m in _meant(name, t, targets, by_last_name)))
                for name, own in targets.items()
            }
        )

    @cached_property
    def included_by(self) -> Mapping[str, tuple[str, ...]]:
        """The files that include each file themselves."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, included in self.includes.items():
            for header in included:
                found[header].append(name)
        return {name: tuple(users) for name, users in found.items()}

    def below(self, name: str) -> frozenset[str]:
        """Every file that `name` includes, directly or not; never itself."""
        return _reached(self.includes, name)

    def above(self, name: str) -> frozenset[str]:
        """Every file that includes `name`, directly or not; never itself."""
        return _reached(self.included_by, name)

    def owners(self, header: str) -> tuple[str, ...]:
        """The files that a header belongs to: those that reach it and that no other file includes."""
        return tuple(sorted(name for name in self.above(header) if name not in self.included_by))


def _meant(
    name: str, target: str, known: Mapping[str, object], by_last_name: Mapping[str, list[str]]
) -> Iterable[str]:
    path = target[1:]
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    if target.startswith('"') and beside in known:
        return (beside,)
    ending = "/" + re.sub(r"^(\.{1,2}/)+", "", path)
    return (other for other in by_last_name.get(posixpath.basename(path), ()) if f"/{other}".endswith(ending))


def _reached(edges: Mapping[str, tuple[str, ...]], start: str) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = [name for name in edges.get(waiting.pop(), ()) if name not in seen]
        seen.update(new)
        waiting.extend(new)
    return frozenset(seen - {start})
