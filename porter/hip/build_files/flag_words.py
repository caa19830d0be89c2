"""nvcc's flags within running text (a make variable, a command line), edited word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.hip.build_files.nvcc_flags import Flags, takes_value, translate_flags

_WORD = re.compile(r'(?:[^\s"\'$]|"[^"\n]*"|\'[^\'\n]*\'|\$\((?:[^()\n]|\([^()\n]*\))*\)|\$\{[^}\n]*\}|\$.)+')


@dataclass(frozen=True)
class FlagWords:
    """One flag and its value where they stand; with the white space before them in `before`."""

    before: int
    start: int
    end: int
    words: tuple[str, ...]
    flags: Flags

    @property
    def changed(self) -> bool:
        return self.flags.words != self.words


def flag_words(text: str, start: int, end: int) -> Iterator[FlagWords]:
    """Every word of `text[start:end]`, a flag together with its value. A line that goes on behind a backslash
    is one text."""
    at = start
    while found := _WORD.search(text, at, end):
        words, stop = [found[0]], found.end()
        if takes_value(found[0]) and (value := _WORD.search(text, stop, end)):
            words.append(value[0])
            stop = value.end()
        before = found.start()
        while before > start and text[before - 1] in " \t":
            before -= 1
        if words != ["\\"]:
            yield FlagWords(before, found.start(), stop, tuple(words), translate_flags(words))
        at = stop
