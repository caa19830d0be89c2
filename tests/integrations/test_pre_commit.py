"""The hooks of `.pre-commit-hooks.yaml`, run by pre-commit itself on a repository with a staged change."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.integrations.conftest import ROOT

pytest.importorskip("pre_commit", reason="pre-commit is not installed")
CONFIG = """
repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: {hook}
        language: system
"""


def git(folder: Path, environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)
    return done.stdout.decode().strip()


def hook_repository(folder: Path, environment: Mapping[str, str]) -> str:
    """A repository of only the manifest, as pre-commit clones it; its commit."""
    folder.mkdir()
    git(folder, environment, "init", "-q")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    git(folder, environment, "add", "-A")
    git(folder, environment, "commit", "-qm", "hooks")
    return git(folder, environment, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("hook", "threads"), [("porter-check", ("2048", "4096")), ("porter-check-changes", ("4096",))]
)
def test_the_commit_is_stopped_by_what_is_new(
    repository: Path, environment: Mapping[str, str], tmp_path: Path, hook: str, threads: tuple[str, ...]
) -> None:
    rev = hook_repository(tmp_path / "hooks", environment)
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG.format(hooks=tmp_path / "hooks", rev=rev, hook=hook))
    command = [sys.executable, "-m", "pre_commit", "run", "--config", str(config), hook]
    ran = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert [n for n in ("2048", "4096") if f"blocks of {n} threads" in ran.stdout] == list(threads)
    (repository / "a.cu").write_text("__global__ void k() {}\n")
    git(repository, environment, "add", "-A")
    ran = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
