"""Lines that changed since a commit, as git tells them; expected values are written down by hand."""

from __future__ import annotations

import os

import pytest

from porter.core.errors import InputError
from porter.migrate.check.changes import FileChange, changes_since
from tests.migrate.conftest import Git, WriteTree

BYTE_NAME = os.fsdecode(b"caf\xe9 \xff.cu")
TEN = "".join(f"int a{i};\n" for i in range(1, 11))


def committed(write_tree: WriteTree, git: Git, files: dict[str, str]) -> None:
    write_tree(files)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "first")


def test_new_deleted_renamed_and_untracked(write_tree: WriteTree, git: Git) -> None:
    files = dict.fromkeys(("edited.cu", "cut.cu", "gone.cu", "old.cu", "same.cu", BYTE_NAME), TEN)
    files = {name: text + f"// {i}\n" for i, (name, text) in enumerate(files.items())}
    committed(write_tree, git, files)
    git("checkout", "-q", "-b", "work")
    root = write_tree(
        {
            "edited.cu": files["edited.cu"].replace("int a3;", "int b3;\nint c3;").replace("a9", "b9"),
            "cut.cu": files["cut.cu"].replace("int a4;\n", ""),
            BYTE_NAME: files[BYTE_NAME] + "int z;\n",
            "new one.cu": "int n;\n",
        }
    )
    git("rm", "-q", "gone.cu")
    git("mv", "old.cu", "now.cu")
    assert changes_since(root, "main") == {
        "edited.cu": FileChange(lines=((3, 4), (10, 10))),
        "cut.cu": FileChange(gaps=(3,)),
        "now.cu": FileChange(),
        BYTE_NAME: FileChange(lines=((12, 12),)),
        "new one.cu": FileChange(whole=True),
    }


def test_since_the_branch_left_and_not_what_the_base_did_since(write_tree: WriteTree, git: Git) -> None:
    committed(write_tree, git, {"a.cu": TEN, "b.cu": TEN})
    git("checkout", "-q", "-b", "work")
    root = write_tree({"a.cu": TEN + "int mine;\n"})
    git("commit", "-qam", "mine")
    git("checkout", "-q", "main")
    write_tree({"b.cu": "int theirs;\n"})
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "work")
    assert changes_since(root, "main") == {"a.cu": FileChange(lines=((11, 11),))}


def test_lines_that_look_like_a_patch_are_lines(write_tree: WriteTree, git: Git) -> None:
    committed(write_tree, git, {"a.cu": TEN, "b.cu": TEN})
    text = "@@ -1,2 +7,9 @@\ndiff --git a/x b/x\n" + TEN
    root = write_tree({"a.cu": text, "b.cu": text})
    assert changes_since(root, "HEAD") == dict.fromkeys(("a.cu", "b.cu"), FileChange(lines=((1, 2),)))


def test_settings_and_attributes_hide_no_lines(write_tree: WriteTree, git: Git) -> None:
    committed(write_tree, git, {"a.cu": TEN, ".gitattributes": "*.cu -diff\n"})
    settings = ("interHunkContext=9", "noprefix=true", "mnemonicPrefix=true", "external=false", "orderFile=x")
    for setting in settings:
        git("config", *f"diff.{setting}".split("="))
    write_tree({"x": "b*\n"})
    root = write_tree({"a.cu": TEN.replace("a2;", "b2;").replace("a6;", "b6;")})
    assert changes_since(root, "HEAD")["a.cu"] == FileChange(lines=((2, 2), (6, 6)))


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "HEAD~5", ""])
def test_what_is_no_commit_is_an_error(write_tree: WriteTree, git: Git, base: str) -> None:
    committed(write_tree, git, {"a.cu": TEN})
    with pytest.raises(InputError, match="no such commit"):
        changes_since(write_tree({}), base)


def test_histories_without_a_common_commit(write_tree: WriteTree, git: Git) -> None:
    committed(write_tree, git, {"a.cu": TEN})
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "other")
    with pytest.raises(InputError, match="no commit in common"):
        changes_since(write_tree({}), "main")


@pytest.mark.parametrize(
    ("first", "last", "touches", "alters"),
    [
        (1, 2, False, False),
        (2, 4, True, True),
        (5, 7, False, True),
        (7, 9, False, False),
        (4, 6, False, False),
    ],
)
def test_ranges(first: int, last: int, *, touches: bool, alters: bool) -> None:
    change = FileChange(lines=((3, 3),), gaps=(6,))
    assert (change.touches(first, last), change.alters(first, last)) == (touches, alters)
