"""Build files as texts, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from porter.core.span import SourceText

ARCHITECTURES = ("gfx942", "gfx950")


def written(name: str, text: str) -> SourceText:
    return SourceText(name, dedent(text).lstrip("\n").encode())


def save(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return path
