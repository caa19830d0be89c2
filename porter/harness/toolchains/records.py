"""What a build answers: a closed union, with the figures a performance engineer asks for first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Evidence
from porter.hardware.gpu import Gpu
from porter.hardware.occupancy import Occupancy, occupancy


@dataclass(frozen=True)
class LaunchShape:
    """How a kernel is launched, as far as a build cares; `dynamic_lds_bytes` is the third argument."""

    threads_per_block: int
    dynamic_lds_bytes: int = 0


@dataclass(frozen=True)
class InstructionMix:
    """Static counts from the assembly. They show what was compiled, not how often it runs.

    `flat` are loads and stores whose address space the compiler could not tell (slower than global ones);
    `wide` moves 16 bytes a lane; `calls` are device functions that were not inlined.
    """

    total: int = 0
    vector_memory: int = 0
    wide: int = 0
    flat: int = 0
    lds: int = 0
    scratch: int = 0
    matrix: int = 0
    barriers: int = 0
    atomics: int = 0
    compare_and_swap: int = 0
    calls: int = 0


@dataclass(frozen=True)
class KernelResources:
    """One kernel of a code object. `vgprs` is a thread's total from the unified file and includes `agprs`."""

    name: str
    symbol: str
    vgprs: int
    agprs: int
    sgprs: int
    lds_bytes: int
    scratch_bytes: int
    vgpr_spills: int
    sgpr_spills: int
    kernarg_bytes: int
    max_threads_per_block: int
    wavefront_size: int
    uses_dynamic_stack: bool
    waves_per_simd: int
    occupancy_limited_by: str
    threads_per_block: int
    instructions: InstructionMix = InstructionMix()

    def occupancy(self, gpu: Gpu, launch: LaunchShape) -> Occupancy:
        return occupancy(
            gpu,
            vgprs=self.vgprs,
            lds_bytes=self.lds_bytes + launch.dynamic_lds_bytes,
            threads_per_block=launch.threads_per_block,
        )


@dataclass(frozen=True)
class CodeObject:
    """A linked ELF file that the GPU's driver loads, with the assembly it was made from."""

    name: str
    data: bytes
    assembly: str


@dataclass(frozen=True)
class Built:
    """Linked code objects exist: one of a HIP file, one a kernel of a Triton module.

    `warnings` are the compiler's, placed in the user's source.
    """

    evidence: Evidence
    kernels: tuple[KernelResources, ...]
    code_objects: tuple[CodeObject, ...]
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class BuildFailed:
    """The toolchain works and rejects the source; `log` is what it printed, for the run directory."""

    diagnostics: tuple[Diagnostic, ...]
    log: str = ""

    def __str__(self) -> str:
        return "; ".join(str(d) for d in self.diagnostics)


@dataclass(frozen=True)
class NotAvailable:
    """Nothing was tried: `missing` names what this machine lacks, `how_to_install` the way to get it."""

    missing: str
    how_to_install: str

    def __str__(self) -> str:
        return f"{self.missing} ({self.how_to_install})"


BuildResult: TypeAlias = Built | BuildFailed | NotAvailable
