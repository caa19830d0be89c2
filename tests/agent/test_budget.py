"""What a ledger lets be asked: limits are kept by all that ask at once, and nobody is refused too early."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from porter.agent.budget import Budget, BudgetSpent, Ledger, Most, Spent
from porter.agent.protocols import Usage

TOKENS = 1000
"""More than any budget of tokens here: what a request may take, not what it does."""


def most(usd: float | None = 0.0) -> Most:
    return Most(TOKENS, usd)


def paid(usd: float | None = 0.0, tokens: int = 0) -> Spent:
    return Spent(1, Usage(output_tokens=tokens), usd)


class Asking:
    """Another thread that asks for `most` and holds it until it may end."""

    def __init__(self, ledger: Ledger, most: Most) -> None:
        self.granted, self.may_end, self.refused = threading.Event(), threading.Event(), ""
        self._thread = threading.Thread(target=self._ask, args=(ledger, most), daemon=True)
        self._thread.start()

    def _ask(self, ledger: Ledger, most: Most) -> None:
        try:
            with ledger.holding(most):
                self.granted.set()
                self.may_end.wait(60)
        except BudgetSpent as error:
            self.refused = str(error)

    def end(self) -> None:
        self.may_end.set()
        self._thread.join(60)
        assert not self._thread.is_alive()


def test_what_others_hold_is_waited_for_and_not_refused() -> None:
    ledger = Ledger(Budget(usd=1.0))
    with ledger.holding(most(0.6)):
        other = Asking(ledger, most(0.6))
        assert not other.granted.wait(0.1)
        ledger.charge("a", paid(0.1))
    assert other.granted.wait(60)
    other.end()
    assert not other.refused


def test_who_waits_is_refused_once_it_is_spent() -> None:
    ledger = Ledger(Budget(usd=1.0))
    with ledger.holding(most(0.6)):
        other = Asking(ledger, most(0.6))
        ledger.charge("a", paid(0.5))
    other.end()
    assert "$0.5000 of $1.0000 are spent, and the next request may cost $0.6000" in other.refused
    assert not other.granted.is_set()


def test_what_can_never_be_paid_is_refused_at_once() -> None:
    ledger = Ledger(Budget(usd=1.0))
    with ledger.holding(most(0.6)), pytest.raises(BudgetSpent, match="may cost"), ledger.holding(most(1.1)):
        pass


def test_what_may_fit_together_is_asked_together() -> None:
    ledger = Ledger(Budget(usd=1.0, tokens=3 * TOKENS))
    with ledger.holding(most(0.5)), ledger.holding(most(0.5)):
        pass


def test_tokens_are_overrun_by_one_request_only() -> None:
    """The first may take all that is left, and more; the second waits for what it takes."""
    ledger = Ledger(Budget(tokens=500))
    with ledger.holding(most()):
        other = Asking(ledger, most())
        assert not other.granted.wait(0.1)
        ledger.charge("a", paid(tokens=900))
    other.end()
    assert other.refused == "the budget of 500 tokens is used up"


def test_what_is_written_off_counts_as_spent() -> None:
    ledger = Ledger(Budget(usd=1.0, tokens=TOKENS))
    ledger.write_off(Most(10, 0.7))
    with pytest.raises(BudgetSpent, match=r"\$0.7000 of \$1.0000 are spent"), ledger.holding(Most(10, 0.4)):
        pass
    ledger.write_off(most())
    with pytest.raises(BudgetSpent, match="tokens is used up"), ledger.holding(Most(10, 0.0)):
        pass
    assert ledger.spent == Spent()


def test_who_waits_gives_up_at_the_limit_of_time() -> None:
    ledger = Ledger(Budget(tokens=500, seconds=0.3))
    with ledger.holding(most()):
        other = Asking(ledger, most())
        other.end()
    assert "0.3 s is used up" in other.refused


def test_a_conversation_that_is_gone_on_with_counts_once() -> None:
    ledger = Ledger(Budget(), known={"a": paid(0.5, 7)})
    ledger.resumed("a", paid(0.4, 6))
    ledger.resumed("b", paid(0.25, 1))
    ledger.resumed("b", paid(0.25, 1))
    ledger.resumed("c", Spent())
    assert ledger.spent == Spent(2, Usage(output_tokens=8), 0.75)


def test_each_charge_is_recorded_and_what_was_known_is_not_again() -> None:
    lines: list[tuple[str, Spent]] = []
    record: Callable[[str, Spent], None] = lambda name, spent: lines.append((name, spent))  # noqa: E731
    ledger = Ledger(Budget(), {"a": paid(1.0)}, record)
    ledger.resumed("a", paid(1.0))
    ledger.charge("a", paid(0.5))
    ledger.resumed("b", paid(0.25))
    assert lines == [("a", paid(0.5)), ("b", paid(0.25))]


def test_a_price_that_is_not_known_breaks_a_budget_in_money_only() -> None:
    ledger = Ledger(Budget(usd=1.0))
    with pytest.raises(BudgetSpent, match="--price"), ledger.holding(most(None)):
        pass
    with Ledger(Budget()).holding(most(None)):
        pass
    ledger.charge("a", paid(None))
    with pytest.raises(BudgetSpent, match="--price"), ledger.holding(most(0.1)):
        pass
