"""What a change reaches: through macros, constants and device functions, over any number of headers."""

from __future__ import annotations

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.migrate.check.affected import changed_definitions, with_affected
from porter.migrate.check.changes import FileChange
from tests.migrate.conftest import WriteTree

LIMITS = "#pragma once\n#define WARP 32\n#define LANE(t) ((t) % WARP)\nconstexpr int kOther = 7;\n"
REDUCE = '#include "limits.cuh"\n__device__ int lane() { return LANE(threadIdx.x); }\n'
KERNEL = '#include "../inc/reduce.cuh"\n__global__ void k(int* p) { p[lane()] = 1; }\n'
FREE = "__global__ void lane(int* p) { int WARP = 3; }\n"
OTHER = "#include <limits.cuh>\n__global__ void o(int* p) { p[0] = kOther; }\n"
FILES = {
    "inc/limits.cuh": LIMITS,
    "inc/reduce.cuh": REDUCE,
    "src/kernel.cu": KERNEL,
    "src/free.cu": FREE,
    "src/other.cu": OTHER,
}


def test_a_macro_reaches_what_includes_and_names_it_and_nothing_else(write_tree: WriteTree) -> None:
    root = write_tree(FILES)
    changes = {"inc/limits.cuh": FileChange(lines=((2, 2),))}
    reached = with_affected(root, changes, FILES)
    place = "inc/limits.cuh:2"
    assert reached == {
        "inc/limits.cuh": FileChange(lines=((2, 2),), definitions={"WARP": place, "LANE": place}),
        "inc/reduce.cuh": FileChange(definitions={"LANE": place}),
    }


def test_a_device_function_reaches_its_callers_in_other_files(write_tree: WriteTree) -> None:
    root = write_tree(FILES)
    reached = with_affected(root, {"inc/reduce.cuh": FileChange(lines=((2, 2),))}, FILES)
    assert reached.keys() == {"inc/reduce.cuh", "src/kernel.cu"}
    assert reached["src/kernel.cu"] == FileChange(definitions={"lane": "inc/reduce.cuh:2"})


def test_headers_that_include_each_other_end(write_tree: WriteTree) -> None:
    loop = {"a.h": '#include "b.h"\n#define N 1\n', "b.h": '#include "a.h"\nint x = N;\n'}
    reached = with_affected(write_tree(loop), {"a.h": FileChange(lines=((2, 2),))}, loop)
    assert reached["b.h"].definitions == {"N": "a.h:2"}


def test_a_change_of_files_outside_reaches_nothing(write_tree: WriteTree) -> None:
    assert with_affected(write_tree(FILES), {"README.md": FileChange(whole=True)}, FILES) == {}


def test_a_deleted_line_changes_the_function_around_it() -> None:
    text = "__device__ int f() {\n  return 1;\n}\n__device__ int g() { return 2; }\n"
    unit = read_translation_unit(SourceText("a.cu", text.encode()))
    assert changed_definitions(unit, FileChange(gaps=(2,))) == {"f": "a.cu:1"}
    assert changed_definitions(unit, FileChange(gaps=(3,))) == {}
