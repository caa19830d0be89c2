"""What `porter inspect` says of a file, before any formatting."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from porter.analysis.memory_access import KernelAccesses
from porter.analysis.warp_assumptions import WarpAssumption
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import ExitCode
from porter.core.span import SourceText, Span


@dataclass(frozen=True)
class LaunchText:
    """A launch as the host code writes it; extents are None where they are not constant."""

    span: Span
    grid: str
    block: str
    shared: str
    grid_dim: tuple[int, int, int] | None
    block_dim: tuple[int, int, int] | None


@dataclass(frozen=True)
class CompiledFor:
    """What the compiled port needs on one GPU; registers of a thread, AGPRs included."""

    gpu: str
    vgprs: int
    sgprs: int
    lds_bytes: int
    scratch_bytes: int
    spills: int
    waves_per_simd: int
    max_waves_per_simd: int
    limited_by: str


@dataclass(frozen=True)
class Roofline:
    """The kernel on the roofline of the GPU: bytes as all threads ask for them, operations by dtype.

    `ridge` is the intensity above which arithmetic bounds; `bound` is "memory", "compute" or "launch".
    """

    bytes_moved: float
    flops_by_dtype: Mapping[str, float]
    intensity: float
    ridge: float
    time_us: float
    bound: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class InspectedKernel:
    """One kernel. `unread` says why its meaning is not known; what needs it is then None or empty."""

    name: str
    instantiations: tuple[str, ...]
    span: Span
    parameters: tuple[str, ...]
    launch_bounds: tuple[str, ...]
    static_shared_bytes: int | None
    launches: tuple[LaunchText, ...]
    accesses: KernelAccesses | None
    block_is_assumed: bool
    roofline: Roofline | None
    compiled: CompiledFor | None
    wastes: tuple[Diagnostic, ...]
    warp_assumptions: tuple[WarpAssumption, ...]
    unread: Diagnostic | None = None


@dataclass(frozen=True)
class Inspection:
    """A whole file on one GPU, with the kernels that it launches of the `headers` among the user's own.

    `not_compiled` says why no resources are known; empty where they are.
    """

    source: SourceText
    gpu: str
    product: str
    wavefront_size: int
    lds_banks: int
    kernels: tuple[InspectedKernel, ...]
    findings: tuple[Diagnostic, ...]
    not_compiled: str = ""
    headers: tuple[SourceText, ...] = ()

    def written(self, span: Span) -> str:
        """The text at `span`; empty in a file that was not read."""
        if span.path == self.source.path:
            return self.source.slice(span)
        same = (h for h in self.headers if os.path.realpath(h.path) == os.path.realpath(span.path))
        return next((header.slice(span) for header in same), "")

    def place(self, span: Span) -> str:
        """As a person reads it: the file is named where it is a header."""
        return f"{span.line}:{span.column}" if span.path == self.source.path else str(span)

    @property
    def exit_code(self) -> ExitCode:
        """1 where a kernel could not be read or a finding is an error."""
        errors = any(f.severity is Severity.ERROR for f in self.findings)
        unread = any(k.unread is not None for k in self.kernels)
        return ExitCode.FINDINGS if errors or unread else ExitCode.OK
