"""The values of a running softmax, as what they are whatever the maximum is that they are relative to.

`exp(a - b)` is the quotient of `exp(a)` and `exp(b)`. So `acc * exp(m - n) + exp(s - n) * v`, where `acc` is
a sum over `exp(m)`, is that sum and `exp(s) * v` over `exp(n)`: what rescaling does cancels, term by term.
Scores are numbered; so are the conditions under which they exist.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from porter.analysis.thread_terms import Term, is_same

Base: TypeAlias = "tuple[str, str] | None"
Conditions: TypeAlias = frozenset[int]


class NoSoftmax(Exception):
    """A combination of values that no running softmax has."""


@dataclass(frozen=True)
class Member:
    """A score that counts where all conditions hold; elsewhere it is `-inf`."""

    score: int
    conditions: Conditions = frozenset()


@dataclass(frozen=True)
class Maximum:
    """The largest of the members and `base`: None for `-inf`, else a number or what was before the loop."""

    base: Base = None
    members: frozenset[Member] = frozenset()


@dataclass(frozen=True)
class Difference:
    """`of - less`, times `scale`."""

    of: Maximum
    less: Maximum
    scale: Term | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """`exp(member) * factor`; no member: 1, no factor: 1. `old`: the sum of this number before the loop."""

    member: Member | None = None
    factor: Term | None = None
    old: int | None = None


@dataclass(frozen=True, eq=False)
class Weighted:
    """`exp(over) / exp(under)` times the sum of the parts."""

    parts: tuple[Part, ...]
    over: Maximum | None = None
    under: Maximum | None = None


Softmax: TypeAlias = Maximum | Difference | Weighted
NOTHING = Weighted(())
_ONE = Part()


def largest(a: Maximum, b: Maximum) -> Maximum:
    if a.base is not None and b.base is not None and a.base != b.base:
        raise NoSoftmax("a maximum of several numbers")
    return Maximum(a.base if a.base is not None else b.base, a.members | b.members)


def exponential(value: Difference) -> Weighted:
    return Weighted((_ONE,), value.of, value.less)


def product(a: Weighted, b: Weighted) -> Weighted:
    """One of the two is a mere exponential."""
    if a is NOTHING or b is NOTHING:
        return NOTHING
    if not _is_exponential(b):
        a, b = b, a
    if not _is_exponential(b):
        raise NoSoftmax("a product of two sums")
    over = [m for m in (a.over, b.over) if m is not None]
    under = [m for m in (a.under, b.under) if m is not None]
    for maximum in list(over):
        if maximum in under:
            over.remove(maximum)
            under.remove(maximum)
    if len(over) > 1 or len(under) > 1:
        raise NoSoftmax("weights that are relative to several maxima")
    return Weighted(a.parts, over[0] if over else None, under[0] if under else None)


def scaled(value: Weighted, factor: Term) -> Weighted:
    """Every part times a factor that is no weight."""
    if any(part.old is not None or part.factor is not None for part in value.parts):
        raise NoSoftmax("a weighted sum that is multiplied by something else than weights")
    value = _distributed(value)
    return replace(value, parts=tuple(replace(part, factor=factor) for part in value.parts))


def total(a: Weighted, b: Weighted) -> Weighted:
    a, b = _distributed(a), _distributed(b)
    if not a.parts or not b.parts:
        return a if a.parts else b
    if a.over is not None or b.over is not None or a.under != b.under:
        raise NoSoftmax("a sum of weights that are relative to different maxima")
    return replace(a, parts=(*a.parts, *b.parts))


def chosen(conditions: Conditions, then: Softmax, other: Softmax) -> Softmax:
    """`then` where the conditions hold, else `other`, which lacks what only they add."""
    if then is other:
        return then
    if isinstance(then, Maximum) and isinstance(other, Maximum):
        return _chosen_maximum(conditions, then, other)
    if isinstance(then, Weighted) and isinstance(other, Weighted):
        return _chosen_sum(conditions, then, other)
    raise NoSoftmax("a choice between a maximum and a weight")


def _chosen_maximum(conditions: Conditions, then: Maximum, other: Maximum) -> Maximum:
    if then.base != other.base or not other.members <= then.members:
        raise NoSoftmax("a choice between two maxima, of which none has all scores of the other")
    more = (replace(m, conditions=m.conditions | conditions) for m in then.members - other.members)
    return Maximum(then.base, other.members.union(more))


def _chosen_sum(conditions: Conditions, then: Weighted, other: Weighted) -> Weighted:
    then, other = _distributed(then), _distributed(other)
    count = len(other.parts)
    goes_on = len(then.parts) >= count and all(map(_is_one, then.parts, other.parts))
    if then.over is not None or other.over is not None or not goes_on:
        raise NoSoftmax("a choice between two sums, of which none has all weights of the other")
    more = tuple(_under(part, conditions) for part in then.parts[count:])
    if then.under is not None and not other.parts and other.under is None:
        return Weighted(more, None, _chosen_maximum(conditions, then.under, Maximum(then.under.base)))
    if then.under is None or other.under is None:
        raise NoSoftmax("a choice between sums that are relative to different maxima")
    return Weighted((*other.parts, *more), None, _chosen_maximum(conditions, then.under, other.under))


def _is_one(a: Part, b: Part) -> bool:
    if a is b:
        return True
    if a.factor is None or b.factor is None:
        return a.member == b.member and a.old == b.old and a.factor is b.factor
    return a.member == b.member and a.old == b.old and is_same(a.factor, b.factor)


def _under(part: Part, conditions: Conditions) -> Part:
    if part.member is None:
        raise NoSoftmax("a sum that goes on under a condition only")
    return replace(part, member=replace(part.member, conditions=part.member.conditions | conditions))


def _is_exponential(value: Weighted) -> bool:
    return value.parts == (_ONE,)


def _distributed(value: Weighted) -> Weighted:
    """The exponential of one score as a part: it is what the sum is about."""
    over = value.over
    if over is None or over.base is not None or len(over.members) > 1:
        return value
    if not over.members:
        return NOTHING  # exp(-inf)
    (member,) = over.members
    if any(part.member is not None or part.old is not None for part in value.parts):
        raise NoSoftmax("a product of two weights")
    return Weighted(tuple(replace(part, member=member) for part in value.parts), None, value.under)
