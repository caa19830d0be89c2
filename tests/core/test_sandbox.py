"""A sandboxed child sees its scratch directory and the system, and nothing else."""

from pathlib import Path

import pytest

from porter.core.process import run_limited
from porter.core.sandbox import Sandbox, sandbox_available

needs_namespaces = pytest.mark.skipif(
    not sandbox_available(), reason="this system has no user and mount namespaces"
)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    path = tmp_path / "scratch"
    path.mkdir()
    return path


def _run(script: str, scratch: Path, *readable: Path) -> tuple[int, str]:
    done = run_limited(["sh", "-c", script], cwd=scratch, sandbox=Sandbox(readable, (scratch,)))
    return done.returncode, done.stdout.decode()


@needs_namespaces
def test_writes_to_the_scratch_directory_stay(scratch: Path) -> None:
    assert _run("echo made > result", scratch) == (0, "")
    assert (scratch / "result").read_text() == "made\n"


@needs_namespaces
def test_a_file_that_was_not_given_is_not_there(scratch: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the answer")
    code, text = _run(f"cat {secret} 2>/dev/null; echo {tmp_path}/*", scratch)
    assert (code, text) == (0, f"{scratch}\n")


@needs_namespaces
def test_a_readable_path_cannot_be_written(scratch: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("input")
    code, text = _run(f"cat {given}; echo changed > {given}", scratch, given)
    assert code != 0
    assert text == "input"
    assert given.read_text() == "input"


@needs_namespaces
def test_home_is_an_empty_directory(scratch: Path) -> None:
    assert (
        _run('ls -A "$HOME" | grep -v pytest; test -w "$HOME" && echo writable', scratch)[1] == "writable\n"
    )


@needs_namespaces
def test_no_other_process_is_visible(scratch: Path) -> None:
    code, text = _run("ls /proc | grep -c '^[0-9]'", scratch)
    assert code == 0
    assert int(text) <= 4


def test_without_a_sandbox_the_exit_code_is_the_childs(scratch: Path) -> None:
    assert run_limited(["sh", "-c", "exit 7"], cwd=scratch).returncode == 7


@needs_namespaces
def test_what_is_hidden_within_a_readable_folder_is_empty(scratch: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    (given / "runs").mkdir(parents=True)
    (given / "runs" / "00-source.cu").write_text("the original")
    (given / "original.cu").write_text("the original")
    (given / "header.h").write_text("a header")
    hidden = (given / "original.cu", given / "runs", given / "none")
    script = f"cat {given}/original.cu {given}/runs/* 2>/dev/null; cat {given}/header.h"
    done = run_limited(["sh", "-c", script], cwd=scratch, sandbox=Sandbox((given,), (scratch,), hidden))
    assert done.stdout.decode() == "a header"
