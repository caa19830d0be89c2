"""What widening gives back."""

from __future__ import annotations

from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda.translation_unit import TranslationUnit

WIDENED = "WAV020"
KEPT = "WAV021"


@dataclass(frozen=True)
class Kept:
    """Why a kernel keeps its groups of 32 lanes, and where that stands in the source."""

    kernel: str
    reason: str
    span: Span


@dataclass(frozen=True)
class WidenedKernel:
    kernel: str
    summary: str
    span: Span
    functions: tuple[str, ...]
    grid_scale: int = 1


@dataclass(frozen=True)
class Widening:
    """`unit` is the CUDA file with the changes of `widened`, which calls the definitions `shims`."""

    unit: TranslationUnit
    shims: frozenset[str]
    widened: tuple[WidenedKernel, ...]
    kept: tuple[Kept, ...]

    @property
    def kernels(self) -> frozenset[str]:
        return frozenset(w.kernel for w in self.widened)


def finding_of(item: Kept | WidenedKernel) -> Diagnostic:
    if isinstance(item, Kept):
        message = f"{item.kernel} keeps its groups of 32 lanes: {item.reason}"
        return Diagnostic(
            KEPT, Severity.NOTE, message, item.span, "its results are right on 64-lane wavefronts as they are"
        )
    message = f"the warps of {item.kernel} are wavefronts of 64 lanes: {item.summary}"
    return Diagnostic(
        WIDENED, Severity.NOTE, message, item.span, "right for GPUs with 64 lanes in a wavefront only"
    )
