"""`.porterignore` means what a `.gitignore` would: git itself is asked about the same files."""

from __future__ import annotations

import pytest

from porter.migrate.ignore_patterns import IgnoreFile
from tests.migrate.conftest import Git, WriteTree

NAMES = (
    *("a.cu", "b.cu", "x/a.cu", "x/y/a.cu", "x/y/b.cu", "build/a.cu", "x/build/a.cu", "x/build"),
    *("a1.cu", "a2.cu", "a-.cu", "#a.cu", "!a.cu", "a .cu", "deep/er/still/z.cu", "x/y/z/w.cu"),
)
PATTERNS = (
    *(
        "a.cu",
        "/a.cu",
        "x/a.cu",
        "/x/a.cu",
        "build/",
        "/build",
        "x/*",
        "x/**",
        "**/a.cu",
        "x/**/a.cu",
        "*.cu",
    ),
    *(
        "a[12].cu",
        "a[!12].cu",
        "a[0-9].cu",
        "a?.cu",
        "\\#a.cu",
        "# comment",
        "\\!a.cu",
        "**/y/",
        "deep/**/z.cu",
    ),
    *(
        "*.cu\n!a.cu",
        "x/\n!x/a.cu",
        "x/*\n!x/y\n",
        "",
        "[",
        "*\n!*/\n!b.cu",
        "a.cu   ",
        "still",
        "x/y/*/w.cu",
    ),
)


def test_as_git_sees_it(write_tree: WriteTree, git: Git) -> None:
    write_tree({name: "" for name in NAMES if name != "x/build"})
    git("init", "-q")
    for text in PATTERNS:
        write_tree({".gitignore": text + "\n"})
        others = git("ls-files", "-z", "--others", "--exclude-standard").split("\0")
        ours = [name for name in NAMES if name != "x/build" and not IgnoreFile.parse(text).ignores(name)]
        assert sorted(set(others) - {"", ".gitignore"}) == sorted(ours), text


@pytest.mark.parametrize(
    ("text", "path", "ignored"),
    [
        ("build/\n", "x/build/a.cu", True),
        ("build/\n", "build", False),
        ("/a.cu\n", "x/a.cu", False),
        ("x/*.cu\n", "x/y/a.cu", False),
        ("x/**/a.cu\n", "x/a.cu", True),
        ("*.cu\n!a.cu\n", "x/a.cu", False),
        ("*.cu\n!a.cu\n", "x/b.cu", True),
        ("x/\n!x/a.cu\n", "x/a.cu", True),
        ("a[!12].cu\n", "a3.cu", True),
        ("a[!12].cu\n", "a1.cu", False),
        ("\\#a\n", "#a", True),
        ("# a\n", "# a", False),
    ],
)
def test_patterns(text: str, path: str, *, ignored: bool) -> None:
    assert IgnoreFile.parse(text).ignores(path) is ignored
