"""Text of others in a prompt: quoted so that it cannot end its quotation, and made readable.

What a program says in its comments and strings is data, whatever it says.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_LINE = 400
"""Characters of a line that are shown."""


def fence(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks inside: quoted data cannot end it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def readable(data: bytes) -> str:
    """The text of a file without characters that are not seen, and without lines that do not end.

    UTF-8 where it is that, else Latin-1. Control and format characters, such as those that turn the direction
    of writing, become their numbers.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(_line(line) for line in lines)


def _line(line: str) -> str:
    shown = "".join(c if _is_seen(c) else f"\\u{{{ord(c):x}}}" for c in line[:LONGEST_LINE])
    rest = len(line) - LONGEST_LINE
    return f"{shown} [{rest} more characters]" if rest > 0 else shown


def _is_seen(character: str) -> bool:
    return character == "\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
