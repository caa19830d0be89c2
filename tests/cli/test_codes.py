"""Every code in the source is one that `porter explain` knows, and the other way round."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import porter
from porter.cli.explain import explain, meanings
from porter.cuda.codes import CODES as FRONT_END
from porter.harness.codes import CODES as HARNESS
from porter.harness.isa.codes import CODES as ISA
from porter.hip.codes import CODES as HIP
from porter.pipeline.codes import CODES as PIPELINE
from porter.pipeline.remedies import REMEDIES
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


def test_the_page_of_the_triton_compilers_codes_says_what_porter_explains():
    text = (ROOT.parent / "docs" / "triton-codes.md").read_text("utf-8")
    rows = re.findall(r"^\| (TIL\d{3}) \| (.*) \| (.*) \|$", text, re.MULTILINE)
    codes = sorted(code for code in meanings() if code.startswith("TIL"))
    assert rows == [(code, meanings()[code], REMEDIES[code]) for code in codes]


def test_explain_says_what_to_do(capsys):
    explain("til004")
    assert capsys.readouterr().out.split("\n")[::2][:2] == [
        "TIL004 a device function calls itself",
        "What to do: write the recursion as a loop, with an array for a stack.",
    ]
