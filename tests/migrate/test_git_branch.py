"""A branch that git is given file by file: names of any bytes, rights, and failures that leave nothing."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from porter.core.errors import InputError
from porter.migrate.git import Commit, commit_on_branch
from tests.migrate.conftest import Git, WriteTree


def always(data: bytes) -> Callable[[], bytes]:
    return lambda: data


@pytest.fixture
def repository(write_tree: WriteTree, git: Git) -> None:
    root = write_tree({"old.txt": "old\n", "run.sh": "#!/bin/sh\n"})
    (root / "run.sh").chmod(0o755)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "begin")


def test_each_commit_stands_on_the_one_before(repository: None, write_tree: WriteTree, git: Git) -> None:
    root = write_tree({})
    steps = (
        Commit("first", {"new/a.txt": always(b"a\n")}),
        Commit("second: naïve", {"old.txt": always(b"changed"), "run.sh": always(b"#!/bin/bash\n")}),
    )
    commit_on_branch(root, "port", steps)
    assert git("log", "--format=%s|%an|%ae|%ce", "port").splitlines() == [
        "second: naïve|A|a@example.org|a@example.org",
        "first|A|a@example.org|a@example.org",
        "begin|A|a@example.org|a@example.org",
    ]
    assert git("diff", "--name-only", "HEAD", "port").split() == ["new/a.txt", "old.txt", "run.sh"]
    assert git("show", "port:old.txt") == "changed"
    assert git("ls-tree", "port", "run.sh").startswith("100755")
    assert git("ls-tree", "port", "old.txt").startswith("100644")
    assert git("status", "--porcelain") == ""
    assert git("fsck", "--strict") == ""


@pytest.mark.parametrize(
    "name",
    [
        b"caf\xe9.cu",
        b'a "quoted".cu',
        b"back\\slash.cu",
        b"two\nlines.cu",
        b" space .cu",
        b"\ttab",
        b"M 100644",
    ],
)
def test_names_of_any_bytes(name: bytes, repository: None, write_tree: WriteTree, git: Git) -> None:
    root = write_tree({})
    shown = os.fsdecode(name)
    commit_on_branch(root, "port", (Commit("x", {shown: always(b"data\n")}),))
    git("checkout", "-q", "port")
    assert (root / shown).read_bytes() == b"data\n"
    assert sorted(os.listdir(root)) == sorted([".git", "old.txt", "run.sh", shown])


def test_contents_that_look_like_commands_are_contents(
    repository: None, write_tree: WriteTree, git: Git
) -> None:
    root = write_tree({})
    text = b"done\ncommit refs/heads/main\ndeleteall\n"
    commit_on_branch(root, "port", (Commit("done\ndeleteall", {"old.txt": always(text), "e": always(b"")}),))
    assert git("show", "port:old.txt").encode() == text
    assert git("show", "port:e") == ""
    assert git("log", "--format=%B", "-1", "port").strip() == "done\ndeleteall"
    assert git("ls-tree", "--name-only", "port").split() == ["e", "old.txt", "run.sh"]


def test_nothing_to_commit_is_a_branch_at_the_same_place(
    repository: None, write_tree: WriteTree, git: Git
) -> None:
    commit_on_branch(write_tree({}), "port", ())
    assert git("rev-parse", "port") == git("rev-parse", "HEAD")


def test_contents_that_cannot_be_read_leave_no_branch(
    repository: None, write_tree: WriteTree, git: Git
) -> None:
    def gone() -> bytes:
        raise InputError("is damaged")

    files = {"a": always(b"a" * 100_000), "b": gone}
    with pytest.raises(InputError, match="is damaged"):
        commit_on_branch(write_tree({}), "port", (Commit("x", files),))
    assert "port" not in git("branch")


def test_who_has_no_name_is_told(
    repository: None, write_tree: WriteTree, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    with pytest.raises(InputError) as raised:
        commit_on_branch(write_tree({}), "port", (Commit("x", {"a": always(b"a")}),))
    assert "user.name" in raised.value.hint
    assert "port" not in git("branch")


def test_without_a_commit_there_is_nothing_to_stand_on(write_tree: WriteTree, git: Git) -> None:
    root = write_tree({"a": "a"})
    git("init", "-q")
    with pytest.raises(InputError, match="--branch port: git:"):
        commit_on_branch(root, "port", (Commit("x", {"a": always(b"a")}),))
