"""Memory that is no parameter: shared arrays go to scratch in global memory, constants to a pointer."""

from __future__ import annotations

import math
from dataclasses import dataclass

from porter.analysis.walk import walk
from porter.cuda import kir
from porter.tile import ir
from porter.tile.builtins import program_id
from porter.tile.context import Buffer, Context
from porter.tile.element_types import element_of, scalar_count, storage_type
from porter.tile.names import pointer_parameter

_INT = ir.TileType(kir.INT32)
_WIDEST_BYTES = 16


@dataclass(frozen=True)
class Scratch:
    """A buffer that the launcher allocates: `elements` for each program, which sees its part as `base`.

    `elements` None: as many as the launch's dynamic shared memory holds; `size_parameter` then names the
    kernel's argument with their number. `wide`: also read or written as a wider type, so that the parts
    have to start at multiples of 16 bytes.
    """

    parameter: str
    base: str
    dtype: kir.Scalar
    elements: int | None
    size_parameter: str = ""
    wide: bool = False


def bind_buffers(ctx: Context) -> tuple[Scratch, ...]:
    """Gives every shared array its part of a scratch buffer, every global variable its pointer."""
    for variable in ctx.kernel.globals:
        if _is_used(ctx, variable):
            _bind_global(ctx, variable)
    return tuple(_bind_shared(ctx, variable) for variable in _shared_variables(ctx))


def _is_used(ctx: Context, variable: kir.Variable) -> bool:
    return any(isinstance(n, kir.VarRef) and n.variable is variable for n in walk(ctx.kernel.body))


def _shared_variables(ctx: Context) -> list[kir.Variable]:
    found: dict[kir.Variable, None] = {}
    for node in walk(ctx.kernel.body):
        if isinstance(node, (kir.VarRef, kir.Declare)) and node.variable.storage in kir.SHARED_STORAGE:
            found[node.variable] = None
    return [variable for variable in found if _is_used(ctx, variable)]


def _bind_global(ctx: Context, variable: kir.Variable) -> None:
    name = ctx.names.fresh(pointer_parameter(variable.name))
    element = element_of(variable.type, variable.span)
    shape = variable.type.shape if isinstance(variable.type, kir.Array) else ()
    dtype = storage_type(element)
    ctx.parameters[name] = ir.Parameter(name, "pointer", dtype)
    if isinstance(_innermost(variable.type), kir.Struct):
        name = as_elements(ctx, name, variable.name, dtype)
    ctx.buffers[variable] = Buffer(name, element, shape, scalar_count(variable.type, variable.span))


def _innermost(type_: kir.Type) -> kir.Type:
    return type_.element if isinstance(type_, kir.Array) else type_


def as_elements(ctx: Context, pointer: str, wanted: str, dtype: kir.Scalar) -> str:
    """A name for a pointer to structs as one to their elements.

    No tensor has structs as its elements: the caller may have them as bytes.
    """
    name = ctx.names.fresh(f"{wanted}_elements")
    value = ir.Name(pointer, ir.TileType(dtype, pointer=pointer))
    ctx.prologue[name] = ir.Let(name, ir.Convert(value, ir.TileType(dtype, pointer=name)))
    return name


def _bind_shared(ctx: Context, variable: kir.Variable) -> Scratch:
    element = element_of(variable.type, variable.span)
    dtype = storage_type(element)
    parameter = ctx.names.fresh(f"{variable.name}_scratch_ptr")
    base = ctx.names.fresh(f"{variable.name}_ptr")
    ctx.parameters[parameter] = ir.Parameter(parameter, "scratch", dtype)
    shape = variable.type.shape if isinstance(variable.type, kir.Array) else ()
    size, scratch = _size(ctx, variable, parameter, base, dtype)
    ctx.buffers[variable] = Buffer(base, element, shape, math.prod(shape))
    pointer = ir.Name(parameter, ir.TileType(dtype, pointer=parameter))
    offset = ir.Infix("*", _program_number(ctx), size, _INT)
    ctx.prologue[base] = ir.Let(base, ir.Infix("+", pointer, offset, pointer.type))
    return scratch


def _size(
    ctx: Context, variable: kir.Variable, parameter: str, base: str, dtype: kir.Scalar
) -> tuple[ir.Expr, Scratch]:
    wide = _has_wider_view(ctx, dtype)
    if variable.storage is kir.Storage.DYNAMIC_SHARED:
        name = ctx.names.fresh(f"{variable.name}_size")
        ctx.parameters[name] = ir.Parameter(name, "scalar", kir.INT32)
        return ir.Name(name, _INT, weak=True), Scratch(parameter, base, dtype, None, name, wide)
    count = scalar_count(variable.type, variable.span)
    if wide:
        count += -count % (_WIDEST_BYTES * 8 // dtype.bits)
    return ir.Literal(count, _INT), Scratch(parameter, base, dtype, count)


def _has_wider_view(ctx: Context, dtype: kir.Scalar) -> bool:
    """Whether some pointer is cast to one of wider elements: it may point into the array."""
    return any(
        isinstance(node, kir.Cast)
        and isinstance(node.type, kir.Pointer)
        and not isinstance(node.type.pointee, kir.Void)
        and storage_type(element_of(node.type, node.span)).bits > dtype.bits
        for node in walk(ctx.kernel.body)
    )


def _program_number(ctx: Context) -> ir.Expr:
    """This program's number among all of the grid, wide enough for the scratch of a large grid."""
    number: ir.Expr = program_id(ctx, "x")
    for dimension, below in (("y", "x"), ("z", "xy")):
        if dimension in ctx.grid_dimensions:
            stride: ir.Expr = _programs(below[0])
            for other in below[1:]:
                stride = ir.Infix("*", stride, _programs(other), _INT)
            start = ir.Infix("*", program_id(ctx, dimension), stride, _INT)
            number = ir.Infix("+", number, start, _INT)
    wide = ir.TileType(kir.INT64)
    return ir.Convert(number, wide)


def _programs(dimension: str) -> ir.Expr:
    return ir.Invoke("tl.num_programs", (ir.Text(str("xyz".index(dimension))),), _INT)
