"""Which comment belongs to which source line: trailing ones and those directly above."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from porter.core.span import SourceText

_TOKEN = re.compile(
    r"""(?P<string>R"(?P<tag>[^(\s"]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)


@dataclass(frozen=True)
class CommentMap:
    """Comments by the line they end on; `alone` tells lines that hold nothing but a comment."""

    by_line: dict[int, tuple[str, ...]]
    alone: frozenset[int]

    def of_line(self, line: int) -> tuple[str, ...]:
        """The comments directly above `line` in order, then the trailing one on it, without their markers."""
        above: list[str] = []
        current = line - 1
        while current in self.alone:
            above[:0] = self.by_line.get(current, ())
            current -= 1
        trailing = () if line in self.alone else self.by_line.get(line, ())
        return (*above, *trailing)


@lru_cache(maxsize=8)
def comment_map(source: SourceText) -> CommentMap:
    by_line: dict[int, tuple[str, ...]] = {}
    alone: set[int] = set()
    for match in _TOKEN.finditer(source.text):
        text = match.group("comment")
        if text is None:
            continue
        first, _ = source.position(match.start())
        last, _ = source.position(match.end() - 1)
        by_line[last] = (*by_line.get(last, ()), *_lines(text))
        if _stands_alone(source, match.start(), match.end()):
            alone.update(range(first, last + 1))
    return CommentMap(by_line, frozenset(alone))


def _stands_alone(source: SourceText, start: int, end: int) -> bool:
    text = source.text
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after_end = text.find("\n", end)
    after = text[end : after_end if after_end >= 0 else len(text)]
    return not before.strip() and not after.strip()


def _lines(comment: str) -> tuple[str, ...]:
    if comment.startswith("//"):
        stripped = [comment.lstrip("/").lstrip("!<").strip()]
    else:
        stripped = [line.strip().lstrip("*").strip() for line in comment[2:-2].split("\n")]
    return tuple(line for line in stripped if line)
