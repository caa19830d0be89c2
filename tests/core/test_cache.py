"""Texts in the cache are whole, or not there."""

from __future__ import annotations

from pathlib import Path

from porter.core.cache import keep_text


def test_a_text_is_kept_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept.cu"
    keep_text(path, "first, and longer")
    with path.open() as reader:
        keep_text(path, "second")
        assert reader.read() == "first, and longer"
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]
