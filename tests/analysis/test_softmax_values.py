"""What a running softmax's values are, whatever maximum they are relative to."""

from __future__ import annotations

import pytest

from porter.analysis.softmax_values import (
    NOTHING,
    Difference,
    Maximum,
    Member,
    NoSoftmax,
    Part,
    Weighted,
    chosen,
    exponential,
    largest,
    product,
    scaled,
    total,
)
from porter.analysis.thread_terms import Term
from porter.cuda.kir import FLOAT32

OLD = Maximum(("old", ""))
SCORE = Maximum(None, frozenset({Member(0)}))
NEW = largest(OLD, SCORE)
FACTOR = Term(("const", "2.0", FLOAT32), FLOAT32)


def weight(of: Maximum, less: Maximum) -> Weighted:
    return exponential(Difference(of, less))


def sum_before(under: Maximum = OLD) -> Weighted:
    return Weighted((Part(old=0),), None, under)


def test_rescaling_cancels() -> None:
    rescaled = product(sum_before(), weight(OLD, NEW))
    assert (rescaled.over, rescaled.under) == (None, NEW)
    added = total(rescaled, scaled(weight(SCORE, NEW), FACTOR))
    assert [(p.member, p.factor, p.old) for p in added.parts] == [(None, None, 0), (Member(0), FACTOR, None)]
    assert added.under == NEW


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: total(sum_before(), weight(SCORE, NEW)),  # not rescaled
        lambda: total(product(sum_before(), weight(OLD, NEW)), weight(SCORE, OLD)),  # by the old maximum
        lambda: product(sum_before(), weight(NEW, OLD)),  # the other way round
        lambda: product(sum_before(NEW), weight(OLD, NEW)),  # twice
        lambda: product(sum_before(), sum_before()),
        lambda: scaled(sum_before(), FACTOR),
        lambda: scaled(scaled(weight(SCORE, NEW), FACTOR), FACTOR),
        lambda: largest(Maximum(("number", "0.0")), OLD),
    ],
)
def test_other_combinations_are_none(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NoSoftmax):
        wrong()


def test_where_a_score_does_not_count_nothing_changes() -> None:
    conditions = frozenset({7})
    then = total(product(sum_before(), weight(OLD, NEW)), weight(SCORE, NEW))
    found = chosen(conditions, then, sum_before())
    assert isinstance(found, Weighted)
    assert found.parts[1].member == Member(0, conditions)
    assert found.under == chosen(conditions, NEW, OLD)


def test_a_choice_between_other_sums_is_none() -> None:
    for then, other in (
        (weight(SCORE, NEW), sum_before()),
        (sum_before(), Weighted((Part(old=1),), None, OLD)),
        (SCORE, Maximum(None, frozenset({Member(1)}))),
        (Maximum(("number", "0.0")), OLD),
        (OLD, sum_before()),
    ):
        with pytest.raises(NoSoftmax):
            chosen(frozenset({7}), then, other)


def test_what_is_below_every_score_has_no_weight() -> None:
    assert total(NOTHING, weight(SCORE, NEW)).parts[0].member == Member(0)
    assert product(NOTHING, weight(OLD, NEW)) is NOTHING
    assert not total(weight(Maximum(), NEW), weight(SCORE, NEW)).parts[1:]
