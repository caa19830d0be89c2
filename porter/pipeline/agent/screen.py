"""What a candidate's text alone tells against it, before anything is built or run.

The judge of every port reads a Triton module too, but only once it was built, which runs it. A port that a
person wrote may do as the person likes; one that a model wrote asks nothing of the machine, and a HIP program
does no more than the original.
"""

from __future__ import annotations

from functools import cache

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.tokens import Kind, tokenize
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.hip_static import check_hip_port
from porter.harness.triton_module import read_module
from porter.harness.triton_static import check_module
from porter.harness.triton_verify import launcher_of
from porter.hip.shim_text import shim_names, shim_text
from porter.pipeline.draft import Draft

MOST_BYTES = 1 << 20


def screen(draft: Draft, base: Draft, unit: TranslationUnit) -> str:
    """What tells against it, a line each; empty where nothing does. `base` is the deterministic port."""
    if len(draft.text) > MOST_BYTES:
        return f"it has {len(draft.text)} bytes; {MOST_BYTES} are the most a port may have"
    if b"\0" in draft.text:
        return "it is no text"
    found = _of_triton(draft) if draft.target is Target.TRITON else _of_hip(draft, base, unit)
    return "\n  ".join(map(str, found))


def _of_triton(draft: Draft) -> tuple[Diagnostic, ...]:
    source = SourceText("candidate.py", draft.text)
    shape = read_module(source)
    if isinstance(shape, Diagnostic):
        return (shape,)
    found = (launcher_of(kernel, shape, {}) for kernel in draft.translated)
    launchers = tuple(sorted({name for name in found if name}))
    return check_module(source, shape, launchers, strict=True)


def _of_hip(draft: Draft, base: Draft, unit: TranslationUnit) -> tuple[Diagnostic, ...]:
    """The headers beside the port are no part of the original: it may include them, and use their names."""
    known = [unit.source, SourceText("draft.hip", base.text)]
    offered = _names_of_porter() | _identifiers(b"\n".join(draft.headers.values()))
    return check_hip_port(SourceText("candidate.hip", draft.text), known, offered)


@cache
def _names_of_porter() -> frozenset[str]:
    """Those of the definitions that the tools give to a model."""
    names = _identifiers(shim_text(frozenset(shim_names())).encode())
    return frozenset(name for name in names if name.lower().startswith("porter_"))


def _identifiers(text: bytes) -> frozenset[str]:
    tokens = tokenize(SourceText("offered.h", text)).tokens
    return frozenset(t.text for t in tokens if t.kind is Kind.IDENTIFIER)
