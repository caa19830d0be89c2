"""Disks that are full and folders that cannot be written: one message, nothing half written, and going on.

File systems of their own are mounted in a namespace of the test's process; without namespaces there are none.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrate.conftest import Git, WriteTree

_NAMESPACE = ["unshare", "-Urm", "sh", "-e", "-c"]
SOURCE = "__global__ void k(int* p) { *p = 1; }\n"


def _has_namespaces() -> bool:
    try:
        mount = [*_NAMESPACE, "mount -t tmpfs tmpfs /mnt"]
        return subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not _has_namespaces(), reason="file systems cannot be mounted here")


def in_namespace(where: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Runs a script, in which `migrate` is porter's command and prints its exit code."""
    migrate = f"{sys.executable} -m porter migrate {where}/tree --target hip --no-check -j 1"
    script = f'migrate() {{ {migrate} "$@" && echo "exit 0" || echo "exit $?"; }}\n' + "\n".join(lines)
    done = subprocess.run(
        [*_NAMESPACE, script], cwd=where, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    return done


def exits(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stdout.splitlines() if line.startswith("exit ")]


def test_a_disk_that_fills_under_the_run_and_is_emptied(write_tree: WriteTree, tmp_path: Path) -> None:
    write_tree({f"{k}.cu": SOURCE + "// padding\n" * 1000 for k in range(8)})
    (tmp_path / "small").mkdir()
    done = in_namespace(
        tmp_path,
        "mount -t tmpfs -o size=160k tmpfs small; cd small",
        "migrate -o ../out; test ! -e ../out",
        "mount -o remount,size=20m .",
        "migrate -o ../out --resume",
    )
    assert exits(done) == ["exit 2", "exit 0"]
    assert "No space left" in done.stderr or "disk is full" in done.stderr
    assert "make room" in done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{k}.cu" for k in range(8)}


def test_a_disk_with_no_room_at_all_for_a_run(write_tree: WriteTree, tmp_path: Path) -> None:
    write_tree({"a.cu": SOURCE})
    (tmp_path / "small").mkdir()
    done = in_namespace(
        tmp_path,
        "mount -t tmpfs -o size=64k tmpfs small; cd small",
        "dd if=/dev/zero of=filler bs=1k count=64 status=none || true",
        "migrate -o ../out",
    )
    assert exits(done) == ["exit 2"]
    assert "No space left" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_disk_that_fills_under_the_port_leaves_nothing_on_it(write_tree: WriteTree, tmp_path: Path) -> None:
    write_tree({"a.cu": SOURCE, "data/large": b"x" * 400_000})
    (tmp_path / "small").mkdir()
    done = in_namespace(
        tmp_path,
        "mount -t tmpfs -o size=200k tmpfs small",
        "migrate -o small/out; ls -A small",
        "mount -o remount,size=20m small",
        "migrate -o small/out --resume; ls -A small/out",
    )
    assert done.stdout.split("\n")[0] == "exit 2"
    assert "cannot be written: No space left" in done.stderr
    assert exits(done) == ["exit 2", "exit 0"]
    listed = [line for line in done.stdout.splitlines() if line in ("a.cu", "data", "out")]
    assert listed == ["a.cu", "data"]  # after the first nothing is there


@pytest.mark.slow
def test_a_tree_that_cannot_be_written(write_tree: WriteTree, tmp_path: Path, git: Git) -> None:
    root = write_tree({"a.cu": SOURCE + "int f() { return cudaDeviceSynchronize(); }\n"})
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "begin")
    before = (root / "a.cu").read_bytes()
    done = in_namespace(
        tmp_path,
        "mount --bind tree tree; mount -o remount,ro,bind tree",
        "migrate -o out",
        "migrate --in-place",
        "cd tree",
        "migrate -o ../other",
    )
    assert exits(done) == ["exit 0", "exit 2", "exit 2"]
    assert done.stderr.count("Read-only file system") == 2
    assert (root / "a.cu").read_bytes() == before
    assert b"hipDeviceSynchronize" in (tmp_path / "out/a.cu").read_bytes()
    assert not (tmp_path / "other").exists()
