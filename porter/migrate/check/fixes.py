"""`--fix`: applies the fixes of findings that nobody accepted, file by file, each in one step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from porter.core.atomic_file import write_atomically
from porter.core.check_report import CheckFinding
from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText
from porter.migrate.check.locate import decoded


@dataclass(frozen=True)
class Fixed:
    """How many files were changed, and a line for each, also for those that could not be."""

    files: int
    messages: tuple[str, ...]


def apply_fixes(root: Path, findings: Iterable[CheckFinding]) -> Fixed:
    """Of two fixes that touch each other the first is applied; a further check finds the other again."""
    fixable = sorted((f for f in findings if f.diagnostic.fix), key=lambda f: (f.path, f.diagnostic.span))
    files, messages = 0, []
    for path, group in groupby(fixable, key=lambda f: f.path):
        try:
            applied = _fix_file(root / path, tuple(group))
        except OSError as error:
            messages.append(f"{path}: not fixed: {error.strerror}")
            continue
        files += applied > 0
        messages.append(f"{path}: {applied} fixed")
    return Fixed(files, tuple(messages))


def _fix_file(path: Path, findings: tuple[CheckFinding, ...]) -> int:
    """How many findings were fixed. A file that changed since it was analysed is left alone there."""
    source = SourceText.read(path)
    edits: list[Edit] = []
    applied = 0
    for finding in findings:
        here = finding.region.start_line
        if decoded(source.line_text(here)) != finding.region.text:
            continue
        if any(_touch(edit, other) for edit in finding.diagnostic.fix for other in edits):
            continue
        edits.extend(finding.diagnostic.fix)
        applied += 1
    if applied:
        mode = path.stat().st_mode
        if not mode & 0o200:
            raise PermissionError(13, "it is read-only")
        write_atomically(path, apply_edits(source.data, edits))
        path.chmod(mode)
    return applied


def _touch(left: Edit, right: Edit) -> bool:
    return left != right and left.start <= right.end and right.start <= left.end
