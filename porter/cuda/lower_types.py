"""C++ types to KIR types: built-in vectors are `Vector`, other records `Struct`, references their target."""

from __future__ import annotations

import re

from porter.cuda.clang_cursor import ClangType, Cursor, Kind, TypeKind, canonical, children
from porter.cuda.kir import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    Void,
)
from porter.cuda.union_storage import union_storage


class UnsupportedType(Exception):
    """A type the kernel IR cannot say; the text is for the user."""

    def __init__(self, message: str, code: str = "TIL002") -> None:
        super().__init__(message)
        self.code = code


_SCALARS: dict[TypeKind, Scalar] = {
    TypeKind.BOOL: BOOL,
    TypeKind.CHAR_S: Scalar("int", 8),
    TypeKind.SCHAR: Scalar("int", 8),
    TypeKind.CHAR_U: Scalar("uint", 8),
    TypeKind.UCHAR: Scalar("uint", 8),
    TypeKind.SHORT: Scalar("int", 16),
    TypeKind.USHORT: Scalar("uint", 16),
    TypeKind.WCHAR: INT32,
    TypeKind.CHAR16: Scalar("uint", 16),
    TypeKind.CHAR32: UINT32,
    TypeKind.INT: INT32,
    TypeKind.UINT: UINT32,
    TypeKind.LONG: INT64,
    TypeKind.ULONG: UINT64,
    TypeKind.LONGLONG: INT64,
    TypeKind.ULONGLONG: UINT64,
    TypeKind.HALF: FLOAT16,
    TypeKind.FLOAT: FLOAT32,
    TypeKind.DOUBLE: FLOAT64,
}
# libclang 18 has no kind of its own for the compiler's 16-bit floats.
_SCALARS_BY_NAME = {"_Float16": FLOAT16, "__bf16": BFLOAT16}

_VECTOR_ELEMENTS: dict[str, Scalar] = {
    "char": Scalar("int", 8),
    "uchar": Scalar("uint", 8),
    "short": Scalar("int", 16),
    "ushort": Scalar("uint", 16),
    "int": INT32,
    "uint": UINT32,
    "long": INT64,
    "ulong": UINT64,
    "longlong": INT64,
    "ulonglong": UINT64,
    "float": FLOAT32,
    "double": FLOAT64,
}
_SPECIAL_VECTORS: dict[str, Vector] = {
    "dim3": Vector(UINT32, 3),
    "__half2": Vector(FLOAT16, 2),
    "__nv_bfloat162": Vector(BFLOAT16, 2),
}
_VECTOR_NAME = re.compile(r"(u?(?:char|short|int|long|longlong)|float|double)([1-4])$")
# A coalesced group has a value: the mask of its threads.
_GROUP = re.compile(r"cooperative_groups::(?!coalesced_group\b)(\w+)(?:<(\d+))?")
REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)


def unqualified(type_: ClangType) -> str:
    text = str(canonical(type_).spelling)
    return re.sub(r"\b(const|volatile|struct|class|__restrict)\b ?", "", text).strip()


def strip_reference(type_: ClangType) -> ClangType:
    resolved = canonical(type_)
    return canonical(resolved.get_pointee()) if resolved.kind in REFERENCES else resolved


def is_reference(type_: ClangType) -> bool:
    return canonical(type_).kind in REFERENCES


def is_mutable_reference(type_: ClangType) -> bool:
    return is_reference(type_) and not strip_reference(type_).is_const_qualified()


def group_of(type_: ClangType) -> tuple[str, int | None] | None:
    """The cooperative group a type is, with its tile width: `("thread_block_tile", 32)`; None for others."""
    match = _GROUP.match(unqualified(strip_reference(type_)))
    return None if match is None else (match.group(1), int(match.group(2)) if match.group(2) else None)


def is_erased(type_: ClangType) -> bool:
    """Types without a value at run time: cooperative groups, closures, records and unions of such."""
    target = strip_reference(type_)
    if target.kind != TypeKind.RECORD:
        return False
    if group_of(target) is not None or "(lambda at " in target.spelling:
        return True
    fields = record_fields(target)
    is_empty_union = not fields and target.get_declaration().kind == Kind.UNION_DECL
    return not is_empty_union and all(is_erased(_element(f.type)) for f in fields)


def _element(type_: ClangType) -> ClangType:
    """What an array is of in the end; another type itself."""
    type_ = canonical(type_)
    while type_.kind == TypeKind.CONSTANTARRAY:
        type_ = canonical(type_.element_type)
    return type_


def has_virtual_functions(type_: ClangType) -> bool:
    """Whether a class, or one that it is derived from, has a virtual function."""
    members = children(type_.get_declaration())
    own = any(m.kind == Kind.CXX_METHOD and m.is_virtual_method() for m in members)
    bases = (canonical(m.type) for m in members if m.kind == Kind.CXX_BASE_SPECIFIER)
    return own or any(map(has_virtual_functions, bases))


def is_closure(type_: ClangType) -> bool:
    return "(lambda at " in str(strip_reference(type_).spelling)


def is_union(type_: ClangType) -> bool:
    return bool(strip_reference(type_).get_declaration().kind == Kind.UNION_DECL)


def vector_named(name: str) -> Vector | None:
    if name in _SPECIAL_VECTORS:
        return _SPECIAL_VECTORS[name]
    match = _VECTOR_NAME.match(name)
    return Vector(_VECTOR_ELEMENTS[match.group(1)], int(match.group(2))) if match else None


def lower_type(type_: ClangType) -> Type:
    """Raises UnsupportedType for function pointers, textures and what libclang could not resolve."""
    resolved = strip_reference(type_)
    kind = resolved.kind
    if kind in _SCALARS:
        return _SCALARS[kind]
    if kind == TypeKind.POINTER:
        return _pointer(resolved)
    if kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY):
        return _array(resolved)
    if kind == TypeKind.RECORD:
        return _record(resolved)
    return _other(resolved)


def _other(resolved: ClangType) -> Type:
    name = unqualified(resolved)
    if name in _SCALARS_BY_NAME:
        return _SCALARS_BY_NAME[name]
    if resolved.kind == TypeKind.VOID:
        return Void()
    if resolved.kind == TypeKind.ENUM:
        return lower_type(resolved.get_declaration().enum_type)
    if resolved.kind == TypeKind.NULLPTR:
        return Pointer(Void())
    raise UnsupportedType(f"the type `{resolved.spelling}` has no counterpart in the kernel IR")


def _pointer(resolved: ClangType) -> Pointer:
    target = canonical(resolved.get_pointee())
    if target.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
        raise UnsupportedType("function pointers cannot be followed", "TIL003")
    if target.kind == TypeKind.RECORD and _refers_to_itself(target):
        return Pointer(Struct(unqualified(target), ()), target.is_const_qualified())
    return Pointer(lower_type(target), target.is_const_qualified())


def _refers_to_itself(record: ClangType) -> bool:
    """Linked structures would be infinite types; their pointers point to a struct without fields."""
    name = unqualified(record)
    return any(
        canonical(f.type).kind == TypeKind.POINTER and unqualified(canonical(f.type).get_pointee()) == name
        for f in record_fields(record)
    )


def _array(resolved: ClangType) -> Array:
    shape: list[int] = []
    element = resolved
    while element.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        shape.append(element.element_count if element.kind == TypeKind.CONSTANTARRAY else 0)
        element = canonical(element.element_type)
    if element.kind == TypeKind.VARIABLEARRAY:
        raise UnsupportedType("an array whose length is not a constant")
    return Array(lower_type(element), tuple(shape))


def record_fields(record: ClangType) -> list[Cursor]:
    """The fields of a record, its base classes' first."""
    fields: list[Cursor] = []
    for child in children(record.get_declaration()):
        if child.kind == Kind.CXX_BASE_SPECIFIER:
            fields += record_fields(canonical(child.type))
    return fields + list(canonical(record).get_fields())


def _union(resolved: ClangType, name: str) -> Type:
    fields = [f for f in record_fields(resolved) if not is_erased(f.type)]
    if any(f.is_bitfield() for f in fields):
        raise UnsupportedType(f"`{name}` has bit fields")
    storage = union_storage([lower_type(f.type) for f in fields], max(resolved.get_size(), 0))
    if storage is None:
        raise UnsupportedType(f"the union `{name}` has no member that can be kept")
    return storage


def _record(resolved: ClangType) -> Type:
    name = unqualified(resolved)
    vector = vector_named(name)
    if vector is not None:
        return vector
    if is_union(resolved):
        return _union(resolved, name)
    if "texture" in name.lower() or "surface" in name.lower():
        raise UnsupportedType(f"`{name}` is a texture or surface", "TIL010")
    fields = record_fields(resolved)
    if any(f.is_bitfield() for f in fields):
        raise UnsupportedType(f"`{name}` has bit fields")
    lowered = tuple((f.spelling, lower_type(f.type)) for f in fields if not is_erased(f.type))
    offsets = tuple(f.get_field_offsetof() // 8 for f in fields if not is_erased(f.type))
    return Struct(name, lowered, max(resolved.get_size(), 0), offsets)
