"""Every code in the source is one that `porter explain` knows, and the other way round."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import porter
from porter.cli.explain import meanings
from porter.cuda.codes import CODES as FRONT_END
from porter.harness.codes import CODES as HARNESS
from porter.harness.isa.codes import CODES as ISA
from porter.hip.codes import CODES as HIP
from porter.pipeline.codes import CODES as PIPELINE
from porter.rules import all_rules
from porter.simulator.codes import CODES as SIMULATOR
from porter.tile.codes import CODES as TILE

ROOT = Path(porter.__file__).parent
CODE = re.compile(r'"([A-Z]{3}\d{3})"')
SUFFIXES = {".py", ".toml", ".cpp", ".h", ".c"}


def emitted() -> set[str]:
    """The codes written as literals anywhere but in the tables."""
    files = [p for p in ROOT.rglob("*") if p.suffix in SUFFIXES and p.name != "codes.py"]
    return {code for path in files for code in CODE.findall(path.read_text("utf-8"))}


def test_every_emitted_code_is_explained():
    assert len(emitted()) > 80
    assert emitted() - set(meanings()) == set()


def test_no_table_explains_a_code_that_nothing_emits():
    assert set(meanings()) - emitted() == set()


def test_a_code_stands_in_one_table():
    tables = [FRONT_END, HIP, TILE, SIMULATOR, HARNESS, ISA, PIPELINE, [rule.code for rule in all_rules()]]
    counts = Counter(code for table in tables for code in table)
    assert [code for code, count in counts.items() if count > 1] == []


def listed(page: str) -> dict[str, str]:
    """The codes of a page's table, with what it says of each."""
    text = (ROOT.parent / "docs" / page).read_text("utf-8")
    return dict(re.findall(r"^\| (TIL\d{3}) \| (.*) \|$", text, re.MULTILINE))


def test_the_page_on_the_kernel_ir_lists_the_codes_of_lowering():
    assert set(listed("kernel-ir.md")) == {code for code in FRONT_END if code.startswith("TIL")}


def test_the_page_on_triton_has_all_other_codes_as_they_are_explained():
    codes = {code: text for code, text in meanings().items() if code.startswith("TIL")}
    assert listed("triton.md") == {code: text for code, text in codes.items() if code not in FRONT_END}
