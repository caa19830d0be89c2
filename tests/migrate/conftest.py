"""Small trees of files, with or without git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Files = Mapping[str, str | bytes]
WriteTree = Callable[[Files], Path]
Git = Callable[..., str]


@pytest.fixture
def write_tree(tmp_path: Path) -> WriteTree:
    """Writes files by their relative names into one folder, and gives it."""
    root = tmp_path / "tree"

    def write(files: Files) -> Path:
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Runs git in that folder, without the settings of the person who tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.org")

    def run(*arguments: str) -> str:
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=tmp_path / "tree", capture_output=True, check=True)
        return done.stdout.decode()

    return run
