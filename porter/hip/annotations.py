"""Calls that only tell a profiler a name, which rocTX has no place for: gone, with a warning."""

from __future__ import annotations

import re
from functools import cache

from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.name_table import load_tables
from porter.hip.step import Step, join, warning

DROPPED_ANNOTATION = "API008"

_NAMING = re.compile(r"^nvtxName\w+$")


def drop_annotations(unit: TranslationUnit) -> Step:
    """`nvtxNameCudaStreamA(s, "copy")` as `((void)(s, "copy"))`: the arguments' effects stay."""
    return join(_dropped(unit, call) for call in _annotations(unit))


def annotation_names(unit: TranslationUnit) -> set[int]:
    """Where the names of such calls start."""
    return {call.name.start for call in _annotations(unit)}


def _annotations(unit: TranslationUnit) -> tuple[CallSite, ...]:
    return tuple(calls(unit, _naming_functions()))


@cache
def _naming_functions() -> frozenset[str]:
    return frozenset(name for name in load_tables().unsupported if _NAMING.match(name))


def _dropped(unit: TranslationUnit, call: CallSite) -> Step:
    way_out = load_tables().unsupported[call.name.text].way_out
    message = f"{call.name.text} only names something for a profiler; the call was removed"
    # One edit for the name: `(void)(a, b)` is one expression, whatever stands around it.
    edit = Edit(call.name.start, call.name.end, b"(void)", "rocTX does not name this")
    return Step((edit,), (warning(DROPPED_ANNOTATION, message, call.name_span(unit), way_out),))
