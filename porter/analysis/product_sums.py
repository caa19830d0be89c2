"""Sums of products, apart from other operations."""

from __future__ import annotations

from porter.analysis.thread_terms import (
    Product,
    Sum,
    Term,
    Value,
    choice,
    is_nothing,
    mentions,
    undefined,
)
from porter.cuda.kir import Type


def added(first: Value, second: Value, type_: Type) -> Sum | None:
    """`first + second` as one more product of a sum; None for any other addition."""
    for base, more in ((first, second), (second, first)):
        if isinstance(more, Term) and more.head[:2] == ("op", "*") and _is_data(more):
            product = Product(more.parts[0], more.parts[1], ())
            if isinstance(base, Sum):
                return Sum(base.base, (*base.products, product), type_)
            return Sum(base, (product,), type_)
        if isinstance(more, Sum) and is_nothing(more.base):
            if isinstance(base, Sum):
                return Sum(base.base, (*base.products, *more.products), type_)
            return Sum(base, more.products, type_)
    return None


def _is_data(product: Term) -> bool:
    return len(product.parts) == 2 and not any(mentions(p, "accumulator") for p in product.parts)


def plain(value: Value) -> Term:
    """A sum as the operations that it is."""
    if isinstance(value, Term):
        return value
    total = value.base
    for product in value.products:
        part = Term(("op", "*", value.type), value.type, (product.left, product.right))
        for guard in product.guards:
            part = choice(guard, part, undefined("a product under a condition", value.type))
        total = Term(("op", "+", value.type), value.type, (total, part))
    return total
