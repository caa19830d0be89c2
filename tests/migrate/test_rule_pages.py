"""The pages in `docs/rules/` are those that the rules make now."""

from __future__ import annotations

from pathlib import Path

from porter.migrate.rule_pages import FOLDER, rule_pages, write_pages
from porter.rules import all_rules

ROOT = Path(__file__).parents[2]


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_the_pages_are_current() -> None:
    assert read(ROOT / FOLDER) == rule_pages(), "run python -m porter.migrate.rule_pages"


def test_a_page_has_its_headings_and_nothing_is_left_over() -> None:
    for rule in all_rules():
        text = rule_pages()[f"{rule.code}.md"]
        headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
        assert headings == ["What it finds", "Why it matters", "What porter does", "Example"], rule.code


def test_pages_of_rules_that_are_gone_go(tmp_path: Path) -> None:
    (tmp_path / "OLD001.md").touch()
    (tmp_path / "keep.txt").touch()
    write_pages(tmp_path)
    assert {*read(tmp_path)} == {*rule_pages(), "keep.txt"}
