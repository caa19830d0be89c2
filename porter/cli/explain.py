"""`porter explain CODE`: what a finding means; for a rule also why it matters and what porter does."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli.console import out
from porter.core.errors import InputError
from porter.migrate.pages import meanings, pages
from porter.pipeline.code_pages import page_text


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="a finding's code; without it: the list")
    ] = None,
) -> int:
    """Explain a finding's code, or list all codes."""
    if code is None:
        for known, meaning in sorted(meanings().items()):
            out().print(f"{known}  {meaning}", markup=False)
        return 0
    out().print(_page(code.upper()), markup=False)
    return 0


def _page(code: str) -> str:
    page = pages().get(code)
    if page is None:
        raise InputError(f"no finding has the code {code}", hint="porter explain lists the codes")
    return page_text(page)
