"""A repository with a change in it, and `porter` as a command."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD = "__global__ void k() {}\nvoid f() {\n  k<<<1, 2048>>>();\n}\n"
NEW = OLD + "void g() {\n  k<<<1, 4096>>>();\n}\n"


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Has `porter` on its path, which is this source, and none of the tester's settings of git."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "porter"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m porter "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    found = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    return {
        **found,
        **who,
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join((str(ROOT), *(p for p in sys.path if p))),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(tmp_path),
    }


@pytest.fixture
def repository(tmp_path: Path, environment: Mapping[str, str]) -> Path:
    """One commit with a finding, and a further finding that is staged."""
    root = tmp_path / "repository"
    root.mkdir()
    for command in ("init -q -b main", "add -A", "commit -qm first"):
        if command.startswith("add"):
            (root / "a.cu").write_text(OLD)
        subprocess.run(["git", *command.split()], cwd=root, env=environment, check=True)
    (root / "a.cu").write_text(NEW)
    subprocess.run(["git", "add", "-A"], cwd=root, env=environment, check=True)
    return root
