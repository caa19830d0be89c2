"""`porter explain CODE`: what a finding means; for a rule also why it matters and what porter does."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli.console import out
from porter.core.errors import InputError
from porter.cuda.codes import CODES as FRONT_END
from porter.harness.codes import CODES as HARNESS
from porter.harness.isa.codes import CODES as ISA
from porter.hip.codes import CODES as HIP
from porter.pipeline.codes import CODES as PIPELINE
from porter.rules import all_rules
from porter.simulator.codes import CODES as SIMULATOR
from porter.tile.codes import CODES as TILE


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


def meanings() -> dict[str, str]:
    """Every code porter can report, with a line on what it means."""
    rules = {rule.code: f"{rule.name}: {_first_sentence(rule.doc)}" for rule in all_rules()}
    return {**FRONT_END, **HIP, **TILE, **SIMULATOR, **HARNESS, **ISA, **PIPELINE, **rules}


def _first_sentence(page: str) -> str:
    """A page starts with a paragraph that says what the pattern is."""
    text = " ".join(page.split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")
    return text[:1].lower() + text[1:]


def _page(code: str) -> str:
    for rule in all_rules():
        if rule.code == code:
            return f"{code} {rule.name}\n\n{rule.doc}"
    meaning = meanings().get(code)
    if meaning is None:
        raise InputError(f"no finding has the code {code}", hint="porter explain lists the codes")
    return f"{code} {meaning}"
