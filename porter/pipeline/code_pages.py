"""What each code that a port can be told of means: the rules' own pages, and a line each for all others."""

from __future__ import annotations

from functools import cache

from porter.core.check_report import CodePage
from porter.cuda.codes import CODES as FRONT_END
from porter.harness.codes import CODES as HARNESS
from porter.harness.isa.codes import CODES as ISA
from porter.hip.codes import CODES as HIP
from porter.pipeline.codes import CODES as PIPELINE
from porter.pipeline.remedies import REMEDIES
from porter.rules import all_rules
from porter.simulator.codes import CODES as SIMULATOR
from porter.tile.codes import CODES as TILE


@cache
def code_pages() -> dict[str, CodePage]:
    """A page for every code, by code."""
    lines = {**FRONT_END, **HIP, **TILE, **SIMULATOR, **HARNESS, **ISA, **PIPELINE}
    found = {code: CodePage(code, "", meaning, _remedy(code)) for code, meaning in lines.items()}
    for rule in all_rules():
        summary = _first_sentence(rule.doc)
        found[rule.code] = CodePage(rule.code, rule.name, summary, rule.doc.strip(), fixable=rule.fixable)
    return found


def page_text(page: CodePage) -> str:
    return (
        f"{page.code} {page.name or page.summary}\n\n{page.text}\n"
        if page.text
        else f"{page.code} {page.summary}"
    )


def _remedy(code: str) -> str:
    return f"What to do: {REMEDIES[code]}." if code in REMEDIES else ""


def _first_sentence(page: str) -> str:
    """A page starts with a paragraph that says what the pattern is."""
    text = " ".join(page.split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")
    return text[:1].lower() + text[1:]
