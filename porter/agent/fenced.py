"""The fenced code blocks of an answer, as CommonMark has them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENING = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})")


@dataclass(frozen=True)
class Fenced:
    """`code` is the last block's text, empty without one; `is_open`: its closing fence is missing."""

    code: str
    is_open: bool = False


def last_block(text: str) -> Fenced:
    """The last block of an answer: models quote the problem first.

    A fence is closed by one of the same sign that is at least as long; it may be indented, as in a list, and
    its lines lose as much. Lines may end as on Windows.
    """
    found, block = Fenced(""), None
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if block is not None:
            if _closes(block, line):
                found, block = Fenced("".join(f"{each}\n" for each in block.lines)), None
            else:
                block.lines.append(_without(block.indent, line))
        elif opening := _OPENING.match(line):
            block = _Block(opening["fence"], len(opening["indent"]), [])
    return found if block is None else Fenced("\n".join(block.lines), is_open=True)


@dataclass(frozen=True)
class _Block:
    fence: str
    indent: int
    lines: list[str]


def _closes(block: _Block, line: str) -> bool:
    signs = line.strip(" \t")
    indent = len(line) - len(line.lstrip(" \t"))
    is_fence = set(signs) == {block.fence[0]} and len(signs) >= len(block.fence)
    return is_fence and indent <= block.indent + _MOST_INDENT


_MOST_INDENT = 3
"""What is indented further is text of the block (CommonMark)."""


def _without(indent: int, line: str) -> str:
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(indent, blank) :]
