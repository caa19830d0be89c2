"""One ledger for the processes of a run: kept by the one in charge, asked by those that work.

Connections are authenticated by a secret of the run, which goes to the workers the way their work does. One
is open while a request is made: when it ends without a word the worker has died.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from typing import Any

from porter.agent.budget import Budget, BudgetSpent, Ledger, Most, Spent

_SECRET_BYTES = 32
_GONE = (EOFError, OSError, AuthenticationError)


@dataclass(frozen=True)
class RemoteAccount:
    """The ledger at `address`, from any process and thread; it can be sent to another process.

    Where nobody keeps the ledger any more the run is over: each method raises BudgetSpent then.
    """

    budget: Budget
    address: str | tuple[str, int]
    secret: bytes = field(repr=False)

    @contextmanager
    def holding(self, most: Most, /) -> Iterator[None]:
        with self._asked("holding", most) as connection:
            try:
                yield
            finally:
                with suppress(*_GONE):  # an answer that came is worth having, also when the run is over
                    connection.send("over")

    def charge(self, conversation: str, spent: Spent, /) -> None:
        with self._asked("charge", conversation, spent):
            pass

    def resumed(self, conversation: str, spent: Spent, /) -> None:
        with self._asked("resumed", conversation, spent):
            pass

    @contextmanager
    def _asked(self, *message: object) -> Iterator[Connection[Any, Any]]:
        """The connection, once the message was granted."""
        try:
            connection = Client(self.address, authkey=self.secret)
        except _GONE as error:
            raise _unreachable(error) from error
        with connection:
            try:
                connection.send(message)
                refused = connection.recv()
            except _GONE as error:
                raise _unreachable(error) from error
            if refused:
                raise BudgetSpent(refused)
            yield connection


def _unreachable(error: BaseException) -> BudgetSpent:
    return BudgetSpent(f"the ledger of the run cannot be reached: {error or type(error).__name__}")


@contextmanager
def shared(ledger: Ledger, host: str | None = None) -> Iterator[RemoteAccount]:
    """Serves `ledger` until the end of the block: on a socket of this machine, or, for workers on other
    machines, at a free port of `host`."""
    secret = os.urandom(_SECRET_BYTES)
    with Listener((host, 0) if host else None, backlog=64) as listener:
        accepting = threading.Thread(target=_accept, args=(listener, ledger, secret), daemon=True)
        accepting.start()
        yield RemoteAccount(ledger.budget, listener.address, secret)


def _accept(listener: Listener, ledger: Ledger, secret: bytes) -> None:
    while True:
        try:
            connection = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(connection, ledger, secret), daemon=True).start()


def _serve(connection: Connection[Any, Any], ledger: Ledger, secret: bytes) -> None:
    """One message of one worker. A stranger is turned away, and a silent one delays nobody."""
    with connection, suppress(*_GONE):
        deliver_challenge(connection, secret)
        answer_challenge(connection, secret)
        match connection.recv():
            case "holding", Most() as most:
                _hold(connection, ledger, most)
            case "charge", str() as conversation, Spent() as spent:
                ledger.charge(conversation, spent)
                connection.send("")
            case "resumed", str() as conversation, Spent() as spent:
                ledger.resumed(conversation, spent)
                connection.send("")


def _hold(connection: Connection[Any, Any], ledger: Ledger, most: Most) -> None:
    try:
        with ledger.holding(most):
            try:
                connection.send("")
                connection.recv()
            except _GONE:
                ledger.write_off(most)
    except BudgetSpent as error:
        connection.send(str(error))
