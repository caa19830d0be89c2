"""The baseline: findings that were there when the check was introduced, and are accepted until they change.

An entry is a fingerprint (code, function, text of the line), the file, and how often it occurs there; line
numbers are kept for people only. An entry whose file is gone is given to the same finding in another file, so
that renamed files keep their baseline.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from porter import __version__
from porter.core.check_report import Acceptance, AcceptedBy, CheckFinding
from porter.core.errors import InputError

FORMAT = "porter-baseline-1"
_AGAIN = "write it again with --write-baseline"


@dataclass(frozen=True)
class Baseline:
    """How often each finding, by file and fingerprint, is accepted."""

    counts: Counter[tuple[str, str]]

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Raises InputError for what is no baseline, or one of another format."""
        try:
            document = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}", hint="make it with --write-baseline FILE") from None
        except ValueError as error:
            raise InputError(f"{path}: is no baseline: {error}", hint=_AGAIN) from None
        tag = document.get("format") if isinstance(document, dict) else None
        if tag != FORMAT:
            what = f"its format is {tag}" if tag else "it has no format tag"
            message = f"{path}: {what}, and this version of porter reads {FORMAT}"
            raise InputError(message, hint=_AGAIN)
        try:
            return cls(
                Counter(
                    {(str(e["path"]), str(e["fingerprint"])): int(e["count"]) for e in document["findings"]}
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: an entry is damaged ({error!r})", hint=_AGAIN) from None

    def accept(self, findings: Iterable[CheckFinding], root: Path) -> tuple[list[CheckFinding], int]:
        """The findings, those accepted that the baseline has; and how many of its entries were left over."""
        left = Counter(self.counts)
        judged = list(findings)
        for key_of in (_own_key, _moved_key(left, root)):
            for i, finding in enumerate(judged):
                key = key_of(finding) if finding.acceptance is None else None
                if key is not None and left[key] > 0:
                    left[key] -= 1
                    judged[i] = replace(finding, acceptance=Acceptance(AcceptedBy.BASELINE))
        return judged, sum(left.values())


def _own_key(finding: CheckFinding) -> tuple[str, str]:
    return finding.path, finding.fingerprint


class _moved_key:
    """The entry of a file that is gone, for the same finding elsewhere."""

    def __init__(self, left: Counter[tuple[str, str]], root: Path) -> None:
        self._left = left
        self._gone: dict[str, list[str]] = {}
        for path, fingerprint in left:
            if not (root / path).exists():
                self._gone.setdefault(fingerprint, []).append(path)

    def __call__(self, finding: CheckFinding) -> tuple[str, str] | None:
        paths = self._gone.get(finding.fingerprint, ())
        return next(((p, finding.fingerprint) for p in paths if self._left[p, finding.fingerprint]), None)


def baseline_text(findings: Iterable[CheckFinding]) -> str:
    """The document that accepts `findings`; comments in the source go on accepting theirs."""
    entries: dict[tuple[str, str], dict[str, Any]] = {}
    for finding in findings:
        entry = entries.setdefault(
            _own_key(finding),
            {
                "path": finding.path,
                "fingerprint": finding.fingerprint,
                "count": 0,
                "code": finding.diagnostic.code,
                "function": finding.function,
                "line": finding.diagnostic.span.line,
                "text": finding.region.text.strip(),
            },
        )
        entry["count"] += 1
    ordered = [entries[key] for key in sorted(entries)]
    document = {"format": FORMAT, "porter": __version__, "findings": ordered}
    return json.dumps(document, indent=2) + "\n"
