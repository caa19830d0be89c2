"""The launcher of a kernel: torch tensors and Python numbers in, in the order of the CUDA parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.cuda import kir
from porter.cuda.launch import LaunchSite
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.buffers import Scratch
from porter.tile.launch_text import python_grid, python_integer
from porter.tile.layout import Layout
from porter.tile.names import legal

INDENT = "    "


@dataclass(frozen=True)
class LauncherPlan:
    """All that the text depends on."""

    name: str
    jit_name: str
    tile: ir.TileKernel
    parameters: tuple[kir.Variable, ...]
    globals_: tuple[kir.Variable, ...]
    scratch: tuple[Scratch, ...]
    launch: LaunchSite | None
    layout: Layout
    num_warps: int
    comments: tuple[str, ...]


def print_launcher(plan: LauncherPlan) -> list[str]:
    """The lines of the function. Raises Declined when scratch cannot be sized from the launch."""
    names = [legal(v.name) for v in (*plan.parameters, *plan.globals_)]
    default = _default_grid(plan)
    grid = "grid=None" if default is not None else "grid"
    lines = [f"def {plan.name}({', '.join([*names, '*', grid])}):", *_docstring(plan, default)]
    if default is not None:
        lines += [f"{INDENT}if grid is None:", f"{INDENT * 2}grid = {default}"]
    lines += _scratch_lines(plan, names)
    lines += _call_lines(plan)
    return lines


def _docstring(plan: LauncherPlan, default: str | None) -> list[str]:
    block = " x ".join(str(n) for n in plan.layout.block if n > 1) or "1"
    what = (
        f'{INDENT}"""Runs `{plan.name}` with one program for each block of {block} threads of the original.'
    )
    if default is not None:
        return [f'{what}"""']
    return [what, "", f"{INDENT}`grid` is the original's, as a tuple.", f'{INDENT}"""']


def argument_names(plan: LauncherPlan) -> dict[str, str]:
    """What the host code calls each argument -> the launcher's name for it."""
    if plan.launch is None:
        return {}
    pairs = zip(plan.launch.arguments, plan.parameters, strict=False)
    return {
        text.strip(): legal(variable.name)
        for text, variable in pairs
        if isinstance(variable.type, kir.Scalar) and variable.type.kind in ("int", "uint")
    }


def _default_grid(plan: LauncherPlan) -> str | None:
    if plan.launch is None:
        return None
    parts = python_grid(plan.launch.grid, argument_names(plan), dict(plan.launch.resolved))
    if parts is None:
        return None
    shown = list(parts)
    while len(shown) > 1 and shown[-1] == "1":
        shown.pop()
    return f"({shown[0]},)" if len(shown) == 1 else f"({', '.join(shown)})"


# --- scratch ---------------------------------------------------------------------------------------


def _scratch_lines(plan: LauncherPlan, names: list[str]) -> list[str]:
    if not plan.scratch:
        return []
    pointers = [v for v in (*plan.parameters, *plan.globals_) if _is_memory(v, plan)]
    if not pointers:
        raise Declined(
            "TIL055", "a kernel with shared memory and no pointer argument", plan.parameters[0].span
        )
    device = f"{legal(pointers[0].name)}.device"
    lines = [
        f"{INDENT}# What the original keeps in shared memory: a part for each program.",
        f"{INDENT}programs = math.prod(grid)",
    ]
    for scratch in plan.scratch:
        count = str(scratch.elements)
        if scratch.elements is None:
            count = scratch.size_parameter
            lines.append(f"{INDENT}{count} = {_dynamic_size(plan, scratch)}")
        local = scratch.parameter.removesuffix("_ptr")
        dtype = torch_dtype(scratch.dtype)
        lines.append(f"{INDENT}{local} = torch.empty(programs * {count}, dtype={dtype}, device={device})")
    return lines


def _is_memory(variable: kir.Variable, plan: LauncherPlan) -> bool:
    return isinstance(variable.type, kir.Pointer) or variable in plan.globals_


def _dynamic_size(plan: LauncherPlan, scratch: Scratch) -> str:
    """The number of elements in the launch's dynamic shared memory."""
    span = plan.launch.span if plan.launch is not None else plan.parameters[0].span
    hint = "launch it in the same file with a size that its arguments give"
    if plan.launch is None:
        raise Declined("TIL055", "the size of the dynamic shared memory is not known", span, hint)
    text, size = plan.launch.shared, scratch.dtype.bits // 8
    for ctype, bytes_ in _SIZES.items():
        text = text.replace(f"sizeof({ctype})", str(bytes_))
    value = python_integer(text, argument_names(plan), dict(plan.launch.resolved))
    if value is None:
        raise Declined(
            "TIL055", f"the shared memory size `{plan.launch.shared}` is not understood", span, hint
        )
    return str(int(value) // size) if value.isdigit() else f"({value}) // {size}"


_SIZES = {
    "float": 4,
    "double": 8,
    "int": 4,
    "unsigned": 4,
    "unsigned int": 4,
    "char": 1,
    "short": 2,
    "long long": 8,
}


# --- the call --------------------------------------------------------------------------------------


def _call_lines(plan: LauncherPlan) -> list[str]:
    arguments = _runtime_arguments(plan)
    constants = [f"{p.name}={p.value}" for p in plan.tile.parameters if p.role == "constexpr"]
    parts = [*arguments, *constants, f"num_warps={plan.num_warps}"]
    line = f"{INDENT}{plan.jit_name}[grid]({', '.join(parts)})"
    if len(line) <= 100:
        return [line]
    return [f"{INDENT}{plan.jit_name}[grid](", *(f"{INDENT * 2}{part}," for part in parts), f"{INDENT})"]


def _runtime_arguments(plan: LauncherPlan) -> list[str]:
    """The launcher's values for the jit function's parameters, in their order."""
    by_parameter = _argument_texts(plan)
    return [by_parameter[p.name] for p in plan.tile.parameters if p.role != "constexpr"]


def _argument_texts(plan: LauncherPlan) -> Mapping[str, str]:
    texts = {s.parameter: s.parameter.removesuffix("_ptr") for s in plan.scratch}
    texts.update({s.size_parameter: s.size_parameter for s in plan.scratch if s.size_parameter})
    runtime = [p for p in plan.tile.parameters if p.role != "constexpr" and p.name not in texts]
    for parameter, variable in zip(runtime, (*plan.parameters, *plan.globals_), strict=True):
        texts[parameter.name] = legal(variable.name)
    return texts


def torch_dtype(dtype: kir.Scalar) -> str:
    if dtype.kind == "bool":
        return "torch.bool"
    if dtype.kind == "bfloat":
        return "torch.bfloat16"
    return f"torch.{dtype.kind}{dtype.bits}"
