import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.process import Limits, network_isolation, run_limited
from porter.core.sandbox import Sandbox


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


BUSY = "import time\nwhile time.process_time() < {}: pass"


def test_a_child_that_has_had_its_processor_time_gets_no_more(tmp_path: Path) -> None:
    limits = Limits(wall_seconds=0.5, patience=100.0)
    done = run_limited([sys.executable, "-c", BUSY.format(60)], cwd=tmp_path, limits=limits)
    assert (done.timed_out, done.starved) == (True, False)
    assert done.cpu_seconds is not None
    assert done.cpu_seconds >= 0.5


def test_patience_with_a_child_that_has_not_had_its_processor_time_ends(tmp_path: Path) -> None:
    code = "import time; time.sleep(60)"
    started = time.monotonic()
    limits = Limits(wall_seconds=1.0, patience=2.0)
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=limits)
    assert (done.timed_out, done.starved) == (True, True)
    assert done.cpu_seconds is not None
    assert done.cpu_seconds < 1.0
    assert 2.0 <= time.monotonic() - started < 30.0


def test_a_child_that_slept_may_end_later(tmp_path: Path) -> None:
    code = "import time; time.sleep(0.8)"
    done = run_limited(
        [sys.executable, "-c", code], cwd=tmp_path, limits=Limits(wall_seconds=0.4, patience=100.0)
    )
    assert (done.ok, done.timed_out, done.starved) == (True, False, False)


def test_the_time_of_grandchildren_counts(tmp_path: Path) -> None:
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY.format(0.5)!r}])"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path)
    assert done.ok
    assert done.cpu_seconds is not None
    assert done.cpu_seconds >= 0.5
    stopped = run_limited(
        [sys.executable, "-c", code.replace("0.5", "60")], cwd=tmp_path, limits=Limits(0.5, patience=100.0)
    )
    assert (stopped.timed_out, stopped.starved) == (True, False)


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
    assert b"Network is unreachable" in done.stderr


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


def test_a_flood_of_output_is_cut(tmp_path: Path) -> None:
    code = "import sys; [sys.stdout.write('x' * 65536) for _ in range(400)]; sys.stderr.write('end')"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=Limits(output_bytes=1000))
    assert (done.ok, len(done.stdout), done.stderr) == (True, 1000, b"end")


def test_a_child_that_never_reads_is_no_obstacle(tmp_path: Path) -> None:
    done = run_limited([sys.executable, "-c", "print(1)"], cwd=tmp_path, stdin=b"x" * (1 << 20))
    assert (done.ok, done.stdout) == (True, b"1\n")


def test_processes_are_limited(tmp_path: Path) -> None:
    """The child stops by itself at 200: on a system where nothing stops it nothing else happens."""
    code = (
        "import os, time\n"
        "for _ in range(200):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(20)\n"
        "        os._exit(0)\n"
        "time.sleep(20)"
    )
    limits = Limits(wall_seconds=15.0, processes=40)
    started = time.monotonic()
    sandbox = Sandbox((), (tmp_path,))
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=limits, sandbox=sandbox)
    assert not done.ok
    assert time.monotonic() - started < limits.wall_seconds


def test_what_a_child_started_ends_with_it(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, time\n"
        "if os.fork() == 0:\n"
        "    pathlib.Path('pid').write_text(str(os.getpid()))\n"
        "    time.sleep(60)\n"
        "while not os.path.exists('pid'): time.sleep(0.01)"
    )
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path)
    assert done.ok
    assert _within_seconds(5, lambda: not _is_running(int((tmp_path / "pid").read_text())))
