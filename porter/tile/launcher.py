"""The launcher of a kernel: torch tensors and Python numbers in, in the order of the CUDA parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.cuda import kir
from porter.cuda.launch import LaunchSite
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.block_sizes import BlockSizes
from porter.tile.buffers import Scratch
from porter.tile.launch_text import python_grid, python_integer
from porter.tile.layout import Layout
from porter.tile.names import legal

INDENT = "    "
_THREADS_PER_WARP = 64


@dataclass(frozen=True)
class LauncherPlan:
    """All that the text depends on.

    `sizes` None: the block is a constant of the original. Else the launcher takes `block`, which has to be
    one of `sizes.sizes`; with none of those it has to be the one the kernel was compiled for.
    """

    name: str
    jit_name: str
    tile: ir.TileKernel
    parameters: tuple[kir.Variable, ...]
    globals_: tuple[kir.Variable, ...]
    scratch: tuple[Scratch, ...]
    launch: LaunchSite | None
    layout: Layout
    sizes: BlockSizes | None
    comments: tuple[str, ...]


def print_launcher(plan: LauncherPlan) -> list[str]:
    """The lines of the function. Raises Declined when scratch cannot be sized from the launch."""
    names = [legal(v.name) for v in (*plan.parameters, *plan.globals_)]
    default = _default_grid(plan)
    keywords = ["grid=None" if default is not None else "grid"]
    if plan.sizes is not None:
        keywords.append(f"block={plan.layout.block}")
    lines = [f"def {plan.name}({', '.join([*names, '*', *keywords])}):", *_docstring(plan, default)]
    lines += _block_check(plan)
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


def _block_check(plan: LauncherPlan) -> list[str]:
    """Refuses blocks for which the kernel has not been shown to be right."""
    if plan.sizes is None:
        return []
    if not plan.sizes.sizes:
        condition = f"tuple(block) != {plan.layout.block}"
        text = f"written for blocks of {plan.layout.block}"
    else:
        condition = f"block[0] not in {plan.sizes.sizes} or math.prod(block) != block[0]"
        text = f"written for blocks of {', '.join(map(str, plan.sizes.sizes))} threads"
    return [f"{INDENT}if {condition}:", f'{INDENT * 2}raise ValueError(f"{text}, not {{block}}")']


def argument_names(plan: LauncherPlan) -> dict[str, str]:
    """What the host code calls each argument -> the launcher's name for it."""
    if plan.launch is None:
        return {}
    block = {}
    if plan.sizes is not None and plan.sizes.sizes and plan.launch.block.isidentifier():
        block = {plan.launch.block: "block[0]"}
    pairs = zip(plan.launch.arguments, plan.parameters, strict=False)
    return block | {
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
    known = dict(plan.sizes.values) if plan.sizes is not None else {}
    constants = [
        f"{p.name}={known.get(p.name, p.value)}" for p in plan.tile.parameters if p.role == "constexpr"
    ]
    parts = [*arguments, *constants, f"num_warps={_num_warps(plan)}"]
    line = f"{INDENT}{plan.jit_name}[grid]({', '.join(parts)})"
    if len(line) <= 100:
        return [line]
    return [f"{INDENT}{plan.jit_name}[grid](", *(f"{INDENT * 2}{part}," for part in parts), f"{INDENT})"]


def _num_warps(plan: LauncherPlan) -> str:
    """One for each 64 threads, the wavefront of AMD's data-centre GPUs; a power of two, at most 16."""
    if plan.sizes is not None and len(plan.sizes.sizes) > 1:
        return f"max(1, block[0] // {_THREADS_PER_WARP})"
    return str(max(1, min(16, plan.layout.padded_threads // _THREADS_PER_WARP)))


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
