"""What is wrong with a file as a whole is said; nothing large is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.migrate.source_files import Unusable, read_source_file

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [(LFS, "CHK003"), (b"int a;\0", "CHK001"), (b"// \xe9\xff\n", None), (b"", None)],
)
def test_contents(tmp_path: Path, data: bytes, code: str | None) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    read = read_source_file(path)
    assert (read.code if isinstance(read, Unusable) else None) == code
    assert isinstance(read, Unusable) or read == data


def test_a_generated_file_of_200_mb_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cu"
    with path.open("wb") as out:
        out.truncate(200 << 20)

    def never(self: Path) -> bytes:
        raise AssertionError(f"{self} was read")

    monkeypatch.setattr(Path, "read_bytes", never)
    read = read_source_file(path)
    assert isinstance(read, Unusable)
    assert (read.code, "200 MiB" in read.message) == ("CHK002", True)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    read = read_source_file(tmp_path / "a.cu")
    assert isinstance(read, Unusable)
    assert read.message == "cannot be read: No such file or directory"
