"""What changes reach: definitions on changed lines, and the files whose functions use them.

A definition is a macro, a constant of the file or a device function. A file is reached when it includes,
through any number of headers of the tree, the one that has the definition, and its text has the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.span import SourceText
from porter.cuda.definitions import file_definitions
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.migrate.check.changes import FileChange
from porter.migrate.include_graph import IncludeGraph, include_targets
from porter.migrate.source_files import Unusable, read_source_file


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
    graph = IncludeGraph.of({name: text.targets for name, text in texts.items()})
    for name, text in texts.items():
        headers = graph.below(name) if text.words else frozenset()
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
    """What a file includes, and which of the words looked for it has."""

    targets: tuple[str, ...]
    words: frozenset[str]


def _texts(root: Path, names: tuple[str, ...], words: frozenset[str]) -> dict[str, _Text]:
    pattern = re.compile(
        rb"\b(?:" + b"|".join(re.escape(w.encode("latin-1")) for w in sorted(words)) + rb")\b"
    )
    texts: dict[str, _Text] = {}
    for name in names:
        data = read_source_file(root / name)
        if not isinstance(data, Unusable):
            found = frozenset(w.decode("latin-1") for w in pattern.findall(data))
            texts[name] = _Text(include_targets(data), found)
    return texts
