"""The SIMT-to-Triton compiler: CUDA kernels in KIR to one Python module.

The order of the passes is `raise_kernel` and `_compile`, on one screen. Every refusal is a `Declined` with a
code, a place and a reason, and costs its kernel only.
"""

from __future__ import annotations

import dataclasses
import re

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda import kir
from porter.tile.api import (
    Declined,
    KernelLaunch,
    TileOptions,
    TileTranslation,
    TranslatedKernel,
)
from porter.tile.block_of import fixed_block
from porter.tile.block_sizes import USUAL, Block, Compiled, Variant, only_variant, variants_for
from porter.tile.choose_layout import choose_layout
from porter.tile.clean_up import clean_up
from porter.tile.count_loops import count_loops
from porter.tile.decline_waiting import decline_waiting
from porter.tile.distinct_parameters import distinct_parameters
from porter.tile.dots import name_steps
from porter.tile.dropped_calls import dropped_calls
from porter.tile.expand_atomics import expand_atomics
from porter.tile.expand_parameters import expand_parameters
from porter.tile.follow_pointers import follow_pointers
from porter.tile.free_tiles import FreeTiles, free_tiles
from porter.tile.idioms import NoMatch, Raising
from porter.tile.independent import merge_blocks
from porter.tile.inline_calls import inline_calls
from porter.tile.insert_barriers import insert_barriers
from porter.tile.join_copies import join_copies
from porter.tile.kept_products import kept_products
from porter.tile.launch_text import grid_rank
from porter.tile.launcher import LauncherPlan, print_launcher
from porter.tile.layout import Layout
from porter.tile.local_arrays import replace_local_arrays
from porter.tile.merge_dynamic_shared import merge_dynamic_shared
from porter.tile.module import ModulePart, print_kernel, print_module
from porter.tile.names import function_name, pointer_parameter
from porter.tile.raise_attention import raise_attention
from porter.tile.raise_idioms import raise_idioms
from porter.tile.raise_products import Products, fragments_in, raise_products
from porter.tile.register_views import resolve_register_views
from porter.tile.row_layout import Rows, rows_of
from porter.tile.scalarise import scalarise
from porter.tile.simplify import simplify
from porter.tile.split_variables import Versions, split_variables
from porter.tile.split_warps import split_warps
from porter.tile.stale_comments import drop_stale_comments
from porter.tile.structure_exits import structure_exits
from porter.tile.unroll_indexed import unroll_indexed
from porter.tile.unroll_loops import unroll_loops
from porter.tile.vector_accesses import join_accesses
from porter.tile.vectorise import vectorise
from porter.tile.verify_passes import FAULT_CODE, check_after, run_pass

_USUAL_BLOCK = (256, 1, 1)
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a mistake of this compiler raises."""


def translate_triton(
    kernels: tuple[KernelLaunch, ...], options: TileOptions, *, source_name: str
) -> TileTranslation:
    """One module with every kernel that can be translated. Never raises for a kernel that cannot."""
    parts: list[ModulePart] = []
    translated: list[TranslatedKernel] = []
    declined: list[tuple[str, Diagnostic]] = []
    for launch in kernels:
        try:
            part = _lower_kernel(launch, options, _names(launch, parts))
        except Declined as reason:
            declined.append((launch.kernel.name, reason.diagnostic))
            continue
        except FAULTS as defect:
            declined.append((launch.kernel.name, defect_in(launch.kernel, defect)))
            continue
        parts.append(part)
        translated.append(_translated(launch, part))
    text = print_module(tuple(parts), source_name, options.samples, checked=options.checked)
    return TileTranslation(text, tuple(translated), tuple(declined))


def defect_in(kernel: kir.Kernel, defect: Exception) -> Diagnostic:
    """A fault of this compiler, one of `FAULTS`, costs one kernel, and says that it is one."""
    what = f"the compiler failed on this kernel ({type(defect).__name__}: {defect})"
    return Diagnostic(FAULT_CODE, Severity.ERROR, what, kernel.span, "this is a fault of porter: report it")


def _translated(launch: KernelLaunch, part: ModulePart) -> TranslatedKernel:
    plan = part.plan
    first = plan.variants[0]
    notes = dict.fromkeys(note for v in plan.variants for note in v.compiled.notes)
    return TranslatedKernel(
        first.jit_name, plan.name, first.compiled.raised, launch.kernel.name, tuple(notes)
    )


def _lower_kernel(launch: KernelLaunch, options: TileOptions, names: tuple[str, str]) -> ModulePart:
    name, alias = names
    jit_name = f"{name}_kernel"
    fixed = fixed_block(launch)
    if fixed is not None:
        variants: tuple[Variant, ...] = (only_variant(jit_name, _compile(launch, fixed, options)),)
    else:
        variants = variants_for(jit_name, _blocks(launch), lambda block: _compile(launch, block, options))
    compiled = variants[0].compiled
    plan = LauncherPlan(
        name,
        launch.kernel.name,
        variants,
        tuple(v for v in launch.kernel.globals if _is_taken(v, compiled)),
        launch.launch,
        fixed is not None,
        launch.kernel.comments,
        options.autotune,
        launch.is_assumed,
    )
    print_launcher(plan)  # declines now what it cannot express
    for variant in variants:
        print_kernel(plan, variant)  # a fault shows now, and costs this kernel only
    return ModulePart(plan, alias)


def _blocks(launch: KernelLaunch) -> tuple[Block, ...]:
    """The blocks a launcher has to take; an unusual one alone would make it useless for the usual ones."""
    blocks = (launch.block, *launch.other_blocks)
    flat = all(block[1:] == (1, 1) for block in blocks)
    usual = (_USUAL_BLOCK,) if flat and not set(blocks) & set(USUAL) else ()
    return tuple(dict.fromkeys((*blocks, *usual)))


@dataclasses.dataclass(frozen=True)
class RaisedKernel:
    """A kernel after the passes on the kernel IR, and what they found out for the passes on tiles.

    `block` is the thread block that `layout` stands for, `original` the one of the launch.
    """

    kernel: kir.Kernel
    layout: Layout
    block: Block
    original: Block
    idioms: tuple[str, ...]
    notes: tuple[Diagnostic, ...]
    versions: Versions
    rows: Rows | None
    tiles: FreeTiles | None
    is_merged: bool


def raise_kernel(kernel: kir.Kernel, block: Block, products: Products | None = None) -> RaisedKernel:
    """The passes on the kernel IR in their order, for thread blocks of shape `block`. Raises Declined.

    `products` is what `raise_products` made of the kernel, where that is known.
    """
    source = kernel
    dropped = dropped_calls(source)
    products = products or _products(source, block)  # first: it looks at whole kernels
    raising = products.raising
    if raising.raised:
        original, block, notes = block, products.block, dropped
    else:
        _decline_fragments(source, raising.declined)
        original, raising = block, raise_idioms(source, block)  # looks for the source's own patterns
        kept = kept_products(raising.kernel, products.raising.declined)
        notes = (*raising.notes, *kept, *products.notes, *dropped)
    kernel = raising.kernel
    check_after("raise_products" if products.raising.raised else "raise_idioms", kernel)
    kernel = run_pass(drop_stale_comments, kernel, source)
    kernel = run_pass(inline_calls, kernel)
    kernel = run_pass(decline_waiting, kernel)
    kernel = run_pass(merge_dynamic_shared, kernel)  # after inlining: functions may declare them too
    kernel = run_pass(expand_parameters, kernel)  # after inlining: only the kernel's own are left
    kernel = run_pass(_simplified, kernel)
    kernel = run_pass(expand_atomics, kernel)
    kernel = run_pass(count_loops, kernel)
    kernel = run_pass(structure_exits, kernel)
    kernel = run_pass(follow_pointers, kernel)  # after inlining: parameters are pointers defined once then
    kernel = run_pass(unroll_indexed, kernel)  # after exits: only whole rounds can be copied
    kernel = run_pass(resolve_register_views, kernel)  # after unrolling: places are constants
    kernel = run_pass(scalarise, kernel)  # after inlining: only then are aggregates whole variables
    kernel = run_pass(distinct_parameters, kernel)  # after scalarise: parts of structs are parameters then
    kernel = run_pass(replace_local_arrays, kernel, block)  # after scalarise: elements are scalars
    kernel = run_pass(join_copies, kernel)
    kernel, versions = split_variables(kernel)
    check_after("split_variables", kernel, versions)
    layout = choose_layout(kernel, block)
    tiles = free_tiles(kernel, block)
    if tiles is not None:
        kernel, layout = tiles.kernel, tiles.layout
        check_after("free_tiles", kernel, versions)
    if layout.group is not None:
        kernel = split_warps(kernel, layout.group, layout.threads)
        check_after("split_warps", kernel, versions)
    rows = rows_of(kernel, layout) if tiles is None else None
    if rows is not None:
        kernel, layout = rows.kernel, rows.layout
        check_after("rows_of", kernel, versions)
    merged = merge_blocks(kernel, layout) if rows is None and tiles is None else None
    if merged is not None:
        kernel = merged
        check_after("merge_blocks", kernel, versions)
    idioms = tuple(line for line, _ in raising.raised)
    return RaisedKernel(
        kernel, layout, block, original, idioms, notes, versions, rows, tiles, merged is not None
    )


def _products(kernel: kir.Kernel, block: Block) -> Products:
    """`raise_products` or `raise_attention`, whose faults cost what they raise only."""
    try:
        products = raise_products(kernel, block)
        attention = products if products.raising.raised else raise_attention(kernel, block)
        if attention.raising.raised:
            return attention
        return dataclasses.replace(products, notes=attention.notes)
    except FAULTS as defect:
        return _no_product(kernel, block, f"the compiler failed ({type(defect).__name__}: {defect})")


def _no_product(kernel: kir.Kernel, block: Block, reason: str) -> Products:
    return Products(Raising(kernel, (), (NoMatch(reason, kernel.span),)), block)


def _compile(launch: KernelLaunch, block: Block, options: TileOptions) -> Compiled:
    """The kernel as a product if it is one that can be written so, else as it stands."""
    products = _products(launch.kernel, block)
    if products.raising.raised:
        try:
            return _compile_raised(launch, block, options, products)
        except FAULTS as defect:
            reason = f"the compiler failed ({type(defect).__name__}: {defect})"
        except Declined as refusal:
            if refusal.diagnostic.code == FAULT_CODE:
                raise
            reason = refusal.diagnostic.message
        products = _no_product(launch.kernel, block, reason)
    return _compile_raised(launch, block, options, products)


def _compile_raised(launch: KernelLaunch, block: Block, options: TileOptions, products: Products) -> Compiled:
    """The passes on the kernel IR, then those on tiles, in their order."""
    raised = raise_kernel(launch.kernel, block, products)
    layout, rows, tiles = raised.layout, raised.rows, raised.tiles
    result = vectorise(
        raised.kernel,
        layout,
        grid_dimensions=_grid_dimensions(launch),
        allow_tf32=options.allow_tf32,
        versions=raised.versions,
    )
    tile = insert_barriers(result.kernel, frozenset(s.base for s in result.scratch))
    tile = name_steps(clean_up(tile))  # they only make the text shorter
    joined = join_accesses(tile, layout)  # last: its functions give several names at once
    tile = joined.kernel if rows else unroll_loops(joined.kernel)  # a row is mostly one round
    return Compiled(
        tile,
        result.functions | joined.functions,
        result.scratch,
        dataclasses.replace(layout, block=raised.block) if tiles is None else layout,
        raised.idioms,
        raised.kernel.parameters,
        "x" if raised.is_merged else "",
        rows.ends if rows else (),
        raised.original,
        tiles.axes if tiles is not None else (),
        raised.notes,
    )


def _simplified(kernel: kir.Kernel) -> kir.Kernel:
    return dataclasses.replace(kernel, body=simplify(kernel.body))


def _decline_fragments(kernel: kir.Kernel, reasons: tuple[NoMatch, ...]) -> None:
    """Tensor-core fragments are only followed where the kernel is a matrix product."""
    fragment = fragments_in(kernel)
    if fragment is not None:
        reason = reasons[0].reason if reasons else "no loop adds up products of them"
        what = f"tensor-core fragments outside of a matrix product: {reason}"
        raise Declined("TIL056", what, fragment.span, "write the product out with plain loops")


def _is_taken(variable: kir.Variable, compiled: Compiled) -> bool:
    """Whether the kernel reads this `__constant__` or `__device__` variable."""
    return any(p.name == pointer_parameter(variable.name) for p in compiled.tile.parameters)


def _names(launch: KernelLaunch, parts: list[ModulePart]) -> tuple[str, str]:
    """The launcher's name and, for the first instantiation of a template, the plain name as a second one."""
    plain = function_name(launch.kernel.name.split("::")[-1])
    taken = {part.plan.name for part in parts} | {part.alias for part in parts}
    if not launch.kernel.template_arguments:
        return (plain if plain not in taken else _numbered(plain, taken)), ""
    words = re.findall(r"\w+", " ".join(launch.kernel.template_arguments))
    name = _numbered("_".join([plain, *words]), taken)
    return name, plain if plain not in taken else ""


def _numbered(name: str, taken: set[str]) -> str:
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate


def _grid_dimensions(launch: KernelLaunch) -> frozenset[str]:
    """The dimensions the host code may give the grid more than one block in."""
    site = launch.launch
    if site is None:
        return frozenset({"x"})
    if site.grid_dim is not None:
        return frozenset({"x"} | {d for d, n in zip("xyz", site.grid_dim, strict=True) if n > 1})
    return frozenset("xyz"[: grid_rank(site.grid, dict(site.resolved))])
