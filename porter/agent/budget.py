"""What a run may spend on models, and what it has spent. One ledger a run, whoever asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from porter.agent.protocols import Reply, Usage


@dataclass(frozen=True)
class Budget:
    """Limits of a run; None is no limit. `steps` counts requests of one conversation, the others all."""

    steps: int = 6
    tokens: int | None = 2_000_000
    usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Spent:
    """`cost_usd` is None once an answer came whose price is not known."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0

    def __add__(self, other: Spent) -> Spent:
        both = None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd
        return Spent(self.requests + other.requests, self.usage + other.usage, both)

    @classmethod
    def on(cls, reply: Reply) -> Spent:
        return cls(1, reply.usage, reply.cost_usd)


class BudgetSpent(Exception):
    """A request may not be made; the text says which limit it would break."""


class Account(Protocol):
    """What whoever asks a model needs of a ledger: this process's own, or one of another process."""

    @property
    def budget(self) -> Budget: ...

    def reserve(self, most_cost_usd: float | None) -> None:
        """Holds what a request may cost. Raises BudgetSpent when it may not be made."""
        ...

    def release(self, most_cost_usd: float | None) -> None:
        """The request is over, and what it did cost is charged."""
        ...

    def charge(self, spent: Spent) -> None: ...


@contextmanager
def requesting(account: Account, most_cost_usd: float | None) -> Iterator[None]:
    """Holds `most_cost_usd` while a request is made. Raises BudgetSpent when it may not be made."""
    account.reserve(most_cost_usd)
    try:
        yield
    finally:
        account.release(most_cost_usd)


@dataclass
class Ledger:
    """Adds up what is spent, and reserves what requests under way may cost: no limit in USD is overrun,
    however many ask at once. Safe to share between threads."""

    budget: Budget
    spent: Spent = field(default_factory=Spent)
    _reserved_usd: float = 0.0
    _started: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, most_cost_usd: float | None) -> None:
        with self._lock:
            self._raise_if_spent(most_cost_usd)
            self._reserved_usd += most_cost_usd or 0.0

    def release(self, most_cost_usd: float | None) -> None:
        with self._lock:
            self._reserved_usd -= most_cost_usd or 0.0

    def charge(self, spent: Spent) -> None:
        with self._lock:
            self.spent += spent

    def _raise_if_spent(self, most_cost_usd: float | None) -> None:
        budget = self.budget
        if budget.tokens is not None and self.spent.usage.total >= budget.tokens:
            raise BudgetSpent(f"the budget of {budget.tokens} tokens is used up")
        if budget.seconds is not None and time.monotonic() - self._started >= budget.seconds:
            raise BudgetSpent(f"the budget of {budget.seconds:g} s is used up")
        if budget.usd is None:
            return
        if most_cost_usd is None or self.spent.cost_usd is None:
            raise BudgetSpent(
                "the price of the model is not known, so that no budget in USD can be kept (give it: --price)"
            )
        if self.spent.cost_usd + self._reserved_usd + most_cost_usd > budget.usd:
            raise BudgetSpent(
                f"${self.spent.cost_usd:.4f} of ${budget.usd:.4f} are spent, "
                f"and the next request may cost ${most_cost_usd:.4f}"
            )
