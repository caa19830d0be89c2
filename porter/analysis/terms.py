"""What the symbolic execution of a block knows about one value in one thread.

A leaf is "expression number `site` as thread `t` evaluates it", one bit of a set: bit `site * threads + t`.
A `Fold` is an associative and commutative operator over a set of leaves, each taken exactly once (at least
once where the operator is idempotent). Anything that has no such form is an `Undefined` with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from porter.cuda.kir import Scalar

IDEMPOTENT = frozenset({"min", "max", "&", "|"})
ASSOCIATIVE = frozenset({"+", "*", "min", "max", "&", "|", "^"})

Number: TypeAlias = int | float | bool


@dataclass(frozen=True)
class Fold:
    """`op` over `leaves` (and `constant`, where there is one). `op` "" is a single leaf, taken as it is."""

    op: str
    leaves: int
    constant: Number | None = None


@dataclass(frozen=True)
class Votes:
    """The mask of a ballot: the bits of the leaves' predicates; bit `i` of the mask is thread `first + i`."""

    site: int
    first: int
    lanes: int


@dataclass(frozen=True)
class Undefined:
    reason: str


Term: TypeAlias = Fold | Votes | Undefined | int | float | bool


def is_number(term: object) -> bool:
    return isinstance(term, int | float)


def combine(op: str, left: Term, right: Term, neutral: Number) -> Term:
    """`left op right`; `neutral` is the identity of `op` in the operands' type."""
    if isinstance(left, Undefined):
        return left
    if isinstance(right, Undefined):
        return right
    if isinstance(left, Votes) or isinstance(right, Votes):
        return Undefined("arithmetic on a ballot")
    if isinstance(left, Fold) and isinstance(right, Fold):
        return _join(op, left, right)
    if isinstance(left, Fold):
        assert not isinstance(right, Fold)
        return _with_constant(op, left, right, neutral)
    if isinstance(right, Fold):
        return _with_constant(op, right, left, neutral)
    return _of_numbers(op, left, right, neutral)


def _of_numbers(op: str, left: Number, right: Number, neutral: Number) -> Term:
    if left == neutral:
        return right
    if right == neutral:
        return left
    if op in ("min", "max"):
        return min(left, right) if op == "min" else max(left, right)
    return Undefined("arithmetic on numbers that differ by thread")


def _join(op: str, left: Fold, right: Fold) -> Term:
    if {left.op, right.op} - {"", op}:
        return Undefined(f"`{op}` of values that other operators already combined")
    if left.leaves & right.leaves and op not in IDEMPOTENT:
        return Undefined(f"a value enters the `{op}` twice")
    constants = [c for c in (left.constant, right.constant) if c is not None]
    if len(constants) == 2 and not (op in IDEMPOTENT and constants[0] == constants[1]):
        return Undefined("two constants enter the reduction")
    return Fold(op, left.leaves | right.leaves, constants[0] if constants else None)


def _with_constant(op: str, fold: Fold, constant: Number, neutral: Number) -> Term:
    if constant == neutral:
        return fold
    if fold.op not in ("", op):
        return Undefined(f"`{op}` of values that other operators already combined")
    if fold.constant is None or (op in IDEMPOTENT and fold.constant == constant):
        return Fold(op, fold.leaves, constant)
    return Undefined("two constants enter the reduction")


def without(whole: Term, part: Term) -> Term:
    """`whole - part` of exact integers, where `whole` is a sum that has `part` in it."""
    if (
        isinstance(whole, Fold)
        and isinstance(part, Fold)
        and whole.op in ("+", "")
        and part.op in ("+", "")
        and part.leaves & whole.leaves == part.leaves
        and part.constant in (None, whole.constant)
    ):
        rest = whole.leaves & ~part.leaves
        constant = whole.constant if part.constant is None else None
        if rest:
            return Fold("+", rest, constant)
        return 0 if constant is None else constant
    return Undefined("a difference")


def neutral(op: str, type_: Scalar) -> Number:
    """The identity of `op` in `type_`: `-inf` for the max of floats, the smallest int for the max of ints."""
    if op in ("+", "|", "^"):
        return False if type_.kind == "bool" else 0
    if op == "*":
        return 1
    if op == "&":
        return _all_ones(type_)
    if type_.kind in ("float", "bfloat"):
        return float("inf") if op == "min" else float("-inf")
    return _largest(type_) if op == "min" else _smallest(type_)


def _all_ones(type_: Scalar) -> Number:
    return -1 if type_.kind == "int" else _largest(type_)


def _largest(type_: Scalar) -> Number:
    if type_.kind == "bool":
        return True
    return (1 << (type_.bits - 1)) - 1 if type_.kind == "int" else (1 << type_.bits) - 1


def _smallest(type_: Scalar) -> Number:
    if type_.kind == "bool":
        return False
    return -(1 << (type_.bits - 1)) if type_.kind == "int" else 0
