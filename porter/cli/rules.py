"""`porter rules`: every rule by its code, and which findings `porter check --fix` can fix."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from porter.migrate.pages import pages


def rules(
    json: Annotated[bool, typer.Option("--json", help="print one JSON document (porter-rules-1)")] = False,
) -> int:
    """List the rules on CUDA source: code, name, what they find; * where --fix can fix it."""
    listed = [page for page in pages().values() if page.name]
    if json:
        found = [{"code": p.code, "name": p.name, "summary": p.summary, "fixable": p.fixable} for p in listed]
        print(json_text.dumps({"format": "porter-rules-1", "rules": found}, indent=2))
        return 0
    width = max(len(page.name) for page in listed)
    for page in listed:
        print(f"{page.code} {'*' if page.fixable else ' '} {page.name.ljust(width)}  {page.summary}")
    return 0
