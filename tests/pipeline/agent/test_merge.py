"""Modules become one: what each function computes stays the same, and what cannot be merged is refused."""

from __future__ import annotations

import pytest

from porter.pipeline.agent.merge import CannotMerge, merge_module

BASE = '''\
"""Two kernels."""

import math

LIMIT = 3


# Adds the limit.
def first(x):
    return _scale(x) + LIMIT


def _scale(x):
    return 2 * x


if __name__ == "__main__":
    raise SystemExit(first(1))
'''

SECOND = '''\
"""Of a model."""
from __future__ import annotations
import math
from functools import reduce

LIMIT: int = 10  # another one
TABLE = (1, 2)


def _scale(x, LIMIT=LIMIT):
    """`LIMIT` here is the parameter."""
    return LIMIT * x


def twice(f):
    return lambda *a: 2 * f(*a)


@twice
def second(x):
    y = _scale(x) + LIMIT
    return reduce(max, TABLE, y) + math.gcd(4, 6) + _scale(x, LIMIT=1)


if __name__ == "__main__":
    raise SystemExit(1)
'''


def names_of(text: str) -> dict[str, object]:
    found: dict[str, object] = {"__name__": "merged"}
    exec(compile(text, "merged.py", "exec"), found)
    return found


def test_each_function_computes_what_it_did() -> None:
    """second(5): y = 10 * 5 + 10 = 60; max(1, 2, 60) + 2 + 5 = 67; doubled 134. first(5) = 10 + 3."""
    merged = merge_module(BASE, "second", SECOND)
    found = names_of(merged)
    assert found["first"](5) == 13  # type: ignore[operator]
    assert found["second"](5) == 134  # type: ignore[operator]
    assert merged.index("from __future__") < merged.index("import math")
    assert merged.count("import math") == 1
    assert merged.rstrip().endswith("raise SystemExit(first(1))")
    assert "SystemExit(1)" not in merged
    assert "# Adds the limit.\ndef first" in merged
    assert '"""Two kernels."""' in merged
    assert "Of a model" not in merged


def test_a_third_module_and_equal_definitions() -> None:
    third = "LIMIT = 3\n\n\ndef third(x):\n    return x + LIMIT\n"
    merged = merge_module(merge_module(BASE, "second", SECOND), "third", third)
    assert names_of(merged)["third"](5) == 8  # type: ignore[operator]
    assert merged.count("LIMIT = 3") == 1


def test_without_a_base_the_module_stays_as_it_is() -> None:
    assert merge_module("", "second", SECOND) == SECOND


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("print('hello')\n\n\ndef k(x):\n    return x\n", "line 1 does something"),
        ("import os as math\n\n\ndef k(x):\n    return x\n", "`import os as math` here"),
        ("from os import LIMIT\n\n\ndef k(x):\n    return x\n", "LIMIT is imported here"),
        ("LIMIT = 4\n\n\ndef k(x):\n    global LIMIT\n    return LIMIT\n", "LIMIT is bound"),
        ("LIMIT = 4\n\n\ndef k(x):\n    def LIMIT():\n        pass\n", "LIMIT is bound"),
    ],
)
def test_what_would_change_its_meaning_is_refused(module: str, reason: str) -> None:
    with pytest.raises(CannotMerge, match=reason):
        merge_module(BASE, "k", module)


def test_imports_that_mean_the_same_are_one() -> None:
    base = "import triton\nimport triton.language as tl\n\n\ndef first(x):\n    return tl\n"
    other = "import triton.language\nfrom triton import language as tl\n\n\ndef k(x):\n    return tl\n"
    merged = merge_module(base, "k", other)
    assert merged.startswith("import triton\nimport triton.language as tl\n\n\ndef first")
    assert "from triton" not in merged
    with pytest.raises(CannotMerge, match="tl is"):
        merge_module(base, "k", "from triton.language import math as tl\n\n\ndef k(x):\n    return tl\n")


def test_a_launcher_keeps_its_name() -> None:
    with pytest.raises(CannotMerge, match="there is a first already"):
        merge_module(BASE, "first", "def first(x):\n    return x + 1\n")
