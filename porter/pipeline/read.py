"""Step 1 of the ladder: a file to a TranslationUnit, or one clear error."""

from __future__ import annotations

from porter.core.errors import InputError, Refused
from porter.cuda.input import check_input
from porter.cuda.lower_kernel import LoweredKernel, lower_kernels
from porter.cuda.translation_unit import (
    TranslationUnit,
    has_cuda,
    has_kernels,
    read_translation_unit,
    writes_kernels_by_macro,
)
from porter.pipeline.header_kernels import with_header_kernels
from porter.pipeline.request import PortRequest


def read(request: PortRequest) -> TranslationUnit:
    """Raises InputError for what is no CUDA file or has no such kernel, and Refused for broken syntax."""
    unit = read_translation_unit(check_input(request.source))
    unit = with_header_kernels(unit, request.search_path)
    has_any = has_kernels(unit) or bool(unit.header_kernels)
    if not has_any and not has_cuda(unit):
        raise InputError(
            f"{request.source}: no CUDA in this file", hint="porter ports .cu files and CUDA headers"
        )
    if unit.syntax_errors and not has_any:
        raise Refused(unit.syntax_errors)
    if not has_any:
        raise InputError(
            f"{request.source}: no __global__ kernel is defined in this file or in its headers",
            hint="porter migrate ports host code too",
        )
    _require_kernels(request, unit)
    return unit


def lower(request: PortRequest, unit: TranslationUnit) -> tuple[LoweredKernel, ...]:
    """The unit's kernels in the IR, those of its headers too; some may have no form there."""
    return lower_kernels(
        unit.source, unit.launches, include_dirs=request.search_path, defines=request.defines
    )


def _require_kernels(request: PortRequest, unit: TranslationUnit) -> None:
    known = [kernel.name for kernel in unit.all_kernels]
    hidden = unit.words if writes_kernels_by_macro(unit) else frozenset()
    unknown = [name for name in request.kernels if name not in known and name not in hidden]
    if unknown:
        raise InputError(
            f"{request.source}: no kernel named {unknown[0]}", hint=f"kernels of the file: {', '.join(known)}"
        )


def kernel_names(request: PortRequest, unit: TranslationUnit) -> tuple[str, ...]:
    """The kernels asked for, in source order, each name once (a template and its specialisation share it)."""
    names = dict.fromkeys(kernel.name for kernel in unit.all_kernels)
    return tuple(name for name in names if not request.kernels or name in request.kernels)


def reported_kernels(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...]
) -> tuple[str, ...]:
    """`kernel_names`, then the kernels that only the preprocessor shows: those that macros define.

    One that a macro of a header defines is told of where this file launches it.
    """
    hidden = (
        item.name
        for item in lowered
        if request.wants(item.name)
        and (item.span.path == unit.source.path or item.name in unit.launched_names)
    )
    return tuple(dict.fromkeys((*kernel_names(request, unit), *hidden)))
