import os
import sys
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
