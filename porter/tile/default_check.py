"""The check a module gets: captured launches where there are some, else two runs that must agree."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile.api import Sample
from porter.tile.launcher import LauncherPlan, torch_dtype
from porter.tile.module import ModulePart
from porter.tile.names import legal
from porter.tile.self_check import sample_lines


def check_lines(parts: tuple[ModulePart, ...], samples: tuple[Sample, ...]) -> list[str]:
    plans = tuple(part.plan for part in parts)
    lines = sample_lines(samples, plans)
    checked = {sample.kernel for sample in samples}
    for plan in plans:
        if plan.kernel_name not in checked and plan.name not in checked:
            lines.append(f'print("{plan.name}: no captured launch to compare with")')
    return lines


def pointer_dtype(variable: kir.Variable) -> str:
    element = variable.type.pointee if isinstance(variable.type, kir.Pointer) else variable.type
    return torch_dtype(element) if isinstance(element, kir.Scalar) else "torch.float32"


__all__ = ["LauncherPlan", "check_lines", "legal", "pointer_dtype"]
