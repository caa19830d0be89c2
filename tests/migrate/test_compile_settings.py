"""A tree's compilation database: found, chosen, or broken and told."""

from __future__ import annotations

import json
import os

import pytest

from porter.core.errors import InputError
from porter.migrate.compile_settings import TreeSettings, find_database, read_settings
from porter.migrate.discovery import Tree
from porter.simulator.compile_commands import CompileSettings
from tests.migrate.conftest import WriteTree


def database(*commands: str, file: str = "a.cu") -> str:
    return json.dumps([{"directory": "..", "file": file, "command": command} for command in commands])


def test_settings_of_files_relative_to_the_root(write_tree: WriteTree) -> None:
    root = write_tree(
        {"build/compile_commands.json": database("nvcc -Iinc -DN=3 -c a.cu", "nvcc -isystem sys a.cu")}
    )
    settings = read_settings(Tree(root, False))
    assert settings.of("a.cu") == CompileSettings((root / "inc", root / "sys"), ("N=3",))
    assert settings.of("a.h") == CompileSettings()
    assert settings.broken == ""


def test_a_tree_without_one(write_tree: WriteTree) -> None:
    assert read_settings(Tree(write_tree({"a.cu": ""}), False)) == TreeSettings()


def test_the_root_wins_then_the_newest_build(write_tree: WriteTree) -> None:
    root = write_tree({"build-old/compile_commands.json": "[]", "out/compile_commands.json": "[]"})
    os.utime(root / "build-old" / "compile_commands.json", (1, 1))
    assert find_database(root) == root / "out" / "compile_commands.json"
    write_tree({"compile_commands.json": "[]"})
    assert find_database(root) == root / "compile_commands.json"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("{}", "no compilation database"),
        ('[{"directory": "."}]', "no compilation database"),
        (database("nvcc -DX='unclosed a.cu"), "the command of a.cu: No closing quotation"),
    ],
)
def test_a_broken_one_is_told_or_refused_when_it_was_chosen(
    write_tree: WriteTree, text: str, message: str
) -> None:
    root = write_tree({"compile_commands.json": text})
    found = read_settings(Tree(root, False))
    assert (found.path, found.by_name) == ("compile_commands.json", {})
    assert found.broken.startswith(message)
    with pytest.raises(InputError, match=message):
        read_settings(Tree(root, False), root / "compile_commands.json")
