"""The kernel IR of a file as text: as it is read, or as the Triton compiler's passes leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from porter.core.diagnostic import Diagnostic
from porter.cuda.kir_printer import print_kernel
from porter.cuda.lower_kernel import Lowered, NotLowered, lower_kernels
from porter.pipeline.read import read
from porter.pipeline.request import PortRequest
from porter.tile.api import Declined, KernelLaunch
from porter.tile.block_of import fixed_block
from porter.tile.lower import FAULTS, defect_in, raise_kernel

_USUAL_BLOCK = (256, 1, 1)


class Stage(str, Enum):
    """LOWERED is what the source says, RAISED what the passes before the first one on tiles leave of it."""

    LOWERED = "lowered"
    RAISED = "raised"


@dataclass(frozen=True)
class KernelTexts:
    """A text for each kernel and instantiation, and why others have none."""

    texts: tuple[str, ...]
    missing: tuple[Diagnostic, ...]


def kernel_texts(request: PortRequest, stage: Stage) -> KernelTexts:
    """Raises PorterError for input that is no CUDA."""
    found = tuple(_each(request, stage))
    return KernelTexts(
        tuple(item for item in found if isinstance(item, str)),
        tuple(item for item in found if isinstance(item, Diagnostic)),
    )


def _each(request: PortRequest, stage: Stage) -> Iterator[str | Diagnostic]:
    unit = read(request)
    found = lower_kernels(
        unit.source, unit.launches, include_dirs=request.search_path, defines=request.defines
    )
    for item in found:
        if isinstance(item, NotLowered):
            if request.wants(item.kernel_name):
                yield item.diagnostic
        elif request.wants(item.kernel.name):
            yield print_kernel(item.kernel) if stage is Stage.LOWERED else _raised(item)


def _raised(item: Lowered) -> str | Diagnostic:
    """For the launch's thread block, or the usual one where the launch does not tell it."""
    fixed = item.launch.block_dim if item.launch else None
    fixed = fixed or fixed_block(KernelLaunch(item.kernel, item.launch, _USUAL_BLOCK))
    block = fixed or _USUAL_BLOCK
    try:
        raised = raise_kernel(item.kernel, block)
    except Declined as reason:
        return reason.diagnostic
    except FAULTS as defect:
        return defect_in(item.kernel, defect)
    assumed = "" if fixed else ", which is assumed"
    return f"# For blocks of {raised.original}{assumed}.\n{print_kernel(raised.kernel)}"
