"""`porter explain CODE`: what a finding means, why it matters and what porter does."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli.console import out
from porter.core.errors import InputError
from porter.rules import all_rules


def explain(
    code: Annotated[str | None, typer.Argument(help="a finding's code; without it: the list")] = None,
) -> int:
    """Explain a finding's code, or list all rules."""
    rules = {rule.code: rule for rule in all_rules()}
    if code is None:
        for rule in rules.values():
            out().print(f"{rule.code}  {rule.name}", markup=False)
        return 0
    found = rules.get(code.upper())
    if found is None:
        raise InputError(f"no rule has the code {code}", hint="porter explain lists the codes")
    out().print(f"{found.code} {found.name}\n\n{found.doc}", markup=False)
    return 0
