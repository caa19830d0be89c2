"""CUDA headers included inside `extern "C" { … }`: HIP's hold templates, which need C++ linkage."""

from __future__ import annotations

from collections.abc import Iterable

from porter.cuda.directives import Include
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.includes import c_linkage, hip_header, newline
from porter.hip.step import Step, insert

LINKAGE = "HIP's headers hold templates"

_OPEN = '#ifdef __cplusplus{n}extern "C++" {{{n}#endif{n}'
_CLOSE = "#ifdef __cplusplus{n}}}{n}#endif{n}"


def restore_cxx_linkage(unit: TranslationUnit) -> Step:
    """Lines around each such include; the file may be C elsewhere."""
    regions = tuple(c_linkage(unit))
    inside = (i for i in unit.includes if hip_header(i.target) and _is_within(i.span.start, regions))
    end_of_line = newline(unit)
    return Step(
        tuple(
            insert(at, text.format(n=end_of_line), LINKAGE)
            for run in _runs(_lines(unit, include) for include in inside)
            for at, text in zip(run, (_OPEN, _CLOSE), strict=True)
        )
    )


def _is_within(offset: int, regions: tuple[tuple[int, int], ...]) -> bool:
    return any(start < offset < end for start, end in regions)


def _lines(unit: TranslationUnit, include: Include) -> tuple[int, int]:
    text = unit.source.text
    end = text.find("\n", include.span.end)
    return text.rfind("\n", 0, include.span.start) + 1, end + 1 if end >= 0 else len(text)


def _runs(lines: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbouring lines as one range."""
    runs: list[tuple[int, int]] = []
    for start, end in lines:
        runs.append((runs.pop()[0] if runs and runs[-1][1] == start else start, end))
    return runs
