"""Which files include which, and whom a header belongs to."""

from __future__ import annotations

import pytest

from porter.migrate.include_graph import IncludeGraph, include_targets

FILES = {
    "src/main.cu": b'#include "kernel.cuh"\n#include <lib/math.h>\n',
    "src/other.cu": b'#  include "../inc/kernel.cuh"\n',
    "src/kernel.cuh": b'#include "detail/impl.h"\n',
    "src/detail/impl.h": b'#if 0\n#include "../kernel.cuh"\n#endif\n',
    "inc/kernel.cuh": b"#include <math.h>\n",
    "inc/lib/math.h": b"",
    "alone.cu": b'// #include "kernel.cuh"\nconst char* s = "#include <lib/math.h>";\n',
}
GRAPH = IncludeGraph.of({name: include_targets(data) for name, data in FILES.items()})


def test_the_file_beside_wins_and_others_match_by_the_end_of_their_path() -> None:
    assert GRAPH.includes["src/main.cu"] == ("src/kernel.cuh", "inc/lib/math.h")
    assert GRAPH.includes["src/other.cu"] == ("inc/kernel.cuh",)
    assert GRAPH.includes["inc/kernel.cuh"] == ("inc/lib/math.h",)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src/main.cu", {"src/kernel.cuh", "src/detail/impl.h", "inc/lib/math.h"}),
        ("src/kernel.cuh", {"src/detail/impl.h"}),
        ("alone.cu", set()),
    ],
)
def test_below(name: str, expected: set[str]) -> None:
    assert GRAPH.below(name) == expected


@pytest.mark.parametrize(
    ("header", "owners"),
    [
        ("inc/lib/math.h", ("src/main.cu", "src/other.cu")),
        ("src/detail/impl.h", ("src/main.cu",)),
        ("inc/kernel.cuh", ("src/other.cu",)),
        ("alone.cu", ()),
    ],
)
def test_owners(header: str, owners: tuple[str, ...]) -> None:
    assert GRAPH.owners(header) == owners


def test_names_that_are_no_utf8() -> None:
    data = b'#include "caf\xe9.h"\n'
    graph = IncludeGraph.of({"a.cu": include_targets(data), "caf\udce9.h": ()})
    assert graph.includes["a.cu"] == ("caf\udce9.h",)
