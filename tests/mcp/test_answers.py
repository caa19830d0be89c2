"""Paths that stay inside, and answers that fit."""

import json
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.mcp.bounded import MOST_CHARACTERS, bounded
from porter.mcp.root import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "tree" / "out").symlink_to(tmp_path)
    return Root.of(tmp_path / "tree")


@pytest.mark.parametrize("name", ["k.cu", "inner/../k.cu", "./k.cu", "out/tree/k.cu"])
def test_a_path_inside(root: Root, name: str) -> None:
    assert root.file(name) == Path("k.cu")


@pytest.mark.parametrize("name", ["../k.cu", "/etc/passwd", "out/k.cu", "inner/../../k.cu", "a\0b"])
def test_a_path_outside(root: Root, name: str) -> None:
    with pytest.raises(InputError):
        root.file(name)


def test_a_root_that_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        Root.of(tmp_path / "missing")


def test_a_short_answer_is_whole() -> None:
    document = {"a": [1, 2, {"b": "x" * 1000}], "exit_code": 0}
    assert bounded(document) == document


@pytest.mark.parametrize(
    "long",
    [{"text": "x" * 10**6}, {"list": list(range(10**5))}, {"deep": [{"a": ["y" * 2000] * 60}] * 60}],
)
def test_a_long_answer_is_cut_and_says_so(long: dict[str, object]) -> None:
    answer = bounded({**long, "exit_code": 1, "run_directory": "r"})
    assert len(json.dumps(answer)) <= MOST_CHARACTERS
    assert (answer["exit_code"], answer["run_directory"]) == (1, "r")
    assert "cut" in json.dumps(answer)
