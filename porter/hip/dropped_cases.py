"""`case` labels of values that HIP does not have: the label goes, its statements stay.

The licence: a value that nothing can name is never reached, and what a case above falls through to is the
same without the label. A use of the name anywhere else is an error of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.edit import Edit
from porter.cuda.call_sites import streams
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.name_table import load_tables
from porter.hip.step import Step, warning

DROPPED_CASE = "API007"


def drop_absent_cases(unit: TranslationUnit) -> Step:
    """Edits of the labels, and a warning at each."""
    edits: list[Edit] = []
    findings = []
    for case, name, colon in absent_cases(unit):
        reason = f"HIP never gives {name.text}"
        edits.append(Edit(case.start, colon.end, b"", reason))
        way_out = load_tables().unsupported[name.text].way_out
        findings.append(
            warning(DROPPED_CASE, f"{reason}; its case label was removed", unit.span_of(name), way_out)
        )
    return Step(tuple(edits), tuple(findings))


def absent_cases(unit: TranslationUnit) -> Iterator[tuple[Token, Token, Token]]:
    """`case`, the name and `:` of each such label."""
    unsupported = load_tables().unsupported
    if "case" not in unit.words:
        return
    for stream in streams(unit):
        tokens = stream.tokens
        for case, name, colon in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if case.text == "case" and colon.text == ":" and name.text in unsupported:
                yield case, name, colon
