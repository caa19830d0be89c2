"""`--autotune`: a kernel's configurations in place of the numbers that porter chooses.

What may differ is what changes no result: the warps of a program, the lanes of a row where their number does
not matter (`free_block.py`), the stages of a loop with a `tl.dot`, and on AMD how many wavefronts of the
kernel the compiler plans for on each SIMD (`waves_per_eu`). A kernel is run many times to be timed: what it
may have written is put back (`restore_value`).
"""

from __future__ import annotations

from collections.abc import Sequence

from porter.tile import ir
from porter.tile.block_sizes import Variant
from porter.tile.printer import INDENT, LINE_WIDTH

OCCUPANCY_LINES = (
    "# Wavefronts of a kernel on each SIMD: AMD's compiler may plan for a number of them.",
    'OCCUPANCY = ({}, {"waves_per_eu": 2}) if torch.version.hip else ({},)',
)
_STORES = ("tl.store", "_store", "tl.atomic_")
_MOST_WARPS = 16
_ROW_LANES = (512, 1024, 4096)
_STAGES = (2, 3)


def print_autotune(variant: Variant, warps: str, rows: int) -> list[str]:
    """The decorator. `warps` is the launcher's own choice, Python text; `rows` those of a program."""
    tile = variant.compiled.tile
    parts = [f"configs={_configs(variant, warps, rows)}", f"key={_names(_sizes(tile))}"]
    written = _written(tile)
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


def _written(tile: ir.TileKernel) -> list[str]:
    """The buffers that the kernel stores to, whatever their types say; scratch holds nothing later on."""
    buffers = [p.name for p in tile.parameters if p.role == "pointer"]
    statements = list(ir.all_statements(tile.body))
    found: set[str] = set()
    for call in (e for s in statements for own in ir.own_expressions(s) for e in ir.walk(own)):
        if isinstance(call, ir.Invoke) and call.function.startswith(_STORES):
            roots = _parameters(call.arguments[0].type.pointer, tile, statements)
            if not roots:
                return buffers  # a pointer that may be any of them
            found |= roots
    return [name for name in buffers if name in found]


def _parameters(root: str, tile: ir.TileKernel, statements: Sequence[ir.Stmt]) -> set[str]:
    """The parameters that the base of a pointer is made of, itself or by its definition."""
    names = {p.name for p in tile.parameters if p.role in ("pointer", "scratch")}
    if root in names:
        return {root}
    definitions = [s.value for s in statements if isinstance(s, ir.Let) and s.target == root]
    return {name for value in definitions for name in ir.names_in(value)} & names


def _names(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _broken(line: str) -> list[str]:
    """A list that is too long for a line with its parts on lines of their own."""
    if len(line) + len(INDENT) <= LINE_WIDTH or " for " not in line:
        return [line]
    head, rest = line.split("[", 1)
    parts = rest.removesuffix("],").split(" for ")
    return [f"{head}[", *(f"{INDENT}{'for ' if k else ''}{part}" for k, part in enumerate(parts)), "],"]
