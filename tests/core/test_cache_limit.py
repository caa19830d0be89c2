from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from porter.core.cache_limit import (
    DEFAULT_LIMIT_BYTES,
    delete_down_to,
    entries,
    limit_bytes,
    mark_used,
    size_bytes,
    tidy,
)
from porter.core.errors import InputError

HOUR = 3600.0


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path))
    monkeypatch.delenv("PORTER_CACHE_LIMIT", raising=False)
    return tmp_path


def put(path: Path, size: int, hours_ago: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    then = time.time() - hours_ago * HOUR
    os.utime(path, (then, then))
    return path


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [
        ("", DEFAULT_LIMIT_BYTES),
        ("0", 0),
        ("1234", 1234),
        ("800M", 800 << 20),
        ("5g", 5 << 30),
        ("2GiB", 2 << 30),
    ],
)
def test_limit(cache: Path, monkeypatch: pytest.MonkeyPatch, text: str, bytes_: int) -> None:
    monkeypatch.setenv("PORTER_CACHE_LIMIT", text)
    assert limit_bytes() == bytes_


@pytest.mark.parametrize("text", ["-1", "5 G", "many", "1.5G"])
def test_what_is_no_limit(cache: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PORTER_CACHE_LIMIT", text)
    with pytest.raises(InputError, match="PORTER_CACHE_LIMIT"):
        limit_bytes()


def test_the_longest_unused_go_first(cache: Path) -> None:
    old = put(cache / "simulator/programs/old", 100, 30)
    used = put(cache / "simulator/programs/used", 100, 40)
    folder = put(cache / "simulator/headers/key/face.h.gch", 100, 20).parent
    put(folder / "face.h", 10, 50)
    fresh = put(cache / "hip-builds/fresh", 100, 1)
    assert size_bytes() == 410
    mark_used(used)
    assert delete_down_to(320) == 100
    assert not old.exists()
    assert folder.exists()
    assert delete_down_to(210) == 110
    assert not folder.exists()
    # What was used within two hours stays, whatever the limit.
    assert delete_down_to(0) == 0
    assert used.exists()
    assert fresh.exists()


def test_other_things_in_the_cache_stay(cache: Path) -> None:
    kept = [put(cache / "zig/o/x", 100, 99), put(cache / "public-programs/outcomes/x.json", 100, 99)]
    put(cache / "precompiled/x.pch", 100, 99)
    assert delete_down_to(0) == 100
    assert all(path.exists() for path in kept)
    assert list(entries()) == []


def test_tidying_is_rare_and_can_be_switched_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = put(cache / "simulator/runtime/a.o", 100, 9)
    monkeypatch.setenv("PORTER_CACHE_LIMIT", "0")
    assert tidy() == 0
    assert first.exists()
    monkeypatch.setenv("PORTER_CACHE_LIMIT", "50")
    assert tidy() == 100
    again = put(cache / "simulator/runtime/b.o", 100, 9)
    assert tidy() == 0
    assert again.exists()
