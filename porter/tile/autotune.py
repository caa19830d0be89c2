"""`--autotune`: a kernel's configurations in place of the numbers that porter chooses.

What may differ is what changes no result: the warps of a program, the lanes of a row where their number does
not matter (`free_block.py`), the stages of a loop with a `tl.dot`, and on AMD how many wavefronts of the
kernel the compiler plans for on each SIMD (`waves_per_eu`). A kernel is run many times to be timed: what it
may have written is put back (`restore_value`).
"""

from __future__ import annotations

from porter.cuda import kir
from porter.tile import ir
from porter.tile.block_sizes import Variant
from porter.tile.printer import INDENT, LINE_WIDTH

OCCUPANCY_LINES = (
    "# Wavefronts of a kernel on each SIMD: AMD's compiler may plan for a number of them.",
    'OCCUPANCY = ({}, {"waves_per_eu": 2}) if torch.version.hip else ({},)',
)
_MOST_WARPS = 16
_ROW_LANES = (512, 1024, 4096)
_STAGES = (2, 3)


def print_autotune(variant: Variant, globals_: tuple[kir.Variable, ...], warps: str, rows: int) -> list[str]:
    """The decorator. `warps` is the launcher's own choice, Python text; `rows` those of a program."""
    tile = variant.compiled.tile
    parts = [f"configs={_configs(variant, warps, rows)}", f"key={_names(_sizes(tile))}"]
    written = _written(variant, globals_)
    if written:
        parts.append(f"restore_value={_names(written)}")
    return ["@triton.autotune(", *(f"{INDENT}{line}" for part in parts for line in _broken(f"{part},")), ")"]


def _configs(variant: Variant, warps: str, rows: int) -> str:
    fewest = int(warps) if warps.isdigit() else 2
    choices = {min(_MOST_WARPS, fewest * k) for k in (1, 2, 4)}
    loops = [f"for warps in {tuple(sorted(choices))}" if len(choices) > 1 else f"for warps in ({fewest},)"]
    sizes = "**occupancy"
    if variant.compiled.row_ends:
        lanes = variant.compiled.layout.axes[-1].constant
        sizes = f'"{lanes}": lanes, **occupancy'
        loops = [f"for lanes in {tuple(n // rows for n in _ROW_LANES)}", "for warps in (4, 8)"]
    stages = ""
    if has_dot(variant):
        stages = ", num_stages=stages"
        loops.append(f"for stages in {_STAGES}")
    loops.append("for occupancy in OCCUPANCY")
    return f"[triton.Config({{{sizes}}}, num_warps=warps{stages}) {' '.join(loops)}]"


def has_dot(variant: Variant) -> bool:
    statements = ir.all_statements(variant.compiled.tile.body)
    own = (expr for statement in statements for expr in ir.own_expressions(statement))
    return any(isinstance(n, ir.Invoke) and n.function == "tl.dot" for expr in own for n in ir.walk(expr))


def _sizes(tile: ir.TileKernel) -> list[str]:
    """The integer arguments: another size may want another configuration."""
    whole = [p for p in tile.parameters if p.role == "scalar" and p.dtype is not None]
    return [p.name for p in whole if p.dtype is not None and p.dtype.kind in ("int", "uint")]


def _written(variant: Variant, globals_: tuple[kir.Variable, ...]) -> list[str]:
    """The buffers that the kernel's type lets it write; scratch holds nothing between launches."""
    compiled = variant.compiled
    runtime = [p for p in compiled.tile.parameters if p.role in ("pointer", "scalar")]
    sources = (*compiled.parameters, *globals_)
    return [
        parameter.name
        for parameter, source in zip(runtime, sources, strict=True)
        if parameter.role == "pointer" and not (isinstance(source.type, kir.Pointer) and source.type.is_const)
    ]


def _names(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _broken(line: str) -> list[str]:
    """A list that is too long for a line with its parts on lines of their own."""
    if len(line) + len(INDENT) <= LINE_WIDTH or " for " not in line:
        return [line]
    head, rest = line.split("[", 1)
    parts = rest.removesuffix("],").split(" for ")
    return [f"{head}[", *(f"{INDENT}{'for ' if k else ''}{part}" for k, part in enumerate(parts)), "],"]
