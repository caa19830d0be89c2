"""Includes of files that do not exist: the first thing to know where a kernel's text depends on them."""

from __future__ import annotations

import re

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.clang_unit import INCLUDE_DIRECTORY, parse_unit
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.includes import hip_header
from porter.hip.own_headers import own_header
from porter.pipeline.request import PortRequest

MISSING = "TIL041"
_NOT_FOUND = re.compile(r"'([^']+)' file not found")


def is_of_cuda(target: str) -> bool:
    """Whether an include names a header of CUDA that HIP, or porter, has a counterpart of."""
    return hip_header(target) is not None or own_header(target) is not None


def file_not_found(message: str) -> str:
    """The file that an error of clang's says it looked for in vain; empty for other errors."""
    match = _NOT_FOUND.search(message)
    return match[1] if match else ""


def missing_includes(request: PortRequest, unit: TranslationUnit) -> tuple[Diagnostic, ...]:
    """One error for each `#include` of the file that the preprocessor reaches and cannot open."""
    places = (*request.search_path, INCLUDE_DIRECTORY)
    suspects = [
        include
        for include in unit.includes
        if not is_of_cuda(include.target) and not any((place / include.target).is_file() for place in places)
    ]
    if not suspects:
        return ()
    parsed = parse_unit(unit.source, include_dirs=request.search_path, defines=request.defines)
    errors = (e for e in parsed.errors if e.path == unit.source.path)
    absent = {e.span.line for e in errors if file_not_found(e.message)}
    return tuple(
        Diagnostic(
            MISSING,
            Severity.ERROR,
            f"the included file {include.target} does not exist",
            include.span,
            "name the folder that it is in with -I",
        )
        for include in suspects
        if include.span.line in absent
    )
