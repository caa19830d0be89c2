"""A HIP port that does not build because of some of its kernels: what the others are checked in.

The copy has empty bodies in place of the declined kernels, and traps in place of the device functions that
cannot be ported. Every launch of the other kernels is replayed on the original's memory, so that what a
missing kernel would have written is there; only the program as a whole cannot be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit, apply_edits
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.structure import Function, FunctionKind
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.pipeline.draft import Draft

LEFT_OUT = "VER021"
NAME = "52-without-declined.hip"
"""Of the copy, beside the candidate."""


def without_declined(unit: TranslationUnit, draft: Draft) -> Draft | None:
    """`draft` with nothing in the code that was declined; None where there is no such code to leave out."""
    if draft.target is not Target.HIP or not draft.declined:
        return None
    port = read_translation_unit(SourceText(unit.source.path, draft.text))
    edits = tuple(
        Edit(f.body.start, f.body.end, _body(f, port.source.data[f.body.start : f.body.end]))
        for f in _twins(unit, port, _unported(unit, draft))
        if f.body is not None
    )
    return replace(draft, text=apply_edits(port.source.data, edits)) if edits else None


def note(unit: TranslationUnit, kernel: str, left_out: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """What is to be known of a kernel that was checked in such a copy; nothing where the file has no text
    of it."""
    found = unit.kernel_named(kernel)
    if found is None:
        return ()
    names = ", ".join(left_out)
    message = f"{kernel} was checked in a copy of the port without {names}; the file does not build with it"
    return (Diagnostic(LEFT_OUT, Severity.NOTE, message, found.name_span),)


def _unported(unit: TranslationUnit, draft: Draft) -> tuple[Function, ...]:
    errors = [f.span.start for f in draft.findings if f.severity is Severity.ERROR]
    functions = (f for f in unit.device_functions if f.kind is FunctionKind.DEVICE and f.body is not None)
    wrong = (f for f in functions if any(f.span.start <= at < f.span.end for at in errors))
    return (*(k for k in unit.kernels if k.name in draft.declined), *wrong)


def _twins(
    unit: TranslationUnit, port: TranslationUnit, functions: tuple[Function, ...]
) -> Iterator[Function]:
    """The functions of the port that stand for those of the source: the n-th of a name for the n-th."""
    for function in functions:
        own, others = _namesakes(unit, function), _namesakes(port, function)
        if len(own) == len(others):
            yield others[own.index(function)]


def _namesakes(unit: TranslationUnit, function: Function) -> list[Function]:
    return [f for f in unit.functions if f.name == function.name and f.kind is function.kind and f.body]


def _body(function: Function, text: bytes) -> bytes:
    """As many lines as before, so that places in the copy are places in the port."""
    inside = b"" if function.kind is FunctionKind.KERNEL else b" __builtin_trap(); "
    return b"{" + inside + b"\n" * text.count(b"\n") + b"}"
