"""What changes reach: definitions on changed lines, and the files whose functions use them.

A definition is a macro, a constant of the file or a device function. A file is reached when it includes,
through any number of headers of the tree, the one that has the definition, and its text has the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.definitions import file_definitions
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.migrate.check.changes import FileChange
from porter.migrate.source_files import Unusable, read_source_file

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def with_affected(
    root: Path, changes: Mapping[str, FileChange], names: Iterable[str]
) -> dict[str, FileChange]:
    """`changes` of the files in `names`, with the files and definitions that they reach."""
    listed = tuple(names)
    own = {name: changes[name] for name in listed if name in changes}
    found: dict[str, dict[str, str]] = {}
    for name, change in own.items():
        unit = _unit(root, name)
        if unit is not None:
            found[name] = changed_definitions(unit, change)
    reached = {name: replace(change, definitions=found.get(name, {})) for name, change in own.items()}
    defined = frozenset(n for definitions in found.values() for n in definitions)
    texts = _texts(root, listed, defined) if defined else {}
    for name, text in texts.items():
        headers = _below(texts, name) if text.words else frozenset()
        seen = {n: found[h][n] for h in headers & found.keys() for n in text.words & found[h].keys()}
        if seen:
            change = reached.get(name, FileChange())
            reached[name] = replace(change, definitions={**seen, **change.definitions})
    return reached


def changed_definitions(unit: TranslationUnit, change: FileChange) -> dict[str, str]:
    """Where each name is defined whose definition was changed; macros and constants that use one count."""
    path = unit.source.path
    places: dict[str, str] = {}
    for name, first, last in _definitions(unit):
        if change.alters(first, last):
            places.setdefault(name, f"{path}:{first}")
    return using(unit, places)


def using(unit: TranslationUnit, places: Mapping[str, str]) -> dict[str, str]:
    """`places`, and the macros and constants of `unit` whose value uses one of its names."""
    bodies = {macro.name: {t.text for t in macro.tokens} for macro in unit.macros}
    for definition in file_definitions(unit.tokenized, unit.functions):
        bodies.setdefault(definition.name, set(re.findall(r"\w+", definition.value)))
    known = dict(places)
    while True:
        more = {
            name: next(known[word] for word in words if word in known)
            for name, words in bodies.items()
            if name not in known and not words.isdisjoint(known)
        }
        if not more:
            return known
        known |= more


def _definitions(unit: TranslationUnit) -> Iterable[tuple[str, int, int]]:
    """Name, first and last line."""
    for macro in unit.macros:
        yield macro.name, macro.span.line, unit.source.position(macro.span.end)[0]
    for definition in file_definitions(unit.tokenized, unit.functions):
        line = unit.source.position(definition.at)[0]
        yield definition.name, line, line + definition.value.count("\n")
    for function in unit.device_functions:
        if function.body is not None:
            yield (function.name, *lines_of(unit.source, function))


def lines_of(source: SourceText, function: Function) -> tuple[int, int]:
    """The first and the last line of a definition."""
    return function.span.line, source.position(function.span.end)[0]


def _unit(root: Path, name: str) -> TranslationUnit | None:
    data = read_source_file(root / name)
    return None if isinstance(data, Unusable) else read_translation_unit(SourceText(name, data))


@dataclass(frozen=True)
class _Text:
    """Of a file the files of the tree that it includes itself, and which of the words looked for it has."""

    includes: frozenset[str]
    words: frozenset[str]


def _texts(root: Path, names: tuple[str, ...], words: frozenset[str]) -> dict[str, _Text]:
    """By the text alone: includes in either branch of a condition count."""
    pattern = re.compile(
        rb"\b(?:" + b"|".join(re.escape(w.encode("latin-1")) for w in sorted(words)) + rb")\b"
    )
    by_last_name: dict[str, list[str]] = defaultdict(list)
    for name in names:
        by_last_name[name.rpartition("/")[2]].append(name)
    texts: dict[str, _Text] = {}
    for name in names:
        data = read_source_file(root / name)
        if isinstance(data, Unusable):
            continue
        targets = (t.decode("latin-1") for t in _INCLUDE.findall(data))
        includes = (candidate for t in targets for candidate in _meant(by_last_name, t))
        texts[name] = _Text(
            frozenset(includes), frozenset(w.decode("latin-1") for w in pattern.findall(data))
        )
    return texts


def _meant(by_last_name: Mapping[str, list[str]], target: str) -> Iterable[str]:
    """The files of the tree that `#include` of `target` may mean: those whose path ends like it."""
    ending = "/" + re.sub(r"^(\.{1,2}/)+", "", target)
    return (name for name in by_last_name.get(target.rpartition("/")[2], ()) if f"/{name}".endswith(ending))


def _below(texts: Mapping[str, _Text], name: str) -> frozenset[str]:
    """Every file that `name` includes, directly or not."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        text = texts.get(waiting.pop())
        new = text.includes - seen if text is not None else set()
        seen |= new
        waiting.extend(new)
    return frozenset(seen - {name})
