"""One ledger for the processes of a run: kept by the one in charge, asked by those that work.

Connections are authenticated by a secret of the run, which goes to the workers the way their work does. What
a worker that dies has reserved stays reserved: its request may have been answered, and paid for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from porter.agent.budget import Budget, BudgetSpent, Ledger, Spent

_SECRET_BYTES = 32
_METHODS = ("reserve", "release", "charge")
_GONE = (EOFError, OSError)


@dataclass(frozen=True)
class RemoteAccount:
    """The ledger at `address`, from any process and thread; it can be sent to another process.

    Where nobody keeps the ledger any more the run is over: each method raises BudgetSpent then.
    """

    budget: Budget
    address: str | tuple[str, int]
    secret: bytes = field(repr=False)

    def reserve(self, most_cost_usd: float | None) -> None:
        self._call("reserve", most_cost_usd)

    def release(self, most_cost_usd: float | None) -> None:
        self._call("release", most_cost_usd)

    def charge(self, spent: Spent) -> None:
        self._call("charge", spent)

    def _call(self, method: str, argument: object) -> None:
        try:
            with Client(self.address, authkey=self.secret) as connection:
                connection.send((method, argument))
                refused = connection.recv()
        except (*_GONE, AuthenticationError) as error:
            raise BudgetSpent(f"the ledger of the run cannot be reached: {error}") from error
        if refused:
            raise BudgetSpent(refused)


@contextmanager
def shared(ledger: Ledger, host: str | None = None) -> Iterator[RemoteAccount]:
    """Serves `ledger` until the end of the block: on a socket of this machine, or, for workers on other
    machines, at a free port of `host`."""
    secret = os.urandom(_SECRET_BYTES)
    with Listener((host, 0) if host else None, backlog=64, authkey=secret) as listener:
        threading.Thread(target=_accept, args=(listener, ledger), daemon=True, name="ledger").start()
        yield RemoteAccount(ledger.budget, listener.address, secret)


def _accept(listener: Listener, ledger: Ledger) -> None:
    while True:
        try:
            connection = listener.accept()
        except AuthenticationError:
            continue
        except _GONE:
            return
        threading.Thread(target=_serve, args=(connection, ledger), daemon=True).start()


def _serve(connection: Connection[Any, Any], ledger: Ledger) -> None:
    with connection, suppress(*_GONE):
        method, argument = connection.recv()
        refused = ""
        try:
            if method in _METHODS:
                getattr(ledger, method)(argument)
        except BudgetSpent as error:
            refused = str(error)
        connection.send(refused)
