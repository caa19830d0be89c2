"""The launcher of a kernel: torch tensors and Python numbers in, in the order of the CUDA parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.analysis.expressions import without_index_casts
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.launch import LaunchSite
from porter.tile.api import Declined
from porter.tile.block_sizes import Block, Variant
from porter.tile.buffers import Scratch
from porter.tile.independent import LANE_ELEMENTS, PROGRAM_ELEMENTS
from porter.tile.launch_text import mentions, python_grid, python_shared_bytes, times_size
from porter.tile.names import legal
from porter.tile.printer import INDENT, LINE_WIDTH
from porter.tile.product_launch import (
    tile_constants,
    tile_grid,
    tile_lines,
    tile_needs_math,
    tile_warps,
)
from porter.tile.product_sizes import MOST_WARPS, WARP_ELEMENTS

_WAVEFRONT_SIZE = 64
_WAVEFRONT_ELEMENTS = _WAVEFRONT_SIZE * LANE_ELEMENTS
SHARED_BYTES = "shared_bytes"
"""The launcher's keyword for the size of the dynamic shared memory, where the source does not give it."""
MOST_ROW_LANES = 4096
"""Elements of a row that a program holds at a time; sixteen wavefronts of four a lane."""


@dataclass(frozen=True)
class LauncherPlan:
    """All that the text depends on.

    `is_fixed`: the block is a constant of the original. Else the launcher takes `block` and refuses one
    that no variant is for. `autotune`: the kernels choose their warps, and lanes of rows, by timing.
    `needs_block`: no launch tells the block, so the caller has to.
    """

    name: str
    kernel_name: str
    variants: tuple[Variant, ...]
    globals_: tuple[kir.Variable, ...]
    launch: LaunchSite | None
    is_fixed: bool
    comments: tuple[str, ...]
    autotune: bool = False
    needs_block: bool = False

    @property
    def parameters(self) -> tuple[kir.Variable, ...]:
        return self.variants[0].compiled.parameters

    @property
    def block(self) -> Block:
        return self.variants[0].compiled.block

    @property
    def takes_sizes(self) -> bool:
        """Whether the launcher's text is in terms of `block[0]`."""
        blocks = [block for variant in self.variants for block in variant.blocks]
        return not self.is_fixed and len(blocks) > 1 and all(block[1:] == (1, 1) for block in blocks)

    @property
    def takes_shared_bytes(self) -> bool:
        """Whether the caller has to say how much dynamic shared memory the launch has."""
        return self._has_dynamic and shared_bytes_of(self) is None

    @property
    def _has_dynamic(self) -> bool:
        return any(s.elements is None for v in self.variants for s in v.compiled.scratch)

    @property
    def needs_math(self) -> bool:
        return any(
            v.compiled.scratch or v.compiled.merged or tile_needs_math(v.compiled.tiles)
            for v in self.variants
        )


def print_launcher(plan: LauncherPlan) -> list[str]:
    """The lines of the function. Raises Declined when scratch cannot be sized from the launch."""
    names = [legal(v.name) for v in (*plan.parameters, *plan.globals_)]
    default = _default_grid(plan)
    keywords = ["grid=None" if default is not None else "grid"]
    if not plan.is_fixed:
        keywords.append("block" if plan.needs_block else f"block={plan.block}")
    if plan.takes_shared_bytes:
        keywords.append(SHARED_BYTES)
    lines = [f"def {plan.name}({', '.join([*names, '*', *keywords])}):", *_docstring(plan, default)]
    if default is not None:
        lines += [f"{INDENT}if grid is None:", f"{INDENT * 2}grid = {default}"]
    if plan.is_fixed:
        return lines + _launch_lines(plan, plan.variants[0], 1)
    return lines + _dispatch_lines(plan)


def _docstring(plan: LauncherPlan, default: str | None) -> list[str]:
    block = " x ".join(str(n) for n in plan.block if n > 1) or "1"
    threads = f"block of {block} threads" if plan.is_fixed else "thread block"
    programs = f"one program for each {threads}"
    if any(variant.compiled.merged for variant in plan.variants):
        programs = "a program for some blocks"
    if plan.is_fixed and plan.variants[0].compiled.merged:
        most = _most_blocks(plan.variants[0])
        programs = f"a program for up to {most} blocks of {block} threads"
    if all(variant.compiled.tiles for variant in plan.variants):
        programs = "a program for each tile of the result, not for each block"
    what = f'{INDENT}"""Runs `{plan.kernel_name}` with {programs} of the original.'
    if default is not None and plan.is_fixed and not plan.takes_shared_bytes:
        return [f'{what}"""']
    shared = f"{INDENT}`{SHARED_BYTES}` is the original's dynamic shared memory, in bytes."
    if default is not None and plan.is_fixed:
        return [what, "", shared, f'{INDENT}"""']
    arguments = [*(["`grid`"] if default is None else []), *(["`block`"] if not plan.is_fixed else [])]
    verb = "are" if len(arguments) > 1 else "is"
    kind = "tuples" if len(arguments) > 1 else "a tuple"
    extents = f"{INDENT}{' and '.join(arguments)} {verb} the original's, as {kind}."
    return [what, "", extents, *([shared] if plan.takes_shared_bytes else []), f'{INDENT}"""']


def _dispatch_lines(plan: LauncherPlan) -> list[str]:
    """The variant for the block, or an error: no kernel is used for a block it was not shown right for."""
    sizes = [block for variant in plan.variants for block in variant.blocks]
    shown = ", ".join(str(b[0]) for b in sorted(sizes)) if plan.takes_sizes else ", ".join(map(str, sizes))
    error = f'raise ValueError(f"written for blocks of {shown} threads, not {{block}}")'
    if len(plan.variants) == 1:
        guard = [f"{INDENT}if {_condition(plan, sizes, negated=True)}:", f"{INDENT * 2}{error}"]
        return guard + _launch_lines(plan, plan.variants[0], 1)
    lines: list[str] = []
    for position, variant in enumerate(plan.variants):
        word = "if" if position == 0 else "elif"
        lines.append(f"{INDENT}{word} {_condition(plan, list(variant.blocks), negated=False)}:")
        lines += _launch_lines(plan, variant, 2)
    return [*lines, f"{INDENT}else:", f"{INDENT * 2}{error}"]


def _condition(plan: LauncherPlan, blocks: list[Block], *, negated: bool) -> str:
    if not plan.takes_sizes:
        return f"tuple(block) {'not in' if negated else 'in'} {tuple(blocks)}"
    sizes = tuple(sorted(block[0] for block in blocks))
    if negated:
        return f"block[0] not in {sizes} or block[1] * block[2] != 1"
    return f"block[0] in {sizes} and block[1] * block[2] == 1"


def has_default_grid(plan: LauncherPlan) -> bool:
    return _default_grid(plan) is not None


def argument_names(plan: LauncherPlan) -> dict[str, str]:
    """What the host code calls each argument -> the launcher's name for it."""
    if plan.launch is None:
        return {}
    block = {}
    if plan.takes_sizes and plan.launch.block.isidentifier():
        block = {plan.launch.block: "block[0]"}
    pairs = zip(plan.launch.arguments, plan.parameters, strict=False)
    return block | {
        text.strip(): legal(variable.name)
        for text, variable in pairs
        if isinstance(variable.type, kir.Scalar) and variable.type.kind in ("int", "uint")
    }


def shared_bytes_of(plan: LauncherPlan) -> str | None:
    """The launch's dynamic shared memory as Python over the arguments; None: only the caller knows it."""
    launch = plan.launch
    if launch is None or launch.shared_varies:
        return None
    return python_shared_bytes(launch.shared, argument_names(plan), dict(launch.resolved))


def _default_grid(plan: LauncherPlan) -> str | None:
    """The launch's grid as Python; None where an extent is a constant of the program that launches it.

    `const int rows = 9` of a main() says nothing of the number of rows that the launcher is called with.
    Nor does the grid for a constant block say anything of launches with other blocks.
    """
    if plan.launch is None or (plan.launch.block_dim and plan.launch.other_blocks):
        return None
    names = argument_names(plan)
    parts = python_grid(plan.launch.grid, names, dict(plan.launch.resolved))
    if parts is None or not all(part == "1" or mentions(part, names.values()) for part in parts):
        return None
    shown = list(parts)
    while len(shown) > 1 and shown[-1] == "1":
        shown.pop()
    return f"({shown[0]},)" if len(shown) == 1 else f"({', '.join(shown)})"


# --- scratch ---------------------------------------------------------------------------------------


def _launch_lines(plan: LauncherPlan, variant: Variant, depth: int) -> list[str]:
    sized = [*_blocks_lines(variant), *_row_lines(plan, variant)]
    lines = [*_scratch_lines(plan, variant), *sized, *_call_lines(plan, variant, depth)]
    return [INDENT * depth + line for line in lines]


def _blocks_lines(variant: Variant) -> list[str]:
    if variant.compiled.tiles:
        return tile_lines(variant.compiled.tiles)
    if not variant.compiled.merged:
        return []
    return [
        "# The blocks do not depend on each other: a program does the work of several.",
        f"blocks = math.gcd(grid[0], {_most_blocks(variant)})",
    ]


def _most_blocks(variant: Variant) -> str:
    """Of the original that a program stands for."""
    if len(variant.blocks) > 1:
        return f"{PROGRAM_ELEMENTS} // block[0]"
    return str(PROGRAM_ELEMENTS // variant.compiled.layout.threads)


def _times_blocks(variant: Variant, constant: str) -> str:
    """What a constexpr is multiplied by: that of a merged axis has the threads of all blocks."""
    axes = {axis.constant: axis.name for axis in variant.compiled.layout.axes}
    return " * blocks" if axes.get(constant) in ("x",) and variant.compiled.merged else ""


def _grid_of_programs(variant: Variant) -> str:
    if variant.compiled.tiles:
        return tile_grid(variant.compiled.tiles)
    return "(grid[0] // blocks, *grid[1:])" if variant.compiled.merged else "grid"


def _row_lines(plan: LauncherPlan, variant: Variant) -> list[str]:
    if not variant.compiled.row_ends or plan.autotune:
        return []
    return [
        "# It does not matter how many threads share the elements of a row.",
        f"lanes = {_row_lanes(plan, variant)}",
    ]


def _row_lanes(plan: LauncherPlan, variant: Variant) -> str:
    """One for each element where an argument says how many there are."""
    rows = rows_of_program(variant)
    most = _quotient(MOST_ROW_LANES, rows)
    ends = {_length(end, plan) for end in variant.compiled.row_ends}
    length = ends.pop()
    if ends or length is None:
        return _quotient(PROGRAM_ELEMENTS, rows)
    return f"min(triton.next_power_of_2(max(1, {length})), {most})"


def _length(end: kir.Expr, plan: LauncherPlan) -> str | None:
    """The end of a row as Python: an argument, or a whole part of one."""
    match without_index_casts(end):
        case kir.VarRef(variable=variable) if variable in plan.parameters:
            return legal(variable.name)
        case kir.Binary(op="/", left=left, right=kir.Const(value=int(parts))) if parts > 0:
            whole = _length(left, plan)
            return None if whole is None else f"{whole} // {parts}"
    return None


def rows_of_program(variant: Variant) -> str:
    """How many rows it goes over at a time, as Python."""
    outer = variant.compiled.layout.axes[:-1]
    return dict(variant.values).get(outer[0].constant, str(outer[0].padded)) if outer else "1"


def _quotient(number: int, by: str) -> str:
    if not by.isdigit():
        return f"{number} // ({by})"
    return str(max(1, number // int(by)))


def _scratch_lines(plan: LauncherPlan, variant: Variant) -> list[str]:
    scratches = variant.compiled.scratch
    if not scratches:
        return []
    pointers = [v for v in (*plan.parameters, *plan.globals_) if _is_memory(v, plan)]
    if not pointers:
        span = plan.parameters[0].span if plan.parameters else Span("", 0, 0, 1, 1)
        raise Declined("TIL055", "a kernel with shared memory and no pointer argument", span)
    device = f"{legal(pointers[0].name)}.device"
    lines = [
        "# What the original keeps in shared memory: a part for each program.",
        "programs = math.prod(grid)",
    ]
    for scratch in scratches:
        count = str(scratch.elements)
        if scratch.elements is None:
            count = scratch.size_parameter
            lines.append(f"{count} = {_dynamic_size(plan, scratch)}")
        local = scratch.parameter.removesuffix("_ptr")
        dtype = torch_dtype(scratch.dtype)
        lines.append(f"{local} = torch.empty(programs * {count}, dtype={dtype}, device={device})")
    return lines


def _is_memory(variable: kir.Variable, plan: LauncherPlan) -> bool:
    return isinstance(variable.type, kir.Pointer) or variable in plan.globals_


def _dynamic_size(plan: LauncherPlan, scratch: Scratch) -> str:
    """The number of elements in the launch's dynamic shared memory."""
    text, size = shared_bytes_of(plan) or SHARED_BYTES, scratch.dtype.bits // 8
    if text.isdigit():
        whole = int(text) + (-int(text) % 16 if scratch.wide else 0)
        return str(whole // size)
    if scratch.wide:
        elements = 16 // size
        return f"triton.cdiv({text}, 16)" + (f" * {elements}" if elements > 1 else "")
    if size == 1:
        return text
    if (counted := times_size(text, size)) is not None:
        return counted
    return f"{text if text.isidentifier() else f'({text})'} // {size}"


# --- the call --------------------------------------------------------------------------------------


def _call_lines(plan: LauncherPlan, variant: Variant, depth: int) -> list[str]:
    texts = _argument_texts(plan, variant)
    tile = variant.compiled.tile
    arguments = [texts[p.name] for p in tile.parameters if p.role != "constexpr"]
    grid = _grid_of_programs(variant)
    constants = [f"{name}={value}{_times_blocks(variant, name)}" for name, value in variant.values]
    if variant.compiled.tiles:
        sizes = tile_constants(variant.compiled.tiles)
        constants = [f"{name}={sizes.get(name, value)}" for name, value in variant.values]
    if variant.compiled.row_ends:
        lanes = variant.compiled.layout.axes[-1].constant
        constants = [f"{name}={'lanes' if name == lanes else value}" for name, value in variant.values]
    if plan.autotune:
        parts = [*arguments, *(constant for constant in constants if not constant.endswith("=lanes"))]
    else:
        parts = [*arguments, *constants, f"num_warps={number_of_warps(variant)}"]
    line = f"{variant.jit_name}[{grid}]({', '.join(parts)})"
    if len(line) + len(INDENT) * depth <= LINE_WIDTH:
        return [line]
    return [f"{variant.jit_name}[{grid}](", *(f"{INDENT}{part}," for part in parts), ")"]


def number_of_warps(variant: Variant) -> str:
    """One for each 64 threads, the wavefront of AMD's data-centre GPUs; a power of two, at most 16.

    Where BLOCK is chosen, one for each 64 lanes of four elements. An H200, whose warps have 32 lanes, is not
    slower with these numbers than with twice as many.
    """
    if variant.compiled.tiles:
        return tile_warps(variant.compiled.tiles)
    if variant.compiled.row_ends:
        rows = rows_of_program(variant)
        elements = "lanes" if rows == "1" else f"lanes * {rows if rows.isdigit() else f'({rows})'}"
        return f"min(16, max(1, {elements} // {_WAVEFRONT_ELEMENTS}))"
    if variant.compiled.merged:
        return _warps_of_blocks(variant)
    if len(variant.blocks) > 1:
        return f"max(1, block[0] // {_WAVEFRONT_SIZE})"
    if any(name == "BLOCK_K" for name, _ in variant.values):  # a product whose tile is the block
        return str(max(1, min(MOST_WARPS, variant.compiled.layout.padded_threads // WARP_ELEMENTS)))
    return str(max(1, min(16, variant.compiled.layout.padded_threads // _WAVEFRONT_SIZE)))


def _warps_of_blocks(variant: Variant) -> str:
    if len(variant.blocks) > 1:
        return f"max(1, block[0] * blocks // {_WAVEFRONT_ELEMENTS})"
    threads = variant.compiled.layout.threads
    if threads < _WAVEFRONT_ELEMENTS:
        return f"max(1, blocks // {_WAVEFRONT_ELEMENTS // threads})"
    return "blocks" if threads == _WAVEFRONT_ELEMENTS else f"{threads // _WAVEFRONT_ELEMENTS} * blocks"


def _argument_texts(plan: LauncherPlan, variant: Variant) -> Mapping[str, str]:
    """The launcher's values for the jit function's parameters."""
    scratch = variant.compiled.scratch
    texts = {s.parameter: s.parameter.removesuffix("_ptr") for s in scratch}
    texts.update({s.size_parameter: s.size_parameter for s in scratch if s.size_parameter})
    tile = variant.compiled.tile
    runtime = [p for p in tile.parameters if p.role != "constexpr" and p.name not in texts]
    for parameter, variable in zip(runtime, (*plan.parameters, *plan.globals_), strict=True):
        texts[parameter.name] = legal(variable.name)
    return texts


def torch_dtype(dtype: kir.Scalar) -> str:
    if dtype.kind == "bool":
        return "torch.bool"
    if dtype.kind == "bfloat":
        return "torch.bfloat16"
    return f"torch.{dtype.kind}{dtype.bits}"
