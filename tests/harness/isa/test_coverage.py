"""The figures in the documentation are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porter
from porter.harness.isa.coverage import hand_written, supported

pytest.importorskip("tinygrad")


def test_the_page_states_what_is_supported() -> None:
    page = (Path(porter.__file__).parents[1] / "docs" / "isa.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-zA-Z ,]+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert {name: (int(some), int(of)) for name, some, of in rows} == dict(supported())
    assert f"Of the arithmetic {hand_written()} instructions are written by hand" in page
