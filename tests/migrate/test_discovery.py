"""Which files are looked at: git's own, less those ignored; loops, submodules and odd names do no harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.migrate.discovery import (
    Listed,
    Tree,
    all_names,
    find_files,
    find_tree,
    holds_cuda,
    is_hip_alone,
    whole_tree,
)
from tests.migrate.conftest import Git, WriteTree

KERNEL = "__global__ void k() {}\n"
BYTE_NAME = os.fsdecode(b"caf\xe9.cu")


def names(*paths: Path) -> list[str]:
    return [file.name for file in find_files(find_tree(paths), paths)]


def test_a_tree_without_git_is_walked_and_hidden_folders_are_left_out(write_tree: WriteTree) -> None:
    root = write_tree({"b/x.cu": KERNEL, "a.cuh": "", "c.cpp": "", "d.py": "", ".venv/y.cu": KERNEL})
    assert names(root) == ["a.cuh", "c.cpp", "b/x.cu"]


def test_git_decides_what_counts_and_untracked_files_do(write_tree: WriteTree, git: Git) -> None:
    root = write_tree({".gitignore": "build/\n", "a.cu": KERNEL, "build/gen.cu": KERNEL, "new.cu": KERNEL})
    git("init", "-q")
    git("add", "a.cu")
    assert names(root) == ["new.cu", "a.cu"]
    (root / "a.cu").unlink()
    assert names(root) == ["new.cu"]


def test_porterignore_takes_away_in_its_folder_and_below(write_tree: WriteTree) -> None:
    files = {
        ".porterignore": "third_party/\n*_generated.cu\n!keep_generated.cu\n",
        "src/.porterignore": "/old.cu\n",
        **dict.fromkeys(
            ("third_party/a.cu", "x_generated.cu", "src/keep_generated.cu", "src/old.cu"), KERNEL
        ),
        **dict.fromkeys(("src/deep/old.cu", "src/new.cu"), KERNEL),
    }
    assert names(write_tree(files)) == ["src/keep_generated.cu", "src/new.cu", "src/deep/old.cu"]


@pytest.mark.parametrize("with_git", [False, True])
def test_links_are_not_followed_so_that_loops_are_no_matter(
    write_tree: WriteTree, git: Git, *, with_git: bool
) -> None:
    root = write_tree({"a/x.cu": KERNEL})
    (root / "a" / "loop").symlink_to(root)
    (root / "self.cu").symlink_to("self.cu")
    (root / "again.cu").symlink_to("a/x.cu")
    if with_git:
        git("init", "-q")
    assert names(root) == ["a/x.cu"]


@pytest.mark.parametrize("with_git", [False, True])
def test_what_a_kill_left_half_written_is_no_part_of_the_tree(
    write_tree: WriteTree, git: Git, *, with_git: bool
) -> None:
    left = ".porter-0123456789abcdef"
    root = write_tree({"a.cu": "", f"{left}/b.cu": "", f"sub/{left}": "", ".porter-base.json": ""})
    if with_git:
        git("init", "-q")
    assert names(root) == ["a.cu"]
    assert list(all_names(whole_tree(root))) == [".porter-base.json", "a.cu"]


@pytest.mark.parametrize("with_git", [False, True])
def test_a_name_that_is_no_utf8_is_a_name(write_tree: WriteTree, git: Git, *, with_git: bool) -> None:
    root = write_tree({BYTE_NAME: KERNEL, "new\nline.cu": KERNEL})
    if with_git:
        git("init", "-q")
    assert set(names(root)) == {BYTE_NAME, "new\nline.cu"}


def test_submodules_and_nested_repositories_are_left_alone(
    write_tree: WriteTree, git: Git, tmp_path: Path
) -> None:
    root = write_tree({"a.cu": KERNEL, "inner/b.cu": KERNEL})
    git("init", "-q")
    git("-C", "inner", "init", "-q")
    git("-C", "inner", "add", ".")
    git("-C", "inner", "commit", "-qm", "x")
    git("submodule", "-q", "add", str(tmp_path / "tree" / "inner"), "sub")
    assert names(root) == ["a.cu"]
    (root / ".git").rename(tmp_path / "away")
    assert names(root) == ["a.cu"]


def test_a_file_in_conflict_is_listed_once(write_tree: WriteTree, git: Git) -> None:
    root = write_tree({"a.cu": "1\n"})
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "1")
    for branch, text in (("left", "2\n"), ("main", "3\n")):
        git("checkout", "-q", *(["-b", branch] if branch == "left" else [branch]))
        write_tree({"a.cu": text})
        git("commit", "-qam", text)
    with pytest.raises(Exception, match="merge"):
        git("merge", "left")
    assert names(root) == ["a.cu"]


def test_overlapping_paths_give_each_file_once_and_named_ones_as_named(write_tree: WriteTree) -> None:
    root = write_tree({"a/x.cu": KERNEL, "a/y.cu": KERNEL, "b.txt": KERNEL})
    paths = (root / "a", root, root / "a" / "x.cu", root / "b.txt")
    found = list(find_files(find_tree((root,)), paths))
    assert found == [Listed("a/x.cu", True), Listed("b.txt", True), Listed("a/y.cu")]


def test_files_come_while_the_tree_is_read(write_tree: WriteTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_tree({f"d{i}/x.cu": KERNEL for i in range(3)})
    walked: list[str] = []
    whole = os.walk

    def counting(top: Path) -> object:
        for item in whole(top):
            walked.append(item[0])
            yield item

    monkeypatch.setattr(os, "walk", counting)
    first = next(find_files(Tree(root, False), (root,)))
    assert (first.name, len(walked)) == ("d0/x.cu", 2)


def test_what_does_not_exist_or_lies_elsewhere_is_an_error(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"a.cu": KERNEL})
    with pytest.raises(InputError, match="no such file"):
        find_tree((root / "b.cu",))
    with pytest.raises(InputError, match="is not in"):
        list(find_files(Tree(root, False), (tmp_path,)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_passed_over(write_tree: WriteTree) -> None:
    root = write_tree({"a.cu": KERNEL, "closed/b.cu": KERNEL})
    (root / "closed").chmod(0)
    assert names(root) == ["a.cu"]
    (root / "closed").chmod(0o700)


@pytest.mark.parametrize(
    ("name", "named", "expected"),
    [("a.cu", False, True), ("a.h", False, False), ("a.h", True, False), ("kernel.txt", True, True)],
)
def test_what_is_cuda_by_its_name(name: str, *, named: bool, expected: bool) -> None:
    assert Listed(name, named).is_cuda_by_name is expected


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.cpp", b"cudaMalloc(&p, 4);", True),
        ("a.cpp", b"k<<<1, 2>>>();", True),
        ("a.cpp", b"CUdevice d;", True),
        ("a.cpp", b"int main() { return accurate; }", False),
        ("a.cpp", b"", False),
        ("a.hip", b"__global__ void k(); void f() { k<<<1, 2>>>(); }", False),
        ("a.hip", b"#include <hip/hip_runtime.h>", False),
        ("a.hip", b"cudaMalloc(&p, 4);", True),
        ("a.hip", b"#include <cuda_runtime.h>", True),
    ],
)
def test_the_quick_look_for_cuda(name: str, data: bytes, *, expected: bool) -> None:
    assert holds_cuda(name, data) is expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.hip", "#include <hip/hip_runtime.h>\n// was cudaMalloc\n", True),
        ("a.hip", "#include <hip/hip_runtime.h>\nvoid f() { cudaDeviceReset(); }\n", False),
        ("a.hip", "#include <cuda_runtime.h>\n__global__ void k();\n", False),
        ("a.cu", "#include <hip/hip_runtime.h>\n", False),
    ],
)
def test_a_word_of_cuda_in_a_comment_makes_no_cuda_of_hip(name: str, text: str, *, expected: bool) -> None:
    assert is_hip_alone(name, read_translation_unit(SourceText(name, text.encode()))) is expected
