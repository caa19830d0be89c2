"""One ledger, many processes: no limit is overrun, and what a dead worker held counts."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.connection import Client
from multiprocessing.queues import Queue

import pytest

from porter.agent.budget import Budget, BudgetSpent, Ledger, Most, Spent
from porter.agent.protocols import Usage
from porter.agent.shared_ledger import RemoteAccount, shared

ONE = Spent(1, Usage(10, 5), 0.25)
MOST = Most(15, 0.25)


def spend(account: RemoteAccount, name: str, times: int, made: Queue[int]) -> None:
    done = 0
    for _ in range(times):
        try:
            with account.holding(MOST):
                account.charge(name, ONE)
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
        workers = [context.Process(target=spend, args=(account, f"w{i}", 20, made)) for i in range(3)]
        for worker in workers:
            worker.start()
        counts = [made.get(timeout=60) for _ in workers]
        for worker in workers:
            worker.join()
    assert sum(counts) == 12  # 3 USD at 0.25 each
    assert ledger.spent == Spent(12, Usage(120, 60), 3.0)


def test_a_refusal_names_its_reason() -> None:
    with (
        shared(Ledger(Budget(usd=0.1))) as account,
        pytest.raises(BudgetSpent, match="may cost"),
        account.holding(MOST),
    ):
        pass


def test_a_conversation_is_known_by_its_name() -> None:
    ledger = Ledger(Budget(), {"a": ONE})
    with shared(ledger) as account:
        account.resumed("a", ONE)
        account.resumed("b", ONE)
    assert ledger.spent == ONE + ONE


def test_a_stranger_is_not_served_and_does_not_end_the_service() -> None:
    ledger = Ledger(Budget())
    with shared(ledger, "127.0.0.1") as account:
        with pytest.raises(Exception, match="digest"), Client(account.address, authkey=b"guess") as stranger:
            stranger.send(("charge", "a", ONE))
        account.charge("b", ONE)
    assert ledger.spent == ONE


def test_a_silent_stranger_delays_nobody() -> None:
    ledger = Ledger(Budget())
    with shared(ledger, "127.0.0.1") as account:
        assert isinstance(account.address, tuple)
        with socket.create_connection(account.address):
            account.charge("a", ONE)
    assert ledger.spent == ONE


def test_what_no_worker_says_is_not_done() -> None:
    ledger = Ledger(Budget())
    with shared(ledger) as account:
        with Client(account.address, authkey=account.secret) as connection:
            connection.send(("write_off", MOST))
            with pytest.raises(EOFError):
                connection.recv()
        account.charge("a", ONE)
    assert ledger.spent == ONE


def test_after_the_run_nothing_can_be_asked() -> None:
    with shared(Ledger(Budget())) as account:
        pass
    with pytest.raises(BudgetSpent, match="cannot be reached"), account.holding(MOST):
        pass
    with pytest.raises(BudgetSpent, match="cannot be reached"):
        account.charge("a", ONE)


def test_what_a_killed_worker_held_counts_and_nobody_waits_for_it() -> None:
    ledger = Ledger(Budget(usd=0.4))
    script = (
        "import pickle, sys, time\n"
        "from porter.agent.budget import Most\n"
        "with pickle.load(sys.stdin.buffer).holding(Most(15, 0.25)):\n"
        "    print('held', flush=True); time.sleep(100)\n"
    )
    with shared(ledger) as account:
        with subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as worker:
            assert worker.stdin
            assert worker.stdout
            worker.stdin.write(pickle.dumps(account))
            worker.stdin.close()
            assert worker.stdout.readline() == b"held\n"
            worker.kill()
        with pytest.raises(BudgetSpent, match=r"\$0.2500 of \$0.4000"), account.holding(MOST):
            pass


def test_it_travels_and_does_not_show_its_secret() -> None:
    with shared(Ledger(Budget(usd=1.0))) as account:
        again = pickle.loads(pickle.dumps(account))
        assert again == account
        assert account.secret.hex() not in repr(account)
        assert repr(account.secret) not in repr(account)
        with again.holding(MOST):
            again.charge("a", ONE)
