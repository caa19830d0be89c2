"""What porter imports is what it declares: a package that only the development tools bring is not there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import porter

ROOT = Path(porter.__file__).parent
IMPORTED_AS = {"clang": "libclang"}


def imported() -> Iterator[str]:
    """The top-level packages that porter's own modules import."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0]


def declared() -> set[str]:
    """Requirements of porter and of the extras a user installs, from the project file's text."""
    text = (ROOT.parent / "pyproject.toml").read_text("utf-8").split("\ndev = [")[0]
    return {name.lower() for name in re.findall(r'"([A-Za-z][\w-]*)[><=]=', text)}


def test_every_import_is_declared():
    foreign = set(imported()) - set(sys.stdlib_module_names) - {"porter"}
    assert {"numpy", "typer"} <= foreign
    names = {IMPORTED_AS.get(name, name.replace("_", "-")) for name in foreign}
    assert names - declared() == set()
