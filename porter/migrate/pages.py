"""What each code means: the pages of what a port can be told of, and those of checks and migrations."""

from __future__ import annotations

from functools import cache

from porter.core.check_report import CodePage
from porter.migrate.codes import CODES
from porter.pipeline.code_pages import code_pages


@cache
def pages() -> dict[str, CodePage]:
    """A page for every code that porter can report, by code."""
    own = {code: CodePage(code, "", meaning) for code, meaning in CODES.items()}
    return dict(sorted({**code_pages(), **own}.items()))


def meanings() -> dict[str, str]:
    """Every code porter can report, with a line on what it means."""
    return {p.code: f"{p.name}: {p.summary}" if p.name else p.summary for p in pages().values()}
