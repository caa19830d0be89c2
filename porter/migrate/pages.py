"""What each code means: the rules' own pages, and a line each for the codes of everything else."""

from __future__ import annotations

from functools import cache

from porter.core.check_report import CodePage
from porter.cuda.codes import CODES as FRONT_END
from porter.harness.codes import CODES as HARNESS
from porter.harness.isa.codes import CODES as ISA
from porter.hip.codes import CODES as HIP
from porter.migrate.codes import CODES as MIGRATE
from porter.pipeline.codes import CODES as PIPELINE
from porter.rules import all_rules
from porter.simulator.codes import CODES as SIMULATOR
from porter.tile.codes import CODES as TILE


@cache
def pages() -> dict[str, CodePage]:
    """A page for every code that porter can report, by code."""
    lines = {**FRONT_END, **HIP, **TILE, **SIMULATOR, **HARNESS, **ISA, **PIPELINE, **MIGRATE}
    found = {code: CodePage(code, "", meaning) for code, meaning in lines.items()}
    for rule in all_rules():
        summary = _first_sentence(rule.doc)
        found[rule.code] = CodePage(rule.code, rule.name, summary, rule.doc.strip(), fixable=rule.fixable)
    return dict(sorted(found.items()))


def meanings() -> dict[str, str]:
    """Every code porter can report, with a line on what it means."""
    return {p.code: f"{p.name}: {p.summary}" if p.name else p.summary for p in pages().values()}


def _first_sentence(page: str) -> str:
    """A page starts with a paragraph that says what the pattern is."""
    text = " ".join(page.split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")
    return text[:1].lower() + text[1:]
