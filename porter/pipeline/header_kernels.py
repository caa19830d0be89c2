"""Kernels that a program has in the user's own headers: they are proved with it, like those of its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.pipeline.headers import read_headers
from porter.pipeline.original import Original


def with_header_kernels(unit: TranslationUnit, include_dirs: tuple[Path, ...]) -> TranslationUnit:
    """`unit` with the kernels of headers that its own functions may launch, as far as the text tells: what a
    function names it may call, whatever else has that name."""
    headers = tuple(read_headers(unit, include_dirs))
    named = set(unit.words)
    waiting = [(header, f) for header in headers for f in header.functions if f.body is not None]
    found: list[Function] = []
    while reached := [(header, f) for header, f in waiting if f.name in named]:
        waiting = [(header, f) for header, f in waiting if f.name not in named]
        for header, function in reached:
            named |= _words_of(header, function)
            if function.kind is FunctionKind.KERNEL:
                found.append(function)
    own = {kernel.name for kernel in unit.kernels}
    return replace(unit, header_kernels=tuple(f for f in found if f.name not in own))


def _words_of(unit: TranslationUnit, function: Function) -> set[str]:
    inside = function.span
    tokens = (t for t in unit.tokenized.tokens if inside.start <= t.start < inside.end)
    return {token.text for token in tokens if token.kind is Kind.IDENTIFIER}


def of_this_program(lowered: tuple[LoweredKernel, ...], unit: TranslationUnit) -> tuple[LoweredKernel, ...]:
    """Without the kernels of headers that are other programs'."""
    known = {kernel.name for kernel in unit.all_kernels} | unit.launched_names
    return tuple(k for k in lowered if k.span.path == unit.source.path or k.name in known)


def only_launched(unit: TranslationUnit, original: Original) -> TranslationUnit:
    """Once the program ran, what it launched of headers is known: the other kernels are other programs'."""
    if original.reason or not unit.header_kernels:
        return unit
    launched = unit.launched_names
    kept = (f for f in unit.header_kernels if f.name in launched or original.launches(f.name))
    return replace(unit, header_kernels=tuple(kept))
