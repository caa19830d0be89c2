"""Shared memory: one array for the kernel, wherever in the file it is declared."""

from __future__ import annotations

from porter.cuda.clang_cursor import Cursor, Kind, children, declaration_key
from porter.cuda.kir import Array, Declare, Storage, Variable
from porter.cuda.lower_context import Lowering


def is_shared(declaration: Cursor) -> bool:
    return any(child.kind == Kind.CUDASHARED_ATTR for child in children(declaration))


def shared_variable(ctx: Lowering, declaration: Cursor, *, at_file_scope: bool = False) -> Variable:
    """The kernel's variable for a `__shared__` one, declared where it is first met.

    It is one array however often the function that declares it is inlined. What a device function or the
    file declares is declared at the start of the kernel. `extern` arrays of one name and type are one.
    """
    type_ = ctx.type_of(declaration.type, declaration)
    dynamic = isinstance(type_, Array) and type_.shape[0] == 0
    key = declaration_key(declaration)
    if dynamic:
        key = hash(("dynamic shared", declaration.spelling, str(type_)))
    known = ctx.program.shared.get(key)
    if known is not None:
        return known
    storage = Storage.DYNAMIC_SHARED if dynamic else Storage.SHARED
    span = ctx.unit.span(declaration) if at_file_scope else ctx.span(declaration)
    variable = ctx.program.shared[key] = Variable(declaration.spelling, type_, storage, span)
    if at_file_scope:
        ctx.program.hoisted_shared.append(Declare(variable, None, span))
        return variable
    statement = Declare(variable, None, span, ctx.comments(declaration))
    if ctx.in_kernel and ctx.call_site is None:
        ctx.emit(statement)
    else:
        ctx.program.hoisted_shared.append(statement)
    return variable
