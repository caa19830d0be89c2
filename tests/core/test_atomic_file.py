"""Files are whole, or as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.core.atomic_file import make_folder_on_disk, write_atomically


def test_a_reader_keeps_what_it_has_opened_and_nothing_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept.cu"
    write_atomically(path, "first, and longer")
    with path.open() as reader:
        write_atomically(path, "second")
        assert reader.read() == "first, and longer"
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "port.hip"
    path.write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["port.hip"]


def test_a_file_takes_the_permissions_of_another(tmp_path: Path) -> None:
    model = tmp_path / "run.sh"
    model.touch(mode=0o700)
    write_atomically(tmp_path / "port", b"new", like=model, on_disk=True)
    write_atomically(tmp_path / "other", b"new", like=tmp_path / "missing")
    assert (tmp_path / "port").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "port").read_bytes() == (tmp_path / "other").read_bytes() == b"new"


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_atomically(path, b"x")
    assert path.read_bytes() == b"x"


def test_a_folder_that_is_none_is_told_by_the_name_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        write_atomically(tmp_path / "none" / "port", b"x")
    assert raised.value.filename == str(tmp_path / "none" / "port")


def test_the_name_is_on_the_disk_after_the_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a loss of power can take is what was not synchronised: contents, the new name, each new folder."""
    order: list[str] = []
    replace = Path.replace

    def synchronised(descriptor: int) -> None:
        order.append(os.readlink(f"/proc/self/fd/{descriptor}"))

    def replaced(self: Path, target: Path) -> Path:
        order.append("replaced")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synchronised)
    monkeypatch.setattr(Path, "replace", replaced)
    make_folder_on_disk(tmp_path / "a" / "b")
    write_atomically(tmp_path / "a" / "b" / "f", b"x", on_disk=True)
    assert order[:2] == [str(tmp_path / "a"), str(tmp_path)]
    assert order[2].startswith(str(tmp_path / "a/b/.porter-"))
    assert order[3:] == ["replaced", str(tmp_path / "a/b")]
