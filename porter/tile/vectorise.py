"""One kernel in structured KIR to a Tile IR kernel: the facts are gathered, then the body is lowered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from porter.analysis.ranges import Ranges
from porter.analysis.uniformity import analyse_uniformity
from porter.analysis.walk import assigned_variables, definitions, root_variable, walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.buffers import Scratch, as_elements, bind_buffers
from porter.tile.builtins import axis_index, linear_thread
from porter.tile.choose_layout import axis_model
from porter.tile.context import Binding, Context
from porter.tile.element_types import element_of, storage_type
from porter.tile.expressions import lower
from porter.tile.layout import Layout
from porter.tile.masks import MaskStack, Term
from porter.tile.names import CONSTANTS, NameScope, pointer_parameter
from porter.tile.python_numbers import ARGUMENT
from porter.tile.split_variables import Versions
from porter.tile.statements import lower_body


@dataclass(frozen=True)
class Vectorised:
    """`functions` are the module's own functions it calls; `scratch` the buffers the launcher allocates."""

    kernel: ir.TileKernel
    functions: frozenset[str]
    scratch: tuple[Scratch, ...]


def vectorise(
    kernel: kir.Kernel,
    layout: Layout,
    *,
    grid_dimensions: frozenset[str],
    allow_tf32: bool,
    versions: Versions,
) -> Vectorised:
    ctx = _context(kernel, layout)
    ctx.versions = versions
    ctx.allow_tf32 = allow_tf32
    ctx.grid_dimensions = set(grid_dimensions) | _grid_dimensions(kernel)
    _bind_parameters(ctx)
    scratch = bind_buffers(ctx)
    ctx.shares_memory = bool(scratch) or _communicates(kernel)
    _find_pointer_targets(ctx)
    _mask_padding(ctx)
    lower_body(ctx, kernel.body)
    body = (*_ordered_prologue(ctx), *ctx.block)
    parameters = tuple(ctx.parameters.values())
    runtime = tuple(p for p in parameters if p.role != "constexpr")
    constants = tuple(p for p in parameters if p.role == "constexpr")
    tile = ir.TileKernel(kernel.name, (*runtime, *constants), body, kernel.comments)
    return Vectorised(tile, frozenset(ctx.functions), scratch)


def _context(kernel: kir.Kernel, layout: Layout) -> Context:
    names = NameScope(set(CONSTANTS))
    uniformity = analyse_uniformity(kernel, axis_model(layout))
    facts = Ranges(layout.block, definitions(kernel.body))
    ctx = Context(kernel, layout, uniformity, facts, MaskStack(layout, names.fresh), names, lower)
    ctx.mutable = assigned_variables(kernel.body) | _extension_targets(kernel)
    _reserve_index_names(ctx)
    ctx.aliases = _takers(kernel, ctx.mutable)
    return ctx


def _takers(kernel: kir.Kernel, mutable: set[kir.Variable]) -> dict[kir.Variable, kir.Variable]:
    """For a collective's own variable the source's variable that is just a copy of it."""
    declared = {n.variable for n in walk(kernel.body) if isinstance(n, kir.Declare)}
    takers: dict[kir.Variable, kir.Variable] = {}
    for node in walk(kernel.body):
        if (
            isinstance(node, kir.Declare)
            and isinstance(node.value, kir.VarRef)
            and node.variable not in mutable
        ):
            made = node.value.variable
            if made not in declared and made not in mutable and made.storage is kir.Storage.LOCAL:
                takers.setdefault(made, node.variable)
    return takers


def _extension_targets(kernel: kir.Kernel) -> set[kir.Variable]:
    """Variables that a collective writes and that are declared, or written more than once."""
    declared = {n.variable for n in walk(kernel.body) if isinstance(n, kir.Declare)}
    idioms = [n for n in walk(kernel.body) if isinstance(n, kir.Extension)]
    targets = [getattr(n, name) for n in idioms for name in n.changed if hasattr(n, name)]
    return {t for t in targets if t in declared or targets.count(t) > 1}


def _reserve_index_names(ctx: Context) -> None:
    """The source's own names come first: an index of the layout steps aside for a variable of its name."""
    taken = {n.variable.name for n in walk(ctx.kernel.body) if isinstance(n, kir.Declare)}
    taken |= {p.name for p in ctx.kernel.parameters}
    alternatives = {"tid": "thread", "lane": "lane_id", "warp": "warp_id", "pid": "program"}
    aliases = _aliases(ctx)
    for name, other in alternatives.items():
        ctx.index_names[name] = other if name in taken and name not in aliases else name


def _aliases(ctx: Context) -> set[str]:
    """Source variables that are exactly the index the layout would call by their name."""
    meaning = {"threadIdx": "tid", "laneIdx": "lane", "warpIdx": "warp", "blockIdx": "pid"}
    found: dict[str, bool] = {}
    for node in walk(ctx.kernel.body):
        if isinstance(node, kir.Declare):
            value = node.value
            while isinstance(value, kir.Cast):
                value = value.operand
            same = isinstance(value, kir.Builtin) and meaning.get(value.name) == node.variable.name
            same = same and node.variable not in ctx.mutable
            found[node.variable.name] = found.get(node.variable.name, True) and same
    return {name for name, same in found.items() if same}


def _grid_dimensions(kernel: kir.Kernel) -> set[str]:
    used = {
        n.axis for n in walk(kernel.body) if isinstance(n, kir.Builtin) and n.name in ("blockIdx", "gridDim")
    }
    return used | {"x"}


def _bind_parameters(ctx: Context) -> None:
    changed = assigned_variables(ctx.kernel.body)
    for variable in ctx.kernel.parameters:
        match variable.type:
            case kir.Pointer():
                _bind_pointer(ctx, variable)
            case kir.Scalar() as dtype:
                _bind_scalar(ctx, variable, dtype, variable in changed)
            case _:
                raise Declined(
                    "TIL051", f"parameter `{variable.name}` of type `{variable.type}`", variable.span
                )


def _bind_pointer(ctx: Context, variable: kir.Variable) -> None:
    name = ctx.names.fresh(pointer_parameter(variable.name))
    dtype = storage_type(element_of(variable.type, variable.span))
    ctx.parameters[name] = ir.Parameter(name, "pointer", dtype)
    points_to_struct = isinstance(variable.type, kir.Pointer) and isinstance(
        variable.type.pointee, kir.Struct
    )
    if points_to_struct and not _may_be_null(ctx, variable):
        name = as_elements(ctx, name, variable.name, dtype)
    ctx.bindings[variable] = Binding(name, ir.TileType(dtype, pointer=name))


def _may_be_null(ctx: Context, variable: kir.Variable) -> bool:
    """Whether the kernel asks: the launcher then may pass None, which has no elements."""

    def is_it(node: object) -> bool:
        return isinstance(node, kir.VarRef) and node.variable is variable

    return any(
        (isinstance(n, kir.Binary) and n.op in ("==", "!=") and (is_it(n.left) or is_it(n.right)))
        or (isinstance(n, kir.Cast) and n.type == kir.BOOL and is_it(n.operand))
        for n in walk(ctx.kernel.body)
    )


def _bind_scalar(ctx: Context, variable: kir.Variable, dtype: kir.Scalar, changed: bool) -> None:
    name = ctx.names.fresh(variable.name)
    # Python's own numbers are float64 and, in Triton, float32 or int32 where they fit.
    as_python_has_it = dtype in (kir.INT32, kir.FLOAT32, kir.FLOAT64, kir.BOOL)
    ctx.parameters[name] = ir.Parameter(name, "scalar", dtype)
    ctx.bindings[variable] = Binding(name, ir.TileType(dtype), weak=True, exact=not as_python_has_it)
    ctx.numbers[name] = ARGUMENT
    if changed:
        _start_mutable_parameter(ctx, variable, name, dtype)


def _start_mutable_parameter(ctx: Context, variable: kir.Variable, name: str, dtype: kir.Scalar) -> None:
    """A parameter that the kernel changes gets the shape of a variable first."""
    axes = ctx.uniformity.variables.get(variable, ir.UNIFORM)
    value: ir.Expr = ir.Convert(ir.Name(name, ir.TileType(dtype), weak=True), ir.TileType(dtype))
    if axes:
        shape, text = ctx.shape(axes), ir.Text(ctx.dtype_text(dtype))
        value = ir.Invoke("tl.full", (shape, value, text), ir.TileType(dtype, axes))
    ctx.prologue[name] = ir.Let(name, value)
    ctx.numbers.pop(name)
    ctx.bindings[variable] = Binding(name, ir.TileType(dtype, axes))


def _communicates(kernel: kir.Kernel) -> bool:
    """Whether threads of a block may talk through global memory: some buffer is both read and written."""
    written: set[kir.Variable | None] = set()
    read: set[kir.Variable | None] = set()
    for node in walk(kernel.body):
        if isinstance(node, kir.Assign) and not isinstance(node.target, kir.VarRef):
            written.add(root_variable(node.target))
            read |= _read_roots(node.value)
        elif isinstance(node, kir.Evaluate):
            written.add(None)
    return bool(written & read)


def _read_roots(expr: kir.Expr) -> set[kir.Variable | None]:
    return {root_variable(node) for node in walk(expr) if isinstance(node, kir.Index)}


def _find_pointer_targets(ctx: Context) -> None:
    """What each pointer variable that changes may point into: one buffer, or "?" for several."""
    for variable in ctx.kernel.parameters:
        if isinstance(variable.type, kir.Pointer) and variable in ctx.mutable:
            _forget_root(ctx, variable)
            _spread_parameter(ctx, variable)
    for variable in ctx.mutable:
        if isinstance(variable.type, kir.Pointer) and variable.storage is kir.Storage.LOCAL:
            roots = {name for value in _values_of(ctx, variable) for name in _roots(ctx, value, {variable})}
            dtype = storage_type(element_of(variable.type, variable.span))
            ctx.pointer_targets[variable] = (dtype, roots.pop() if len(roots) == 1 else "?")


def _forget_root(ctx: Context, variable: kir.Variable) -> None:
    """A pointer parameter that is set to another buffer may point into either."""
    binding = ctx.bindings[variable]
    roots = {name for value in _values_of(ctx, variable) for name in _roots(ctx, value, {variable})}
    if not roots <= {binding.type.pointer}:
        ctx.bindings[variable] = replace(binding, type=replace(binding.type, pointer="?"))


def _spread_parameter(ctx: Context, variable: kir.Variable) -> None:
    """A pointer parameter that each thread moves for itself starts as one pointer a thread."""
    axes = ctx.uniformity.variables.get(variable, ir.UNIFORM)
    if not axes:
        return
    old = ctx.bindings[variable]
    name = ctx.names.fresh(variable.name)
    type_ = ir.TileType(old.type.dtype, axes, old.type.pointer)
    shape = ctx.shape(axes)
    value = ir.Invoke("tl.broadcast_to", (ir.Name(old.name, old.type), shape), type_)
    ctx.prologue[name] = ir.Let(name, value)
    ctx.bindings[variable] = Binding(name, type_)


def _values_of(ctx: Context, variable: kir.Variable) -> list[kir.Expr]:
    """The pointers it is set to; what is stored through it is none."""
    values: list[kir.Expr] = []
    for node in walk(ctx.kernel.body):
        declares = isinstance(node, kir.Declare) and node.variable is variable
        assigns = isinstance(node, kir.Assign) and root_variable(node.target) is variable
        if (declares or assigns) and node.value is not None and isinstance(node.value.type, kir.Pointer):
            values.append(node.value)
    return values


def _roots(ctx: Context, expr: kir.Expr, seen: set[kir.Variable]) -> set[str]:
    names: set[str] = set()
    for node in walk(expr):
        if not isinstance(node, kir.VarRef) or not isinstance(node.type, (kir.Pointer, kir.Array)):
            continue
        if node.variable in ctx.bindings:
            names.add(ctx.bindings[node.variable].type.pointer)
        elif node.variable in ctx.buffers:
            names.add(ctx.buffers[node.variable].base)
        elif node.variable not in seen:
            seen.add(node.variable)
            for value in _values_of(ctx, node.variable):
                names |= _roots(ctx, value, seen)
    return names


def _mask_padding(ctx: Context) -> None:
    """Switches off the threads that the power-of-two shapes have too many."""
    layout = ctx.layout
    if layout.padded_threads == layout.threads:
        return
    terms: list[Term] = []
    if layout.group is not None:
        terms.append(_padding(ctx, linear_thread(ctx), layout.threads))
    else:
        for axis in layout.axes:
            if axis.padded != axis.size:
                index = linear_thread(ctx) if len(layout.axes) == 1 else axis_index(ctx, axis.name)
                terms.append(_padding(ctx, index, axis.size))
    ctx.masks.push(tuple(terms), ctx.block, leaves=True)


def _padding(ctx: Context, index: ir.Expr, size: int) -> Term:
    threads = ctx.constexpr("THREADS" if len(ctx.layout.axes) == 1 else f"THREADS_{size}", size)
    condition = ctx.let("is_thread", c.compare("<", index, threads))
    return Term(condition, nonempty=True, padding=True)


_PROLOGUE_ORDER = (
    "pid",
    "program",
    "pid_x",
    "pid_y",
    "pid_z",
    "warp",
    "warp_id",
    "lane",
    "lane_id",
    "tz",
    "ty",
    "tx",
)


def _ordered_prologue(ctx: Context) -> list[ir.Stmt]:
    """Ids first, then what is made of them, in the order it was made."""
    first = [name for name in _PROLOGUE_ORDER if name in ctx.prologue]
    return [ctx.prologue[name] for name in (*first, *(n for n in ctx.prologue if n not in first))]
