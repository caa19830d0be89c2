"""Variables outside functions: constants fold, `__constant__` and `__device__` ones become globals, and
`__shared__` ones the kernel's own."""

from __future__ import annotations

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, TypeKind, canonical, children, declaration_key, evaluate
from porter.cuda.kir import Array, Scalar, Storage, Type, Variable
from porter.cuda.lower_context import Decline, Lowering
from porter.cuda.lower_shared import is_shared, shared_variable
from porter.cuda.lower_types import has_virtual_functions, is_erased, strip_reference

Elements = tuple[int | float, ...]

_DEVICE_SPACES = {Kind.CUDACONSTANT_ATTR: Storage.CONSTANT, Kind.CUDADEVICE_ATTR: Storage.GLOBAL}


def constant_value(declaration: Cursor) -> int | float | None:
    """The value of a const arithmetic variable with a constant initialiser; None for everything else."""
    type_ = canonical(declaration.type)
    if not type_.is_const_qualified() or type_.is_volatile_qualified():
        return None
    if storage_of(declaration) is not None or type_.kind in (TypeKind.POINTER, TypeKind.RECORD):
        return None
    if type_.kind == TypeKind.CONSTANTARRAY:
        return None
    return evaluate(declaration)


def storage_of(declaration: Cursor) -> Storage | None:
    for child in children(declaration):
        if child.kind in _DEVICE_SPACES:
            return _DEVICE_SPACES[child.kind]
    return None


def global_variable(ctx: Lowering, declaration: Cursor, at: Cursor) -> Variable:
    """The kernel's variable for one outside functions; declines for host ones, which no kernel can read."""
    key = declaration_key(declaration)
    known = ctx.program.globals.get(key)
    if known is not None:
        return known
    if is_shared(declaration):
        return shared_variable(ctx, declaration, at_file_scope=True)
    storage = storage_of(declaration)
    initial = constant_elements(declaration)
    if storage is None and initial is not None and is_constant_array(declaration):
        storage = Storage.CONSTANT
    if storage is None and _is_local(declaration):
        if is_erased(declaration.type):
            raise _without_an_address(ctx, declaration, at)
        raise captured_from_host(ctx, declaration.spelling, at)
    if storage is None:
        raise ctx.decline("TIL001", f"`{declaration.spelling}` is a variable of the host", at)
    type_ = ctx.type_of(declaration.type, declaration)
    variable = Variable(declaration.spelling, type_, storage, ctx.span(declaration), typed(initial, type_))
    ctx.program.globals[key] = variable
    return variable


def typed(elements: Elements | None, type_: Type) -> Elements | None:
    """Initial elements in the type of the array: `{1, 2}` of a float array are floats."""
    element = type_.element if isinstance(type_, Array) else type_
    if elements is None or not isinstance(element, Scalar):
        return elements
    nowhere = Span("", 0, 0, 1, 1)
    return tuple(build.constant(e, element, nowhere).value for e in elements)


def captured_from_host(ctx: Lowering, name: str, at: Cursor) -> Decline:
    message = f"`{name}` is captured from host code"
    return ctx.decline("TIL019", message, at, "pass it as an argument of the kernel or of a functor")


def _without_an_address(ctx: Lowering, declaration: Cursor, at: Cursor) -> Decline:
    """An object of which the IR keeps nothing is pointed to: with virtual functions, to tell its class."""
    name, of_class = declaration.spelling, strip_reference(declaration.type)
    if has_virtual_functions(of_class):
        message = f"`{name}` is pointed to, and `{of_class.spelling}` has virtual functions"
        return ctx.decline("TIL006", message, at)
    return ctx.decline("TIL017", f"`{name}` is pointed to, and has nothing that is kept at run time", at)


def _is_local(declaration: Cursor) -> bool:
    return declaration.semantic_parent.kind in (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR)


def is_constant_array(declaration: Cursor) -> bool:
    """Whether no element can be stored to; libclang puts the `const` on the array or on its elements."""
    type_ = canonical(declaration.type)
    while type_.kind == TypeKind.CONSTANTARRAY:
        if type_.is_const_qualified():
            return True
        type_ = canonical(type_.element_type)
    return bool(type_.is_const_qualified())


def constant_elements(declaration: Cursor) -> tuple[int | float, ...] | None:
    """The elements of a constant initialiser list, row-major, missing ones zero; None for any other."""
    lists = [c for c in children(declaration) if c.kind == Kind.INIT_LIST_EXPR]
    if not lists:
        value = None if canonical(declaration.type).kind == TypeKind.CONSTANTARRAY else _scalar(declaration)
        return None if value is None else (value,)
    return _elements(lists[-1], canonical(declaration.type))


def _scalar(declaration: Cursor) -> int | float | None:
    return evaluate(declaration) if any(c.kind.is_expression() for c in children(declaration)) else None


def _elements(cursor: Cursor, type_: object) -> tuple[int | float, ...] | None:
    resolved = canonical(type_)
    if resolved.kind != TypeKind.CONSTANTARRAY:
        value = evaluate(cursor)
        return None if value is None else (value,)
    if cursor.kind != Kind.INIT_LIST_EXPR:
        return None
    element = canonical(resolved.element_type)
    found: list[int | float] = []
    for child in children(cursor):
        part = _elements(child, element)
        if part is None:
            return None
        found += part
    missing = _count(resolved) - len(found)
    return (*found, *([0] * missing))


def _count(type_: object) -> int:
    resolved = canonical(type_)
    if resolved.kind != TypeKind.CONSTANTARRAY:
        return 1
    return int(resolved.element_count) * _count(resolved.element_type)
