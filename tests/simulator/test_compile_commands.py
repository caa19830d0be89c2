"""Compilation databases: the settings of the sources asked for, and only those."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.simulator.compile_commands import CompileSettings, read_compile_commands


def database(folder: Path, entries: object) -> Path:
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def test_options_in_one_argument_and_in_two(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        [
            {
                "directory": str(tmp_path / "build"),
                "command": "nvcc -I../include -I third -isystem /opt/x -DN=4 -D M '-DNAME=\"a b\"' ../a.cu",
                "file": "../a.cu",
            },
            {"directory": str(tmp_path), "arguments": ["nvcc", "-DOTHER", "b.cu"], "file": "b.cu"},
        ],
    )
    assert read_compile_commands(path, [tmp_path / "a.cu"]) == CompileSettings(
        (tmp_path / "include", tmp_path / "build" / "third", Path("/opt/x")), ("N=4", "M", 'NAME="a b"')
    )
    both = read_compile_commands(path, [tmp_path / "a.cu", tmp_path / "b.cu"])
    assert both.defines == ("N=4", "M", 'NAME="a b"', "OTHER")


def test_long_options_and_repetitions(tmp_path: Path) -> None:
    arguments = ["nvcc", "--include-path=inc", "-Iinc", "--define-macro", "X", "-DX", "k.cu"]
    path = database(tmp_path, [{"file": "k.cu", "arguments": arguments}])
    assert read_compile_commands(path, [tmp_path / "k.cu"]) == CompileSettings((tmp_path / "inc",), ("X",))


@pytest.mark.parametrize("content", ["{", "{}", "[1]", '[{"directory": "/"}]'])
def test_what_is_no_database(tmp_path: Path, content: str) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        read_compile_commands(path, [tmp_path / "k.cu"])


def test_a_source_that_is_not_in_it(tmp_path: Path) -> None:
    path = database(tmp_path, [{"file": "k.cu", "arguments": []}])
    with pytest.raises(InputError, match=r"no command compiles .*other\.cu"):
        read_compile_commands(path, [tmp_path / "other.cu"])
