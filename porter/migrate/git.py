"""Git, as a program: with paths as bytes, never a pager or a question; the working tree is never touched."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from porter.core.errors import InputError, ToolMissing

_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_CHUNK_BYTES = 1 << 16


class GitFailed(Exception):
    """Git ended with an error; the message is its first line."""


def git(folder: Path, *arguments: str) -> bytes:
    """The output of one command. Raises ToolMissing without git, and GitFailed for an error of its own."""
    done = subprocess.run(
        _command(arguments),
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
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


def changed_files(root: Path) -> Iterator[str]:
    """Tracked files that are not as they were committed, in the working tree or the index."""
    return git_names(root, "diff", "-z", "--name-only", "--no-renames", "HEAD")


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
    """Files by their names, each with its new contents, which are asked for when they are written."""

    message: str
    files: Mapping[str, Callable[[], bytes]]


def commit_on_branch(root: Path, branch: str, commits: Sequence[Commit]) -> None:
    """A new branch from HEAD. Raises InputError where git cannot commit, and leaves no branch then.

    One process of git takes all files, one at a time: memory does not grow with their number.
    """
    try:
        parent = git(root, "rev-parse", "--verify", "HEAD^{commit}").strip()
        people = b"".join(
            role + b" " + git(root, "var", f"GIT_{role.decode().upper()}_IDENT").strip() + b"\n"
            for role in (b"author", b"committer")
        )
        stream = _stream(root, branch, parent, people, commits)
        _fed(root, ("fast-import", "--quiet", "--done", "--date-format=raw"), stream)
    except GitFailed as error:
        raise InputError(f"--branch {branch}: git: {error}", hint="set user.name and user.email") from None


def _stream(
    root: Path, branch: str, parent: bytes, people: bytes, commits: Sequence[Commit]
) -> Iterator[bytes]:
    """What `git fast-import` reads. Nothing of it counts before the last word."""
    if not commits:
        yield b"reset refs/heads/" + branch.encode() + b"\nfrom " + parent + b"\n\n"
    for number, commit in enumerate(commits):
        yield b"commit refs/heads/" + branch.encode() + b"\n" + people + _counted(commit.message.encode())
        if number == 0:
            yield b"from " + parent + b"\n"
        for name, contents in commit.files.items():
            mode = b"100755" if os.access(root / name, os.X_OK) else b"100644"
            yield b"M " + mode + b" inline " + _quoted(os.fsencode(name)) + b"\n" + _counted(contents())
        yield b"\n"
    yield b"done\n"


def _counted(data: bytes) -> bytes:
    return b"data %d\n" % len(data) + data + b"\n"


def _quoted(name: bytes) -> bytes:
    """As C writes strings, so that no name ends its line or is read as something else."""
    plain = name.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + plain + b'"'


def _fed(root: Path, arguments: tuple[str, ...], stream: Iterator[bytes]) -> None:
    """Raises GitFailed. What is raised while the input is made ends git, which keeps nothing then."""
    with (
        TemporaryFile() as complaints,
        subprocess.Popen(
            _command(arguments), cwd=root, env=_environment(), stdin=subprocess.PIPE, stderr=complaints
        ) as running,
    ):
        assert running.stdin is not None
        try:
            for part in stream:
                running.stdin.write(part)
            running.stdin.close()
        except BrokenPipeError:  # git has ended, and says why
            with contextlib.suppress(BrokenPipeError):
                running.stdin.close()
        except BaseException:
            running.kill()
            with contextlib.suppress(BrokenPipeError):
                running.stdin.close()
            raise
        if running.wait() != 0:
            complaints.seek(0)
            raise _failure(arguments, running.returncode, complaints.read())
