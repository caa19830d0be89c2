"""Proposals for texts, and the reasons for none; shared by the tests of tuning."""

from __future__ import annotations

from collections.abc import Iterable

from porter.analysis.access_values import LaunchShape
from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.hardware.gpu import load_gpu
from porter.hip.tune.propose import proposals, tuned
from porter.hip.tune.records import NotApplicable, Proposal

NUMBER = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def proposed(text: str, gpu: str = "gfx942") -> tuple[Proposal, ...]:
    return found_in(SourceText("k.cu", text.encode()), gpu)


def found_in(source: SourceText, gpu: str) -> tuple[Proposal, ...]:
    unit = read_translation_unit(source)
    lowered = lower_kernels(source, unit.launches)
    shapes = {
        item.kernel.name: LaunchShape(
            (item.launch and item.launch.block_dim) or (256, 1, 1), item.launch and item.launch.grid_dim
        )
        for item in lowered
        if isinstance(item, Lowered)
    }
    return proposals(unit, lowered, load_gpu(gpu), shapes)


def program(kernel: str, launch: str) -> str:
    return f"#include <cuda_runtime.h>\n{kernel}\nint main() {{ {launch} }}\n"


def tuned_text(text: str, gpu: str = "gfx942") -> str:
    unit = read_translation_unit(SourceText("k.cu", text.encode()))
    tuning = tuned(unit, proposed(text, gpu))
    assert tuning is not None
    return tuning.unit.source.text


def only(found: Iterable[Proposal], code: str) -> Proposal:
    (proposal,) = [p for p in found if p.code == code]
    return proposal


def reason(kernel: str, code: str = "MEM010", launch: str = "") -> str:
    fix = only(proposed(program(kernel, launch)), code).fix
    assert isinstance(fix, NotApplicable), fix
    return fix.reason
