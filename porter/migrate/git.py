"""Git, as a program: with paths as bytes, never a pager or a question; the working tree is never touched."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from porter.core.errors import InputError, ToolMissing

_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_CHUNK_BYTES = 1 << 16


class GitFailed(Exception):
    """Git ended with an error; the message is its first line."""


def git(
    folder: Path, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> bytes:
    """The output of one command. Raises ToolMissing without git, and GitFailed for an error of its own."""
    done = subprocess.run(
        _command(arguments),
        cwd=folder,
        env={**_environment(), **(environment or {})},
        input=stdin,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise _failure(arguments, done.returncode, done.stderr)
    return done.stdout


def git_names(folder: Path, *arguments: str) -> Iterator[str]:
    """The paths of a listing made with `-z`, one after the other; raises as `git` does."""
    with (
        TemporaryFile() as complaints,
        subprocess.Popen(
            _command(arguments), cwd=folder, env=_environment(), stdout=subprocess.PIPE, stderr=complaints
        ) as running,
    ):
        assert running.stdout is not None
        rest, last = b"", b""
        while chunk := running.stdout.read(_CHUNK_BYTES):
            *names, rest = (rest + chunk).split(b"\0")
            for name in names:
                if name != last:  # a file in conflict is listed once a side
                    yield os.fsdecode(name)
                last = name
        if running.wait() != 0:
            complaints.seek(0)
            raise _failure(arguments, running.returncode, complaints.read())


def _command(arguments: tuple[str, ...]) -> list[str]:
    program = shutil.which("git")
    if program is None:
        raise ToolMissing("git is not installed", hint="install git, or check without --diff")
    return [program, "-c", "core.quotePath=false", "--literal-pathspecs", *arguments]


def _environment() -> dict[str, str]:
    return {**os.environ, **_QUIET}


def _failure(arguments: tuple[str, ...], code: int, complaints: bytes) -> GitFailed:
    text = complaints.decode("utf-8", "replace").strip()
    return GitFailed(text.splitlines()[0] if text else f"git {arguments[0]} ended with {code}")


def toplevel(folder: Path) -> Path | None:
    """The root of the working tree that `folder` is in; None outside of one, or without git."""
    try:
        return Path(os.fsdecode(git(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n")))
    except (GitFailed, ToolMissing):
        return None


def merge_base(root: Path, base: str) -> str:
    """The commit where the branch at hand left `base`. Raises InputError for a name that is no commit."""
    try:
        git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    except GitFailed:
        hint = "name a commit, a branch or a tag; a shallow clone may have to fetch it first"
        raise InputError(f"--diff {base}: no such commit", hint=hint) from None
    try:
        return os.fsdecode(git(root, "merge-base", base, "HEAD")).strip()
    except GitFailed:
        raise InputError(
            f"--diff {base}: it has no commit in common with the working tree",
            hint="fetch more of the history (git fetch --unshallow)",
        ) from None


def split_names(listing: bytes) -> list[str]:
    """Paths of a listing made with `-z`."""
    return [os.fsdecode(name) for name in listing.split(b"\0") if name]


def is_clean(root: Path) -> bool:
    """No change to files that are tracked."""
    return not git(root, "status", "--porcelain", "--untracked-files=no")


def branch_exists(root: Path, branch: str) -> bool:
    """Raises InputError for a name that no branch can have."""
    try:
        git(root, "check-ref-format", "--branch", branch)
    except GitFailed:
        raise InputError(f"--branch {branch}: git takes no such name") from None
    try:
        git(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    except GitFailed:
        return False
    return True


@dataclass(frozen=True)
class Commit:
    """Files with their new contents, by their names."""

    message: str
    files: Mapping[str, bytes]


def commit_on_branch(root: Path, branch: str, commits: Sequence[Commit]) -> None:
    """A new branch from HEAD. Raises InputError where git cannot commit, and leaves no branch then."""
    with TemporaryDirectory(prefix="porter-index-") as folder:
        own = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        try:
            parent = os.fsdecode(git(root, "rev-parse", "--verify", "HEAD^{commit}")).strip()
            git(root, "read-tree", parent, environment=own)
            for commit in commits:
                lines = b"".join(_index_line(root, name, data) for name, data in commit.files.items())
                git(root, "update-index", "-z", "--index-info", stdin=lines, environment=own)
                tree = os.fsdecode(git(root, "write-tree", environment=own)).strip()
                parent = os.fsdecode(
                    git(root, "commit-tree", tree, "-p", parent, "-m", commit.message)
                ).strip()
            git(root, "update-ref", f"refs/heads/{branch}", parent, "")
        except GitFailed as error:
            raise InputError(
                f"--branch {branch}: git: {error}", hint="set user.name and user.email"
            ) from None


def _index_line(root: Path, name: str, data: bytes) -> bytes:
    blob = git(root, "hash-object", "-w", "--stdin", stdin=data).strip()
    mode = b"100755" if os.access(root / name, os.X_OK) else b"100644"
    return mode + b" " + blob + b"\t" + os.fsencode(name) + b"\0"
