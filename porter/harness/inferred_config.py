"""The porter.toml that a file of kernels without main() and without one is given."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText, Span
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered
from porter.cuda.structure import Function
from porter.harness.confirm_launches import confirm_calls
from porter.harness.dtypes import element_type
from porter.harness.infer_launches import NotInferred, element_text, infer_calls
from porter.harness.launch_config import config_text, kept_config
from porter.harness.synthesise import KernelCall
from porter.harness.verdict import VerifyOptions
from porter.harness.without_statements import lowered_without_statements


@dataclass(frozen=True)
class InferredConfig:
    """`path` is the file, None where no kernel could be launched; `reasons` says which could not, and why.

    Overloads have one name: a kernel is known by where its name stands in the source.
    """

    path: Path | None
    text: str
    calls: Mapping[Span, tuple[KernelCall, ...]] = field(default_factory=dict)
    reasons: Mapping[Span, str] = field(default_factory=dict)


def infer_config(
    source: Path, kernels: Sequence[Function], lowered: Sequence[LoweredKernel], options: VerifyOptions
) -> InferredConfig:
    """Launches for the `kernels` of `source` (as written; `lowered` are the same in the IR)."""
    proposed: list[tuple[Span, KernelCall]] = []
    reasons: dict[Span, str] = {}
    for written in kernels:
        found = _proposed(source, written, lowered, options)
        if isinstance(found, NotInferred):
            reasons[written.name_span] = found.reason
        else:
            proposed += [(written.name_span, call) for call in found]
    confirmed = confirm_calls(source, [call for _, call in proposed], options)
    calls: dict[Span, tuple[KernelCall, ...]] = {}
    for (place, _), result in zip(proposed, confirmed, strict=True):
        if isinstance(result, NotInferred):
            reasons.setdefault(place, result.reason)
        else:
            calls[place] = (*calls.get(place, ()), result)
    reasons = {place: reason for place, reason in reasons.items() if place not in calls}
    text = config_text([call for own in calls.values() for call in own])
    return InferredConfig(kept_config(text), text, calls, reasons)


def _proposed(
    source: Path, written: Function, lowered: Sequence[LoweredKernel], options: VerifyOptions
) -> tuple[KernelCall, ...] | NotInferred:
    for kernel in lowered:
        if isinstance(kernel, Lowered) and _within(written.name_span, kernel.kernel.span):
            return infer_calls(kernel.kernel, written)
    if written.template_parameters:
        return NotInferred("it is a template")
    problem = _problem(written, lowered)
    if problem is None:
        return NotInferred("it cannot be read")
    if problem.span.path != str(source):
        return NotInferred(problem.message)
    text = SourceText(problem.span.path, source.read_bytes())
    rest = lowered_without_statements(
        text, written, problem.span, include_dirs=options.include_dirs, defines=options.defines
    )
    return infer_calls(rest.kernel, written) if isinstance(rest, Lowered) else NotInferred(problem.message)


def _problem(written: Function, lowered: Sequence[LoweredKernel]) -> Diagnostic | None:
    """What is inside the kernel, else (in a function that it calls) the first of its name."""
    of_name = [k.diagnostic for k in lowered if isinstance(k, NotLowered) and k.kernel_name == written.name]
    inside = [d for d in of_name if _within(d.span, written.span)]
    return next(iter((*inside, *of_name)), None)


def _within(inner: Span, outer: Span) -> bool:
    """A header has a path as it is included, and one as the compiler found it."""
    inside = outer.start <= inner.start < outer.end
    return inside and os.path.realpath(inner.path) == os.path.realpath(outer.path)


def section_to_write(written: Function) -> str:
    """What to put into porter.toml for a kernel, one line of valid TOML, to be completed."""
    arguments = ", ".join(_argument_to_write(p.type_text) for p in written.parameters)
    name = f"{written.scope}::{written.name}" if written.scope else written.name
    values = ", ".join(_template_argument_to_write(p.kind) for p in written.template_parameters)
    template = f'template = "{values}", ' if values else ""
    return f'kernel."{name}" = {{ {template}grid = 4, block = 256, args = [{arguments}] }}'


def _template_argument_to_write(kind: str) -> str:
    if kind.startswith(("typename", "class")):
        return "float"
    return "true" if kind == "bool" else "256"


def _argument_to_write(type_text: str) -> str:
    element = element_text(type_text)
    known = element_type(element)
    if "*" not in type_text:
        if known is None:
            return f'"{element}{{ /* its values */ }}"'
        return "1.0" if known.is_float else "1000"
    if known is None:
        return f'{{ type = "float", count = 4000, as = "{element}" }}'
    return f'{{ type = "{element}", count = 1000 }}'
