"""One ledger, many processes: no limit is overrun, and what a dead worker reserved stays reserved."""

from __future__ import annotations

import pickle
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.connection import Client
from multiprocessing.queues import Queue

import pytest

from porter.agent.budget import Budget, BudgetSpent, Ledger, Spent, requesting
from porter.agent.protocols import Usage
from porter.agent.shared_ledger import RemoteAccount, shared

ONE = Spent(1, Usage(10, 5), 0.25)


def spend(account: RemoteAccount, times: int, made: Queue[int]) -> None:
    done = 0
    for _ in range(times):
        try:
            with requesting(account, 0.25):
                account.charge(ONE)
        except BudgetSpent:
            break
        done += 1
    made.put(done)


@pytest.mark.parametrize("host", [None, "127.0.0.1"])
def test_processes_together_keep_the_budget(host: str | None) -> None:
    ledger = Ledger(Budget(usd=3.0))
    context = get_context("forkserver")
    made: Queue[int] = context.Queue()
    with shared(ledger, host) as account:
        workers = [context.Process(target=spend, args=(account, 20, made)) for _ in range(3)]
        for worker in workers:
            worker.start()
        counts = [made.get(timeout=60) for _ in workers]
        for worker in workers:
            worker.join()
    assert sum(counts) == 12  # 3 USD at 0.25 each
    assert ledger.spent == Spent(12, Usage(120, 60), 3.0)


def test_what_is_reserved_by_one_cannot_be_spent_by_another() -> None:
    ledger = Ledger(Budget(usd=1.0))
    with shared(ledger) as account:
        account.reserve(0.75)
        with pytest.raises(BudgetSpent, match="may cost"):
            account.reserve(0.5)
        account.release(0.75)
        account.reserve(0.5)


def test_a_stranger_is_not_served_and_does_not_end_the_service() -> None:
    ledger = Ledger(Budget())
    with shared(ledger, "127.0.0.1") as account:
        with pytest.raises(Exception, match="digest"), Client(account.address, authkey=b"guess") as stranger:
            stranger.send(("charge", ONE))
        account.charge(ONE)
    assert ledger.spent == ONE


def test_after_the_run_nothing_can_be_asked() -> None:
    with shared(Ledger(Budget())) as account:
        pass
    with pytest.raises(BudgetSpent, match="cannot be reached"):
        account.reserve(0.1)


def test_it_travels_and_does_not_show_its_secret() -> None:
    with shared(Ledger(Budget(usd=1.0))) as account:
        again = pickle.loads(pickle.dumps(account))
        assert again == account
        assert account.secret.hex() not in repr(account)
        assert repr(account.secret) not in repr(account)
        script = "import pickle, sys; pickle.load(sys.stdin.buffer).reserve(0.9)"
        subprocess.run([sys.executable, "-c", script], input=pickle.dumps(account), check=True, timeout=60)
        with pytest.raises(BudgetSpent):  # its process has ended, and what it held may have been spent
            account.reserve(0.2)
