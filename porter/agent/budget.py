"""What a run may spend on models, and what it has spent. One ledger a run, whoever asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
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


@dataclass(frozen=True)
class Most:
    """A bound of what one request may take. `usd` is None where no price is known."""

    tokens: int
    usd: float | None


class Account(Protocol):
    """What whoever asks a model needs of a ledger: this process's own, or that of another process.

    `conversation` is a name that no other conversation of the run has.
    """

    @property
    def budget(self) -> Budget: ...

    def holding(self, most: Most, /) -> AbstractContextManager[None]:
        """Holds what a request may take while it is made; waits while others hold what it needs.

        Raises BudgetSpent when the request may not be made.
        """
        ...

    def charge(self, conversation: str, spent: Spent, /) -> None:
        """Called for each answer, while what it may take is held."""
        ...

    def resumed(self, conversation: str, spent: Spent, /) -> None:
        """A conversation is gone on with that had cost so much; it counts unless it is known already."""
        ...


def _not_recorded(_conversation: str, _spent: Spent) -> None:
    pass


@dataclass
class Ledger:
    """Adds up what is spent by whom, and holds what requests under way may take, however many ask at once.

    The limit in USD is never overrun, the one in tokens by no more than the last request. `record` is told
    each charge, one at a time; `known` is what an earlier part of the run had recorded. Threads may share it.
    """

    budget: Budget
    known: Mapping[str, Spent] = field(default_factory=dict)
    record: Callable[[str, Spent], None] = _not_recorded
    _charged: dict[str, Spent] = field(init=False)
    _held: list[Most] = field(default_factory=list)
    _written_off: list[Most] = field(default_factory=list)
    _started: float = field(default_factory=time.monotonic)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._charged = dict(self.known)

    @property
    def spent(self) -> Spent:
        with self._changed:
            return self._sum()

    @contextmanager
    def holding(self, most: Most, /) -> Iterator[None]:
        with self._changed:
            while not self._fits(most):
                self._changed.wait(self._seconds_left())
            self._held.append(most)
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(most)
                self._changed.notify_all()

    def write_off(self, most: Most) -> None:
        """Whoever held this is gone: its request may have been answered and paid for, so that it counts."""
        with self._changed:
            self._written_off.append(most)

    def charge(self, conversation: str, spent: Spent, /) -> None:
        with self._changed:
            self._charge(conversation, spent)

    def resumed(self, conversation: str, spent: Spent, /) -> None:
        with self._changed:
            if conversation not in self._charged and spent != Spent():
                self._charge(conversation, spent)

    def _charge(self, conversation: str, spent: Spent) -> None:
        self._charged[conversation] = self._charged.get(conversation, Spent()) + spent
        self.record(conversation, spent)

    def _sum(self) -> Spent:
        return sum(self._charged.values(), start=Spent())

    def _seconds_left(self) -> float | None:
        return None if self.budget.seconds is None else self._started + self.budget.seconds - time.monotonic()

    def _fits(self, most: Most) -> bool:
        """Whether the request may be made now; False: once others are answered it may.

        Raises BudgetSpent where it may not be made even then.
        """
        budget, spent = self.budget, self._sum()
        tokens = spent.usage.total + sum(m.tokens for m in self._written_off)
        if budget.tokens is not None and tokens >= budget.tokens:
            raise BudgetSpent(f"the budget of {budget.tokens} tokens is used up")
        left = self._seconds_left()
        if left is not None and left <= 0:
            raise BudgetSpent(f"the budget of {budget.seconds:g} s is used up")
        enough = budget.tokens is None or tokens + sum(m.tokens for m in self._held) < budget.tokens
        return enough and (budget.usd is None or self._is_affordable(most, spent, budget.usd))

    def _is_affordable(self, most: Most, spent: Spent, budget_usd: float) -> bool:
        if most.usd is None or spent.cost_usd is None:
            raise BudgetSpent(
                "the price of the model is not known, so that no budget in USD can be kept (give it: --price)"
            )
        gone = spent.cost_usd + sum(m.usd or 0.0 for m in self._written_off)
        if gone + most.usd > budget_usd:
            raise BudgetSpent(
                f"${gone:.4f} of ${budget_usd:.4f} are spent, and the next request may cost ${most.usd:.4f}"
            )
        return gone + sum(m.usd or 0.0 for m in self._held) + most.usd <= budget_usd
