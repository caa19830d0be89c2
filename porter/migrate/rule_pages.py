"""The pages of the rules, made of their docstrings; `python -m porter.migrate.rule_pages` writes them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from porter.migrate.pages import pages
from porter.rules import Rule, all_rules

FOLDER = Path("docs") / "rules"
_HEADINGS = ("What it finds", "Why it matters", "What porter does", "Example")
_FAMILIES = {
    "API": "Calls and types",
    "CHK": "The check itself",
    "LCH": "Launches",
    "LIB": "Libraries",
    "MEM": "Memory",
    "NUM": "Numerics",
    "PTX": "Inline assembly",
    "SYN": "Synchronisation",
    "WAV": "Warps and wavefronts",
}


def rule_pages() -> Mapping[str, str]:
    """Every page by its file name: one for each rule, and the list of them."""
    return {"README.md": _index(), **{f"{rule.code}.md": _page(rule) for rule in all_rules()}}


def _page(rule: Rule) -> str:
    first, *parts = rule.doc.strip().split("\n\n")
    lines = [f"# {rule.name} ({rule.code})", "", first, ""]
    for part in parts:
        heading, _, text = part.partition(": ")
        if heading in _HEADINGS:
            lines += [f"## {heading}", "", text[:1].upper() + text[1:], ""]
        else:
            lines += [part, ""]
    if rule.fixable:
        lines += ["`porter check --fix` can fix it.", ""]
    if rule.answered:
        lines += ["A port by porter is right about it; it matters to those who keep the source.", ""]
    return "\n".join(lines)


def _index() -> str:
    lines = ["# Findings", ""]
    lines += [
        "Made of the rules themselves; `porter explain CODE` prints the same. With * `--fix` can fix it.",
        "",
    ]
    listed = pages()
    for family, title in _FAMILIES.items():
        own = (page for page in listed.values() if page.code.startswith(family))
        codes = [page for page in own if page.name or family == "CHK"]
        if not codes:
            continue
        lines += [f"## {title}", "", "| code | name | what it finds |", "|---|---|---|"]
        for page in codes:
            code = f"[{page.code}]({page.code}.md)" if page.name else page.code
            summary = page.summary.replace("|", "\\|")
            lines.append(f"| {code}{'*' if page.fixable else ''} | {page.name} | {summary} |")
        lines.append("")
    return "\n".join(lines)


def write_pages(folder: Path) -> None:
    """Makes `folder` hold the pages and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = rule_pages()
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
