"""Which variables a function may change: a variable it never changes can stand for its value anywhere."""

from __future__ import annotations

from porter.cuda.clang_cursor import (
    Cursor,
    Kind,
    binary_operator,
    children,
    declaration_key,
    unary_operator,
)

_ASSIGNING = (Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR, Kind.BINARY_OPERATOR)


def assigned_declarations(function: Cursor) -> frozenset[int]:
    """Keys of the variables a function stores to, increments, or hands out by reference or address."""
    found: set[int] = set()
    _collect_assigned(function, found)
    return frozenset(found)


def _collect_assigned(cursor: Cursor, found: set[int]) -> None:
    for child in children(cursor):
        if child.kind in _ASSIGNING and _stores(child):
            _add_target(children(child)[0], found)
        elif child.kind == Kind.CALL_EXPR:
            for argument in children(child):
                _add_target(argument, found)
        elif child.kind == Kind.VAR_DECL and child.type.spelling.rstrip().endswith("&"):
            for initialiser in children(child):
                _add_target(initialiser, found)
        _collect_assigned(child, found)


def _stores(cursor: Cursor) -> bool:
    if cursor.kind == Kind.UNARY_OPERATOR:
        return unary_operator(cursor) in ("p++", "p--", "++p", "--p", "&")
    return cursor.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR or binary_operator(cursor) == "="


def _add_target(cursor: Cursor, found: set[int]) -> None:
    """The variable at the root of an lvalue; an implicit conversion in between makes it a read."""
    while cursor.kind in (Kind.PAREN_EXPR, Kind.MEMBER_REF_EXPR, Kind.ARRAY_SUBSCRIPT_EXPR):
        inner = children(cursor)
        if not inner:
            return
        cursor = inner[0]
        if cursor.kind == Kind.UNEXPOSED_EXPR and _is_decay(cursor):
            cursor = children(cursor)[0]
    if cursor.kind == Kind.DECL_REF_EXPR and cursor.referenced is not None:
        found.add(declaration_key(cursor.referenced))


def _is_decay(cursor: Cursor) -> bool:
    inner = children(cursor)
    return len(inner) == 1 and "[" in inner[0].type.spelling
