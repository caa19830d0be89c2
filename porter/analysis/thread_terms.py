"""What the threads of a block compute, as one tree for all of them: the shape is common, the numbers differ.

A `Term` has a head that says what it is (a load from a buffer, an operator, a constant), parts, and
polynomials with a coefficient for each thread. Two threads that load from other places have one term.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from porter.analysis.thread_polynomials import Numbers, Polynomial, number, same, where
from porter.cuda.kir import BOOL, Expr, Type

Mask: TypeAlias = npt.NDArray[np.bool_]
Head: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Term:
    """`head[0]` is one of

    - `int`: an integer, `numbers[0]`; `uniform`: an expression with one value for the block, `expr`
    - `const`: a number that is no integer; `undefined`: nothing was stored, `head[1]` says where
    - `load`: the element `numbers[0]` of the buffer `head[1]`; `pointer`: its address
    - `positive`, `zero`: whether `numbers[0]` is; `and`, `or`, `not`
    - `op`, `call`, `cast`, `select`: as in kernel IR, over the parts
    - `accumulator`: what the sum `numbers[0]` of thread `numbers[1]` holds after all rounds of the loop
    - `bundle`: the elements of a vector
    """

    head: Head
    type: Type
    parts: tuple[Term, ...] = ()
    numbers: tuple[Polynomial, ...] = ()
    expr: Expr | None = None

    @property
    def kind(self) -> object:
        return self.head[0]


@dataclass(frozen=True, eq=False)
class Product:
    """`left * right` where all of `guards` hold, else nothing."""

    left: Term
    right: Term
    guards: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Sum:
    """`base` and the products that were added to it, in their order."""

    base: Term
    products: tuple[Product, ...]
    type: Type


Value: TypeAlias = Term | Sum


def integer(polynomial: Polynomial, type_: Type) -> Term:
    return Term(("int",), type_, (), (polynomial,))


def undefined(what: str, type_: Type) -> Term:
    return Term(("undefined", what), type_)


def truth(value: bool) -> Term:
    return Term(("int",), BOOL, (), (number(int(value)),))


def is_same(a: Value, b: Value) -> bool:
    """One value in every thread."""
    if a is b:
        return True
    if isinstance(a, Sum) or isinstance(b, Sum):
        return False
    return (
        a.head == b.head
        and len(a.parts) == len(b.parts)
        and len(a.numbers) == len(b.numbers)
        and all(same(p, q) for p, q in zip(a.numbers, b.numbers, strict=True))
        and all(is_same(p, q) for p, q in zip(a.parts, b.parts, strict=True))
    )


def fingerprint(term: Term) -> Hashable:
    """Equal for two terms if and only if they are the same."""
    numbers = tuple(frozenset(_coefficients(n)) for n in term.numbers)
    return term.head, numbers, tuple(fingerprint(p) for p in term.parts)


def _coefficients(number_: Polynomial) -> Iterator[Hashable]:
    for monomial, coefficient in number_.terms.items():
        values = np.asarray(coefficient, dtype=np.int64).ravel()
        if bool((values == values[0]).all()):
            values = values[:1]
        if len(values) > 1 or values[0]:
            yield monomial, values.tobytes()


def has_shape_of(a: Term, b: Term) -> bool:
    """The same but for the numbers."""
    return a is b or (
        a.head == b.head
        and len(a.parts) == len(b.parts)
        and len(a.numbers) == len(b.numbers)
        and all(has_shape_of(p, q) for p, q in zip(a.parts, b.parts, strict=True))
    )


def map_numbers(term: Term, change: Callable[[Polynomial], Polynomial]) -> Term:
    if not term.numbers and not term.parts:
        return term
    parts = tuple(map_numbers(p, change) for p in term.parts)
    return replace(term, parts=parts, numbers=tuple(change(n) for n in term.numbers))


def of_threads(term: Term, threads: Numbers) -> Term:
    return map_numbers(term, lambda n: n.of_threads(threads))


def joined(a: Term, b: Term, join: Callable[[Polynomial, Polynomial], Polynomial]) -> Term | None:
    """Two terms of one shape with each pair of numbers joined; None where the shapes differ."""
    if a is b and not _numbered(a):
        return a
    if a.head != b.head or len(a.parts) != len(b.parts) or len(a.numbers) != len(b.numbers):
        return None
    parts = tuple(joined(p, q, join) for p, q in zip(a.parts, b.parts, strict=True))
    if any(p is None for p in parts):
        return None
    numbers = tuple(join(p, q) for p, q in zip(a.numbers, b.numbers, strict=True))
    return replace(a, parts=tuple(p for p in parts if p is not None), numbers=numbers)


def blend(mask: Mask, a: Term, b: Term) -> Term | None:
    """`a` in the threads of `mask`, `b` in the others; None where they are not of one shape."""
    return joined(a, b, lambda p, q: where(mask, p, q))


def polynomials(term: Term) -> tuple[Polynomial, ...]:
    """Every number in the term, in a fixed order."""
    return (*term.numbers, *(n for part in term.parts for n in polynomials(part)))


def is_uniform(term: Term) -> bool:
    return all(n.is_uniform for n in polynomials(term))


def is_nothing(term: Term) -> bool:
    """The number zero in every thread."""
    if term.kind == "const":
        return term.head[1] in ("0.0", "-0.0", "0")
    value = term.numbers[0].constant if term.kind == "int" else None
    return isinstance(value, int) and value == 0


def mentions(term: Term, kind: str) -> bool:
    return term.kind == kind or any(mentions(part, kind) for part in term.parts)


def _numbered(term: Term) -> bool:
    return bool(term.numbers) or any(_numbered(part) for part in term.parts)


# --- conditions --------------------------------------------------------------------------------------


def negation(condition: Term) -> Term:
    known = constant_of(condition)
    if known is not None:
        return integer(number(1) - condition.numbers[0], BOOL)
    if condition.kind == "not":
        return condition.parts[0]
    if condition.kind == "positive":  # not (p > 0) is 1 - p > 0
        return positive(number(1) - condition.numbers[0])
    return Term(("not",), BOOL, (condition,))


def positive(polynomial: Polynomial) -> Term:
    value = polynomial.constant
    if value is not None:
        return integer(number(_as_numbers(np.asarray(value) > 0)), BOOL)
    return Term(("positive",), BOOL, (), (polynomial,))


def zero(polynomial: Polynomial) -> Term:
    value = polynomial.constant
    if value is not None:
        return integer(number(_as_numbers(np.asarray(value) == 0)), BOOL)
    return Term(("zero",), BOOL, (), (polynomial,))


def _as_numbers(mask: npt.NDArray[np.bool_]) -> int | Numbers:
    return int(mask) if mask.ndim == 0 else mask.astype(np.int64)


def constant_of(condition: Term) -> int | Numbers | None:
    """The truth of a known condition."""
    return condition.numbers[0].constant if condition.kind == "int" else None


def both(a: Term, b: Term) -> Term:
    return _connected("and", a, b, absorbing=0)


def either(a: Term, b: Term) -> Term:
    return _connected("or", a, b, absorbing=1)


def _connected(kind: str, a: Term, b: Term, absorbing: int) -> Term:
    known = (constant_of(a), constant_of(b))
    for mine, other in ((0, b), (1, a)):
        value = known[mine]
        if isinstance(value, int):
            return truth(bool(absorbing)) if value == absorbing else other
    if known[0] is not None and known[1] is not None:
        combine = np.minimum if kind == "and" else np.maximum
        return integer(number(combine(known[0], known[1])), BOOL)
    return Term((kind,), BOOL, (a, b))


def conjuncts(condition: Term) -> tuple[Term, ...]:
    if condition.kind == "and":
        return tuple(c for part in condition.parts for c in conjuncts(part))
    if condition.kind == "not" and condition.parts[0].kind == "or":
        return tuple(c for part in condition.parts[0].parts for c in conjuncts(negation(part)))
    return (condition,)


def choice(condition: Term, if_true: Term, if_false: Term) -> Term:
    """`condition ? if_true : if_false`, simplified."""
    known = constant_of(condition)
    if isinstance(known, int):
        return if_true if known else if_false
    if is_same(if_true, if_false):
        return if_true
    if if_false.kind == "select":
        inner, a, b = if_false.parts
        if is_same(inner, negation(condition)):
            return choice(condition, if_true, a)
        if is_same(inner, condition):
            return choice(condition, if_true, b)
    if condition.kind == "not":
        return choice(condition.parts[0], if_false, if_true)
    return Term(("select",), if_true.type, (condition, if_true, if_false))


def implies(a: Term, b: Term) -> bool:
    """Whether `b` holds in every thread in which `a` does."""
    if a.kind == b.kind == "positive":
        gap = (b.numbers[0] - a.numbers[0]).constant
        return gap is not None and bool(np.all(np.asarray(gap) >= 0))
    return is_same(a, b)
