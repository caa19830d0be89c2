"""Memory that a kernel loads in wide words and sees as numbers of 16 bits: `uint4` for eight halves.

Its C type says nothing of what it holds: random words would be NaNs, whose bits are the GPU's own choice, and
a last place of a half would be a wrong integer. Only where every access goes through such a view is the
memory one of 16-bit numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from porter.analysis.expressions import own_expressions, root, statements
from porter.analysis.walk import walk
from porter.cuda import kir
from porter.harness.dtypes import BF16, F16, ElementType

_SMALL = {kir.FLOAT16: F16, kir.BFLOAT16: BF16}


def viewed_words(kernel: kir.Kernel) -> dict[int, ElementType]:
    """Positions of the pointer parameters whose memory holds numbers of 16 bits, by the views of it."""
    body = list(statements(kernel.body))
    views = dict(_views(body))
    if not views:
        return {}
    found: dict[int, ElementType] = {}
    for position, parameter in enumerate(kernel.parameters):
        kinds = {_seen(s, parameter, body, views) for s in body if _mentions(s, _aliases(parameter, body))}
        kinds.discard("")
        if len(kinds) == 1 and isinstance(kind := kinds.pop(), ElementType) and _is_wide(parameter.type):
            found[position] = kind
    return found


def _views(body: list[kir.Stmt]) -> Iterator[tuple[kir.Variable, ElementType]]:
    """Local variables whose address is taken as one of halves, and pointers to them."""
    for node in walk(tuple(body)):
        if isinstance(node, kir.Cast) and isinstance(node.type, kir.Pointer):
            element = node.type.pointee
            element = element.element if isinstance(element, kir.Vector) else element
            base = root(node.operand)
            if isinstance(element, kir.Scalar) and element in _SMALL and _is_own(base):
                yield base.variable, _SMALL[element]


def _is_own(base: kir.Expr) -> TypeGuard[kir.VarRef]:
    """Whether it is a variable that each thread has for itself, and no pointer."""
    is_local = isinstance(base, kir.VarRef) and base.variable.storage is kir.Storage.LOCAL
    return is_local and not isinstance(base.type, kir.Pointer)


def _aliases(parameter: kir.Variable, body: list[kir.Stmt]) -> set[kir.Variable]:
    """The parameter and pointers that are made of it."""
    found = {parameter}
    while True:
        more = {
            s.variable
            for s in body
            if isinstance(s, kir.Declare)
            and isinstance(s.variable.type, kir.Pointer)
            and s.value is not None
            and any(isinstance(e, kir.VarRef) and e.variable in found for e in walk(s.value))
        } - found
        if not more:
            return found
        found |= more


def _mentions(statement: kir.Stmt, pointers: set[kir.Variable]) -> bool:
    return any(
        isinstance(e, kir.VarRef) and e.variable in pointers
        for expression in _all_expressions(statement)
        for e in walk(expression)
    )


def _all_expressions(statement: kir.Stmt) -> tuple[kir.Expr, ...]:
    target = (statement.target,) if isinstance(statement, kir.Assign) else ()
    return (*own_expressions(statement), *target)


def _seen(
    statement: kir.Stmt,
    parameter: kir.Variable,
    body: list[kir.Stmt],
    views: dict[kir.Variable, ElementType],
) -> ElementType | str:
    """What a statement that mentions the parameter takes its memory for; "" where it accesses none of it."""
    pointers = _aliases(parameter, body)
    match statement:
        case kir.Declare(variable, value) if value is not None:
            target: kir.Expr = kir.VarRef(variable, variable.type, statement.span)
        case kir.Assign(target, value):
            pass
        case _:
            return "words"
    if isinstance(target, kir.VarRef) and target.variable in pointers:
        return ""
    held, place = root(target), root(value)
    if isinstance(held, kir.VarRef) and held.variable in views and _is_access(value, place, pointers):
        return views[held.variable]
    if isinstance(place, kir.VarRef) and place.variable in views and _is_access(target, held, pointers):
        return views[place.variable]
    return "words"


def _is_access(expr: kir.Expr, base: kir.Expr, pointers: set[kir.Variable]) -> bool:
    return (
        isinstance(expr, kir.Index | kir.Member)
        and isinstance(base, kir.VarRef)
        and base.variable in pointers
    )


def _is_wide(type_: kir.Type) -> bool:
    """A pointer to words, which are no numbers of 16 bits by their own type."""
    if not isinstance(type_, kir.Pointer):
        return False
    element = type_.pointee.element if isinstance(type_.pointee, kir.Vector) else type_.pointee
    return isinstance(element, kir.Scalar) and element.bits >= 32
