"""`codes(text)` and `lines(text, code)`: what the rules find in CUDA text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.rules import diagnose, diagnose_source


@pytest.fixture
def codes() -> Callable[[str], set[str]]:
    def run(text: str) -> set[str]:
        unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
        return {finding.code for finding in (*diagnose(unit), *diagnose_source(unit))}

    return run


@pytest.fixture
def places() -> Callable[[str, str], list[tuple[int, int]]]:
    """Line and column of each finding of a code."""

    def run(text: str, code: str) -> list[tuple[int, int]]:
        unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
        return [
            (f.span.line, f.span.column) for f in (*diagnose(unit), *diagnose_source(unit)) if f.code == code
        ]

    return run
