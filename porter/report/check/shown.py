"""Paths and texts of findings, so that every format can hold them."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

from porter.core.check_report import AcceptedBy, CheckFinding, CheckReport

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


def printable(text: str) -> str:
    """`text` with bytes that no character stands for as `\\xNN`, which a file name on Linux may have."""
    return _CONTROL.sub("", os.fsencode(text).decode("utf-8", "backslashreplace"))


def one_line(text: str) -> str:
    """`printable`, of a name that may have line breaks in it."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def uri_of(path: str) -> str:
    """A path as a relative URI reference, byte for byte."""
    return quote(os.fsencode(path), safe="/")


def counted(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def title_of(finding: CheckFinding, report: CheckReport) -> str:
    """The code with the rule's name, where it has one."""
    page = report.pages.get(finding.diagnostic.code)
    return f"{finding.diagnostic.code} {page.name}".rstrip() if page is not None else finding.diagnostic.code


def explained(finding: CheckFinding) -> str:
    """The message, and why a finding on an unchanged line is told."""
    because = f" ({finding.because})" if finding.because else ""
    return printable(finding.diagnostic.message + because)


def summary_of(report: CheckReport) -> str:
    """One line: how many findings of each severity, in how many files, and what is accepted."""
    parts = [counted(number, name) for name, number in report.totals().items() if number]
    since = f", on changes since {report.base}" if report.base else ""
    line = f"{', '.join(parts) or 'no findings'} in {counted(report.files, 'file')}{since}"
    by = {
        kind: sum(1 for f in report.accepted if f.acceptance and f.acceptance.by is kind)
        for kind in AcceptedBy
    }
    accepted = [f"{by[kind]} by {_NAMES[kind]}" for kind in AcceptedBy if by[kind]]
    return f"{line}; accepted: {', '.join(accepted)}" if accepted else line


_NAMES = {AcceptedBy.INLINE: "comments", AcceptedBy.BASELINE: "the baseline"}
