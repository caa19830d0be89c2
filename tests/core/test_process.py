import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.process import Limits, network_isolation, run_limited


def test_output_and_exit_code_come_back(tmp_path: Path) -> None:
    done = run_limited([sys.executable, "-c", "print(6*7); raise SystemExit(5)"], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.ok) == (5, b"42\n", False)


def test_the_environment_is_not_inherited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    code = "import os; print(os.environ.get('SECRET_KEY'), os.environ['HOME'])"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path)
    secret, home = done.stdout.decode().split()
    assert secret == "None"
    assert home != os.path.expanduser("~")


def test_time_runs_out_for_grandchildren_too(tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=Limits(wall_seconds=0.5))
    assert done.timed_out
    assert not done.ok


def test_memory_is_limited(tmp_path: Path) -> None:
    code = "x = bytearray(3 << 30)"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=Limits(memory_bytes=1 << 30))
    assert b"MemoryError" in done.stderr


def test_files_are_limited(tmp_path: Path) -> None:
    code = "open('big', 'wb').write(b'x' * (2 << 20))"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=Limits(file_bytes=1 << 20))
    assert not done.ok
    assert (tmp_path / "big").stat().st_size <= 1 << 20


def test_the_network_is_out_of_reach(tmp_path: Path) -> None:
    if not network_isolation():
        pytest.skip("this system allows no network namespaces")
    code = "import socket; socket.create_connection(('127.0.0.1', 9), timeout=1)"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path)
    assert b"Network is unreachable" in done.stderr or b"unreachable" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_child_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = (
        f"import os, pathlib, time; pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    code = (
        "import sys; from pathlib import Path; from porter.core.process import run_limited; "
        f"run_limited([sys.executable, '-c', {child!r}], cwd=Path('.'))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as parent:
        assert _within_seconds(20, lambda: note.exists() and note.read_text() != "")
        parent.kill()
    assert _within_seconds(10, lambda: not _is_running(int(note.read_text())))


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _within_seconds(limit: float, condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()
