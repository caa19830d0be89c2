"""Asking again after failures that pass: busy servers, time-outs, connections that were cut."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from porter.agent.protocols import ModelUnavailable

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Patience:
    """How often and how long one request is tried. Delays double from `first_seconds`, each cut by a random
    part of up to a half, so that threads that failed together do not come back together.

    `waiting_seconds` bounds the waiting in all, also where the server names a delay.
    """

    attempts: int = 6
    waiting_seconds: float = 300.0
    first_seconds: float = 1.0
    longest_seconds: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random

    def delay_seconds(self, attempt: int, retry_after_s: float | None) -> float:
        """After the attempt of this number, counted from 1. A named delay is kept, and a little more."""
        if retry_after_s is not None:
            return retry_after_s * (1.0 + 0.1 * self.random())
        backed_off = min(self.first_seconds * 2.0 ** (attempt - 1), self.longest_seconds)
        return backed_off * (1.0 - 0.5 * self.random())


class Transient(Exception):
    """May work when asked again. `attempts` bounds the tries of this kind of failure."""

    def __init__(
        self, reason: str, *, hint: str = "", retry_after_s: float | None = None, attempts: int = 1000
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint
        self.retry_after_s = retry_after_s
        self.attempts = attempts


def ask_patiently(ask: Callable[[], Answer], patience: Patience) -> Answer:
    """Raises ModelUnavailable when patience is at its end; other exceptions of `ask` pass."""
    waited_s = 0.0
    attempt = 1
    while True:
        try:
            return ask()
        except Transient as error:
            delay_s = patience.delay_seconds(attempt, error.retry_after_s)
            if attempt >= min(patience.attempts, error.attempts):
                raise ModelUnavailable(_after(error.reason, attempt), hint=error.hint) from None
            if waited_s + delay_s > patience.waiting_seconds:
                asked = f"{error.reason}; the next attempt would be in {delay_s:.0f} s"
                raise ModelUnavailable(_after(asked, attempt), hint=error.hint) from None
        patience.sleep(delay_s)
        waited_s += delay_s
        attempt += 1


def _after(reason: str, attempts: int) -> str:
    return f"{reason} (tried {attempts} times)" if attempts > 1 else reason
