"""A file that one holds at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from porter.core.file_lock import alone


def test_one_at_a_time_of_many_threads(tmp_path: Path) -> None:
    inside, most = 0, 0
    lock, counting = tmp_path / "a.lock", threading.Lock()

    def work() -> None:
        nonlocal inside, most
        for _ in range(30):
            with alone(lock):
                with counting:
                    inside += 1
                    most = max(most, inside)
                with counting:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert list(tmp_path.iterdir()) == []


def test_it_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    script = (
        "import sys, time; from pathlib import Path; from porter.core.file_lock import alone\n"
        "with alone(Path(sys.argv[1])): print('in', flush=True); time.sleep(100)"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"in\n"
        holder.kill()
    with alone(lock):
        assert lock.exists()


def test_it_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), alone(tmp_path / "a.lock"):
        raise ValueError("no")
    with alone(tmp_path / "a.lock"):
        pass


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), alone(tmp_path / "no" / "a.lock"):
        pass
