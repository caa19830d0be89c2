"""The Python module: imports, functions, kernels, launchers, and a check when it is run."""

from __future__ import annotations

from dataclasses import dataclass

from porter.cuda import kir
from porter.tile import ir
from porter.tile.api import Sample
from porter.tile.autotune import OCCUPANCY_LINES, print_autotune
from porter.tile.block_sizes import Variant
from porter.tile.dispatcher import print_dispatcher
from porter.tile.functions import function_sources
from porter.tile.launcher import LauncherPlan, number_of_warps, print_launcher, rows_of_program
from porter.tile.printer import INDENT, LINE_WIDTH, dtype_name, print_block
from porter.tile.self_check import checked_samples, print_check

_CHECKS_ITSELF = " Run as a script, the module checks itself."
_NOT_CHECKED = (
    "",
    "Not checked: porter has neither built this module nor compared what it computes with the",
    "original.",
)


@dataclass(frozen=True)
class ModulePart:
    """A translated kernel; `alias` is a second name for its launcher."""

    plan: LauncherPlan
    alias: str = ""


def print_module(
    parts: tuple[ModulePart, ...], source_name: str, samples: tuple[Sample, ...], *, checked: bool = True
) -> str:
    """The whole text, or an empty one for no kernels. `checked` as in TileOptions."""
    if not parts:
        return ""
    plans = tuple(part.plan for part in parts)
    check = print_check(plans, checked_samples(samples, plans))
    functions = frozenset[str]().union(*(v.compiled.functions for part in parts for v in part.plan.variants))
    sections = [_header(parts, source_name, checks=bool(check), checked=checked)]
    if any(part.plan.autotune for part in parts):
        sections.append("\n".join(OCCUPANCY_LINES))
    sections += function_sources(functions)
    for part in parts:
        sections += ["\n".join(print_kernel(part.plan, variant)) for variant in part.plan.variants]
        sections.append("\n".join(print_launcher(part.plan)))
    for part in parts:
        if part.alias:
            same = tuple(p.plan for p in parts if p.plan.kernel_name == part.plan.kernel_name)
            sections.append("\n".join(print_dispatcher(part.alias, same)))
    if check:
        sections.append("\n".join(check))
    return "\n\n\n".join(sections) + "\n"


def _header(parts: tuple[ModulePart, ...], source_name: str, *, checks: bool, checked: bool) -> str:
    names = ", ".join(f"`{part.plan.name}`" for part in parts)
    lines = [f'"""{names} of {source_name} in Triton.']
    lines += [
        "",
        "A program does the work of a thread block of the original, or of several; a value that differs",
        "between threads is a tensor over them." + (_CHECKS_ITSELF if checks else ""),
        *([] if checked else _NOT_CHECKED),
        '"""',
        "",
    ]
    if checks or any(part.plan.needs_math for part in parts):
        lines += ["import math", ""]
    lines += ["import torch", ""]
    if checks:
        lines += [
            'if __name__ == "__main__" and not torch.cuda.is_available():',
            f"{INDENT}import os",
            "",
            f"{INDENT}# Has to be set before Triton is imported.",
            f'{INDENT}os.environ.setdefault("TRITON_INTERPRET", "1")',
            "",
        ]
    lines += ["import triton", "import triton.language as tl"]
    return "\n".join(lines)


def print_kernel(plan: LauncherPlan, variant: Variant) -> list[str]:
    """The lines of the jit function."""
    tile = variant.compiled.tile
    lines = [f"# {line}".rstrip() for line in plan.comments]
    if plan.autotune:
        rows = rows_of_program(variant)
        lines += print_autotune(variant, number_of_warps(variant), int(rows) if rows.isdigit() else 1)
    lines.append("@triton.jit")
    parameters = [_parameter(p) for p in tile.parameters]
    head = f"def {variant.jit_name}({', '.join(parameters)}):"
    if len(head) <= LINE_WIDTH:
        lines.append(head)
    else:
        lines += [f"def {variant.jit_name}(", *(f"{INDENT}{p}," for p in parameters), "):"]
    return [*lines, *print_block(tile.body, 1)]


def _parameter(parameter: ir.Parameter) -> str:
    if parameter.role == "constexpr":
        return f"{parameter.name}: tl.constexpr"
    if parameter.role == "scalar" and parameter.dtype == kir.FLOAT64:
        return f"{parameter.name}: {dtype_name(parameter.dtype)}"
    return parameter.name
