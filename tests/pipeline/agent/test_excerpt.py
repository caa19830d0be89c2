"""What of a program a prompt shows, and the pages that are chosen for it."""

from __future__ import annotations

import pytest

from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.pipeline.agent.cheat_sheets import cheat_sheets, sheet_text
from porter.pipeline.agent.excerpt import Excerpt, excerpt

PROGRAM = """\
#include <vector>
#include "table.cuh"

typedef float Number;
static const int kUnused = 4;
constexpr int kWidth = 8;
#define SCALE(x) ((x) * kWidth)

// Not called by the kernel.
__device__ Number other(Number x) { return x; }

// Twice its argument.
__device__ Number twice(Number x) { return SCALE(x) + Row::size; }

__global__ void wanted(Number* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }

__global__ void unwanted(int* y) { y[0] = kUnused; }

int main()
{
    std::vector<int> v(3);
    wanted<<<1, 32>>>(nullptr);
    unwanted<<<1, 1>>>(nullptr);
}
"""
HEADER = "struct Row {\n    static constexpr int size = 3;\n};\nstruct Column {\n    int size;\n};\n"


def unit(text: str, path: str = "k.cu") -> TranslationUnit:
    return read_translation_unit(SourceText(path, text.encode()))


def parts_of(*units: TranslationUnit, most: int = 10_000) -> Excerpt:
    return excerpt(units, ("wanted",), whole_up_to=0, most=most)


def test_a_kernel_comes_with_what_it_needs_and_nothing_else() -> None:
    text = parts_of(unit(PROGRAM), unit(HEADER, "lib/table.cuh")).text
    for needed in ("typedef float Number", "kWidth = 8", "#define SCALE", "// Twice", "twice(Number x)"):
        assert needed in text
    for needed in ("struct Row", "wanted<<<1, 32>>>", "#include <vector>", "// table.cuh"):
        assert needed in text
    for other in ("kUnused", "other(", "Not called", "unwanted", "std::vector<int>", "Column"):
        assert other not in text
    assert "// lines 16 to 21 are left out" in text


def test_a_small_file_alone_is_given_whole() -> None:
    whole = excerpt((unit(PROGRAM),), ("wanted",), whole_up_to=10_000, most=10)
    assert whole.is_whole
    assert whole.text == PROGRAM
    assert not parts_of(unit(PROGRAM)).is_whole


def test_a_long_text_ends_with_a_line_that_says_so() -> None:
    text = parts_of(unit(PROGRAM), most=120).text
    assert len(text) < 200
    assert text.endswith("// (cut off here: read_source gives the rest)")


def test_a_comment_is_no_word_of_the_kernel() -> None:
    source = "__global__ void wanted(int* x) { /* call tex2D, then goto end */ x[0] = 1; }\n"
    found = parts_of(unit(source))
    assert {"tex2D", "goto"}.isdisjoint(found.words)
    assert "x" in found.words


@pytest.mark.parametrize(
    ("body", "target", "sheets"),
    [
        ("x[0] = 1;", Target.HIP, ()),
        ("x[0] = __shfl_sync(~0u, x[0], 0);", Target.HIP, ("hip_lanes",)),
        ('asm("bfind.u32 %0, %1;" : "=r"(x[0]) : "r"(x[1]));', Target.HIP, ("hip_assembly",)),
        ('asm("cp.async.wait_all;");', Target.HIP, ("hip_assembly", "hip_async")),
        ('asm("redux.sync.max.u32 %0, %1, 1;" : "=r"(x[0]) : "r"(x[1]));', Target.HIP,
         ("hip_lanes", "hip_assembly")),
        ("x[0] = tex1Dfetch<int>(t, 0);", Target.HIP, ("hip_textures",)),
        ("wmma::mma_sync(c, a, b, c);", Target.HIP, ("hip_matrix",)),
        ("x[0] = 1;", Target.TRITON, ("triton",)),
        ("while (x[0]) x[0] >>= 1;", Target.TRITON, ("triton", "triton_control")),
        ("__syncthreads();", Target.TRITON, ("triton", "triton_threads")),
        ("atomicAdd(x, 1);", Target.TRITON, ("triton", "triton_grid")),
        ("x[0] = lgammaf(1.5f);", Target.TRITON, ("triton", "triton_numbers")),
    ],
)  # fmt: skip
def test_pages_are_chosen_by_what_the_kernel_uses(body: str, target: Target, sheets: tuple[str, ...]) -> None:
    found = parts_of(unit(f"__global__ void wanted(int* x) {{ {body} }}\n"))
    assert cheat_sheets(target, "gfx90a", found) == sheets
    assert cheat_sheets(target, "gfx942", found) == ("cdna3", *sheets)
    assert cheat_sheets(target, "gfx950", found) == ("cdna4", *sheets)
    assert all(sheet_text(name).startswith("## ") for name in sheets)


def test_pages_are_chosen_by_the_reasons_too() -> None:
    found = parts_of(unit("__global__ void wanted(int* x) { x[0] = twice(x[0]); }\n"))
    reasons = ("wanted: `twice` calls itself [TIL004]",)
    assert cheat_sheets(Target.TRITON, "gfx90a", found, reasons) == ("triton", "triton_control")
    assert cheat_sheets(Target.HIP, "gfx90a", found, reasons) == ()
