"""What a repository says of its checks; whatever is wrong with it names the file, the table and the key."""

from __future__ import annotations

import pytest

from porter.core.check_report import FailOn
from porter.core.errors import InputError
from porter.migrate.check.configuration import CheckConfig, read_check_config
from tests.migrate.conftest import WriteTree

WHOLE = """
select = ["WAV", "SYN003"]
ignore = ["WAV002"]
exclude = ["third_party/*"]
fail-on = "error"
baseline = "porter-baseline.json"
per-file-ignores = { "tests/*" = ["LCH"] }
"""
EXPECTED = CheckConfig(
    select=("WAV", "SYN003"),
    ignore=("WAV002",),
    exclude=("third_party/*",),
    per_file_ignores=(("tests/*", ("LCH",)),),
    fail_on=FailOn.ERROR,
    baseline="porter-baseline.json",
)


@pytest.mark.parametrize(
    ("name", "head"), [("porter.toml", "[check]"), ("pyproject.toml", "[tool.porter.check]")]
)
def test_both_places(write_tree: WriteTree, name: str, head: str) -> None:
    assert read_check_config(write_tree({name: head + WHOLE})) == EXPECTED


@pytest.mark.parametrize("files", [{}, {"porter.toml": "[kernel.k]\n"}, {"pyproject.toml": "[tool.ruff]\n"}])
def test_a_repository_that_says_nothing(write_tree: WriteTree, files: dict[str, str]) -> None:
    assert read_check_config(write_tree(files)) == CheckConfig()


def test_both_at_once_is_an_error(write_tree: WriteTree) -> None:
    root = write_tree({"porter.toml": "[check]\n", "pyproject.toml": "[tool.porter.check]\n"})
    with pytest.raises(InputError, match=r"both .*porter\.toml.* and .*pyproject\.toml"):
        read_check_config(root)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("selct = []", r"\[check\]: unknown key selct"),
        ('select = "WAV"', r"\[check\] select: a list of strings"),
        ('select = ["WAX"]', r"\[check\] select: porter has no finding WAX"),
        ('select = [""]', "porter has no finding"),
        ("exclude = [1]", r"\[check\] exclude: a list of strings"),
        ('fail-on = "warn"', r"fail-on: it is one of error, warning, note, never"),
        ("fail-on = []", "fail-on: it is one of"),
        ("baseline = 3", "baseline: a string"),
        ("per-file-ignores = []", "a table of patterns"),
        ('per-file-ignores = { "a" = ["XYZ"] }', "per-file-ignores a: porter has no finding XYZ"),
        ("select = [", "Invalid value|Unclosed|Expected"),
    ],
)
def test_what_is_wrong(write_tree: WriteTree, table: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        read_check_config(write_tree({"porter.toml": f"[check]\n{table}\n"}))
    assert "porter.toml" in error.value.message


def test_a_check_that_is_no_table(write_tree: WriteTree) -> None:
    with pytest.raises(InputError, match="a table is expected"):
        read_check_config(write_tree({"porter.toml": "check = 3\n"}))
