"""C's operators on terms."""

from __future__ import annotations

import math

from porter.analysis.effects.terms import COMPARISONS, Number, Pool, Term
from porter.cuda.kir import BOOL, Pointer, Scalar, Type

_FOLDS = frozenset(("*", "&", "|", "^"))


def is_integer(type_: Type) -> bool:
    return isinstance(type_, Pointer) or (isinstance(type_, Scalar) and type_.kind in ("int", "uint", "bool"))


def wrapped(value: int, type_: Type) -> int:
    """`value` modulo the type's range."""
    if not isinstance(type_, Scalar) or type_.kind not in ("int", "uint"):
        return value
    low = value & ((1 << type_.bits) - 1)
    return low - (1 << type_.bits) if type_.kind == "int" and low >> (type_.bits - 1) else low


def binary(pool: Pool, op: str, left: Term, right: Term, type_: Type, operands: Type) -> Term:
    """`left op right` of type `type_`; `operands` is the type of both sides."""
    if op in COMPARISONS:
        return pool.compare(op, left, right, exact=is_integer(operands))
    if op in ("&&", "||"):
        return pool.fold("&" if op == "&&" else "|", "bool", (left, right))
    a, b = pool.value(left), pool.value(right)
    if isinstance(a, int) and isinstance(b, int) and is_integer(type_):
        computed = _of_integers(op, a, b, type_)
        return pool.undefined_value(f"`{op}` out of its range") if computed is None else pool.number(computed)
    if is_integer(type_):
        result = _of_index(pool, op, left, right, type_)
        number = pool.integer(result)
        return result if number is None else pool.number(wrapped(number, type_))
    return _of_floats(pool, op, left, right, str(type_))


def _of_integers(op: str, a: int, b: int, type_: Type) -> int | None:
    """None where C leaves the result undefined."""
    bits = type_.bits if isinstance(type_, Scalar) else 64
    if (op in ("<<", ">>") and not 0 <= b < bits) or (op in ("/", "%") and b == 0):
        return None
    if op in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrapped(quotient if op == "/" else a - quotient * b, type_)
    value = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "&": lambda: a & b,
        "|": lambda: a | b,
        "^": lambda: a ^ b,
        "<<": lambda: a << b,
        ">>": lambda: a >> b,
    }[op]()
    return wrapped(value, type_)


def _of_index(pool: Pool, op: str, left: Term, right: Term, type_: Type) -> Term:
    a, b = pool.integer(left), pool.integer(right)
    if op in ("+", "-"):
        return pool.plus(left, right, 1 if op == "+" else -1)
    if op == "*" and (a is not None or b is not None):
        return pool.scaled(right, a) if a is not None else pool.scaled(left, b or 0)
    if op == "<<" and b is not None and 0 <= b < 31:
        return pool.scaled(left, 1 << b)
    if op == "&":
        masked = _ballot_and(pool, left, right)
        if masked is not None:
            return masked
    if b is not None:
        split = _split(pool, op, left, b)
        if split is not None:
            return split
    if op in _FOLDS:
        return pool.fold(op, str(type_), (left, right))
    return pool.make("operator", (op, str(type_)), (left, right))


def _split(pool: Pool, op: str, term: Term, amount: int) -> Term | None:
    """Division by a constant that divides every coefficient, of a sum that is not negative."""
    is_low_mask = op == "&" and amount > 0 and amount & (amount + 1) == 0
    if op not in ("/", "%", ">>") and not is_low_mask:
        return None
    divisor = amount + 1 if is_low_mask else 1 << amount if op == ">>" and 0 <= amount < 31 else amount
    constant, coefficients = pool.parts(term)
    if divisor <= 0 or constant < 0 or not coefficients:
        return None
    if any(c < 0 or c % divisor or not _is_natural(pool, t) for t, c in coefficients.items()):
        return None
    if op in ("/", ">>"):
        return pool.linear(constant // divisor, {t: c // divisor for t, c in coefficients.items()})
    return pool.number(constant % divisor)


def _is_natural(pool: Pool, term: Term) -> bool:
    """Indices and sizes of the grid are never negative."""
    node = pool.nodes[term]
    return node.kind == "symbol" and node.payload[0] in ("blockIdx", "gridDim")


def _is_place(pool: Pool, term: Term) -> bool:
    """A sum over the grid's indices and sizes, which no narrower type of an index cuts."""
    _, coefficients = pool.parts(term)
    return bool(coefficients) and all(_is_natural(pool, t) for t in coefficients)


def _keeps_value(pool: Pool, term: Term, type_: Scalar) -> bool:
    """Whether a sum is the same number in a wider type: it counts no more conditions than it has room for.

    A ballot of a signed type would get its sign's bit again and again.
    """
    if pool.nodes[term].kind == "ballot":
        return type_.kind == "uint"
    constant, coefficients = pool.parts(term)
    most = abs(constant)
    for own, coefficient in coefficients.items():
        if type_.kind == "uint" and coefficient < 0:
            return False
        if pool.is_condition(own):
            most += abs(coefficient)
        elif not _is_natural(pool, own):
            return False
    return most < 1 << (type_.bits - 1) and (type_.kind == "int" or constant >= 0)


def _ballot_and(pool: Pool, left: Term, right: Term) -> Term | None:
    """A ballot and a number: the votes of the lanes whose bits are set."""
    for ballot, mask in ((left, pool.integer(right)), (right, pool.integer(left))):
        node = pool.nodes[ballot]
        if node.kind == "ballot" and mask is not None:
            no = pool.number(0)
            votes = tuple(v if mask >> lane & 1 else no for lane, v in enumerate(node.children))
            return pool.make("ballot", (), votes)
    return None


def population(pool: Pool, term: Term) -> Term | None:
    """How many bits are set in a number or a ballot."""
    value = pool.integer(term)
    if value is not None:
        return pool.number((value & (1 << 64) - 1).bit_count())
    node = pool.nodes[term]
    if node.kind != "ballot":
        return None
    total = pool.number(0)
    for vote in node.children:
        total = pool.plus(total, vote)
    return total


def _of_floats(pool: Pool, op: str, left: Term, right: Term, type_: str) -> Term:
    if op == "-":
        return pool.fold("+", type_, (left, negative(pool, right, type_)))
    if op in ("+", "*"):
        return pool.fold(op, type_, (left, right))
    return pool.make("operator", (op, type_), (left, right))


def negative(pool: Pool, term: Term, type_: str) -> Term:
    value = pool.value(term)
    return pool.number(-value) if value is not None else pool.make("negative", (type_,), (term,))


def cast(pool: Pool, term: Term, from_: Type, to: Type) -> Term:
    """A conversion; between integers of one width, or to a wider type of the same value, it changes nothing.

    A sum is known only modulo its width, so that the wider value of a sum is not the sum of wider values.
    """
    if str(from_) == str(to) or (isinstance(from_, Pointer) and isinstance(to, Pointer)):
        return term
    value = pool.value(term)
    if value is not None and isinstance(to, Scalar):
        return pool.number(_converted(value, to))
    if to == BOOL:
        if pool.is_condition(term):
            return term
        return pool.compare("!=", term, pool.number(0), exact=is_integer(from_))
    if isinstance(from_, Scalar) and isinstance(to, Scalar) and is_integer(from_) and is_integer(to):
        if to.bits == from_.bits or from_ == BOOL or _is_place(pool, term):
            return term
        if to.bits > from_.bits and _keeps_value(pool, term, from_):
            return term
        if pool.nodes[term].kind == "ballot":
            return pool.undefined_value("a ballot that is kept in fewer bits than a wavefront has lanes")
    return pool.make("cast", (str(from_), str(to)), (term,))


def _converted(value: Number, to: Scalar) -> Number:
    if to == BOOL:
        return int(value != 0)
    if to.kind in ("float", "bfloat"):
        return float(value)
    return wrapped(math.trunc(value), to) if math.isfinite(value) else 0
