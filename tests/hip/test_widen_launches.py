"""`--warps widen` knows every launch and its blocks, or keeps the kernel's groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.analysis.effects.collectives import WAVEFRONT_SIZE
from porter.core.span import SourceText
from porter.cuda.lower_kernel import LoweredKernel, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.widen.records import Widening
from porter.hip.widen.widen import widen

TOTAL = """
__global__ void row_sum(const int* __restrict__ x, int* __restrict__ y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(y, v);
}
"""
ROWS = """
__global__ void row_sum(const int* __restrict__ x, int* __restrict__ y) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  for (int c = lane; c < 64; c += 32) v += x[row * 64 + c];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  if (lane == 0) y[row] = v;
}
"""


def lower(source: SourceText) -> tuple[LoweredKernel, ...]:
    launches = read_translation_unit(source).launches
    return lower_kernels(source, launches, largest_tile=WAVEFRONT_SIZE)


def widened(text: str, path: str = "k.cu") -> Widening:
    source = SourceText(path, text.encode())
    unit = read_translation_unit(source)
    return widen(unit, lower_kernels(source, unit.launches), lower)


def in_main(text: str, before: str = "", kernel: str = TOTAL) -> Widening:
    main = f"int main(int argc, char** argv) {{ int *x = nullptr, *y = nullptr;\n{text}\n}}\n"
    return widened(f"{kernel}{before}\n{main}")


CONSTANT = {
    "a variable": "int t = 256; row_sum<<<4, t>>>(x, y);",
    "a constant reference": "int t = 256; const int& r = t; row_sum<<<4, t>>>(x, y); return r;",
    "printed": 'int t = 256; printf("%d", t); row_sum<<<4, t>>>(x, y);',
    "given to a value": "int t = 256; use(t); row_sum<<<4, t>>>(x, y);",
    "given to a constant reference": "int t = 256; look(t); row_sum<<<4, t>>>(x, y);",
    "part of a dim3": "int t = 256; dim3 block(t); row_sum<<<4, block>>>(x, y);",
    "of an inner block": "int t = 96; { int t = 256; row_sum<<<4, t>>>(x, y); } return t;",
    "of a branch": "if (argc) { int t = 64; row_sum<<<4, t>>>(x, y); } else { int t = 96; (void)t; }",
    "an extent of an array": "int t = 256, p[n], q = 2 * n; row_sum<<<4, n>>>(x, y); return p[t] + q;",
    "captured by value": "auto f = [x, y] { row_sum<<<4, n>>>(x, y); }; f();",
    "a mask": "int t = 256, u = argc & t; row_sum<<<u, t>>>(x, y);",
    "a parameter": "go(x, y, 256);",
}
BEFORE = """
#include <cstdio>
#include <functional>
#include <memory>
#include <type_traits>
const int n = 256;
static void use(int t) { (void)t; }
static void look(const int& t) { (void)t; }
static void pick(int& t) { t = 96; }
"""
GO = "static void go(const int* x, int* y, int t) { row_sum<<<1, t>>>(x, y); }"


@pytest.mark.parametrize("what", CONSTANT)
def test_a_block_size_that_nothing_changes(what: str) -> None:
    found = in_main(CONSTANT[what], BEFORE + (GO if "go(" in CONSTANT[what] else ""))
    assert found.kernels == {"row_sum"}, found.kept


CHANGED = {
    "a reference": "int t = 256; int& r = t; if (argc > 1) r = 96; row_sum<<<4, t>>>(x, y);",
    "a reference in braces": "int t = 256; int& r{t}; r = 96; row_sum<<<4, t>>>(x, y);",
    "a deduced reference": "int t = 256; auto&& r = t; r = 96; row_sum<<<4, t>>>(x, y);",
    "an argument": "int t = 256; pick(t); row_sum<<<4, t>>>(x, y);",
    "one of two": "int t = 256, u = 1; pick(argc ? t : u); row_sum<<<4, t>>>(x, y);",
    "a lambda": "int t = 256; auto f = [](int& r) { r = 96; }; f(t); row_sum<<<4, t>>>(x, y);",
    "a capture": "int t = 256; auto f = [&r = t] { r = 96; }; f(); row_sum<<<4, t>>>(x, y);",
    "a wrapper": "int t = 256; std::ref(t).get() = 96; row_sum<<<4, t>>>(x, y);",
    "an address": "int t = 256; *(int*)&t = 96; row_sum<<<4, t>>>(x, y);",
    "a pointer to a function": "int t = 256; (*&pick)(t); row_sum<<<4, t>>>(x, y);",
    "a hidden name of a macro": "int t = 256; BUMP; row_sum<<<4, t>>>(x, y);",
    "a macro's argument": "int t = 256; SET(t); row_sum<<<4, t>>>(x, y);",
    "a name that a binding hides": "int a[2] = {96, 1}; auto [n, u] = a; row_sum<<<u, n>>>(x, y);",
    "a type that is a reference": "using R = int&; int t = 256; R r = t; r = 96; row_sum<<<4, t>>>(x, y);",
    "a reference of a template": "int t = 256; std::add_lvalue_reference_t<int> r = t; r = 96; "
    "row_sum<<<4, t>>>(x, y);",
    "a variable in brackets": "int t = 256; (t) = 96; row_sum<<<4, t>>>(x, y);",
    "less one in brackets": "int t = 256; --(t); row_sum<<<4, t>>>(x, y);",
    "a choice": "int t = 256, u = 1; (argc ? t : u) = 96; row_sum<<<4, t>>>(x, y);",
    "a lambda's result": "int t = 256; auto f = [&]() -> int& { return t; }; f() = 96; "
    "row_sum<<<4, t>>>(x, y);",
    "a member of a dim3": "dim3 b(256); b.x = 96; row_sum<<<4, b>>>(x, y);",
    "a dim3 by reference": "dim3 b(256); dim3& c = b; c.x = 96; row_sum<<<4, b>>>(x, y);",
    "a member as an argument": "dim3 b(256); pick((int&)b.x); row_sum<<<4, b>>>(x, y);",
    "a cast to a reference": "int t = 256; pick((int&)t); row_sum<<<4, t>>>(x, y);",
    "another cast": "int t = 256; reinterpret_cast<int&>(t) = 96; row_sum<<<4, t>>>(x, y);",
    "a loop's reference": "int a[1] = {96}, t = 256; for (auto& t : a) row_sum<<<4, t>>>(x, y); return t;",
    "its address by name": "int t = 256; *std::addressof(t) = 96; row_sum<<<4, t>>>(x, y);",
    "an operator of the file": "int t = 256; Box b; b << t; row_sum<<<4, t>>>(x, y);",
    "a method": "int t = 256; Box b; b.set(t); row_sum<<<4, t>>>(x, y);",
    "a prototype": "int t = 256; later(t); row_sum<<<4, t>>>(x, y);",
    "the second of two": "int t = 256, &r = t; r = 96; row_sum<<<4, t>>>(x, y);",
    "the machine's code": 'int t = 256; asm("" : "+r"(t)); row_sum<<<4, t>>>(x, y);',
    "of the file": "row_sum<<<4, size>>>(x, y);",
    "a lambda's own": "int t = 256; [&](int t) { row_sum<<<4, t>>>(x, y); }(96); return t;",
    "a member": "int t = 256; Holder h{t}; h.r = 96; row_sum<<<4, t>>>(x, y);",
    "a block that is over": "int t = argc; { int t = 256; (void)t; } row_sum<<<4, t>>>(x, y);",
    "a block of 96 again": "int t = 96; { int t = 256; (void)t; } row_sum<<<4, t>>>(x, y);",
    "a loop that is over": "int t = 96; for (int t = 256; t < 9;) ++argc; row_sum<<<4, t>>>(x, y);",
    "of a parameter": "through(x, y, 256);",
    "of a parameter, by call": "by_call(x, y, 256);",
    "what a parameter hides": "hides(x, y, 96);",
}
WRITERS = (
    BEFORE
    + """
#define BUMP t = 96
#define SET(v) v = 96
struct Holder { int& r; };
struct Box { void set(int& q) { q = 96; } void operator<<(int& q) { q = 96; } };
void later(int& t);
int size = 256;
void elsewhere() { later(size); }
"""
)
CALLERS = {
    "of a parameter": "static void through(const int* x, int* y, int t) "
    "{ int& r = t; r -= 160; row_sum<<<1, t>>>(x, y); }",
    "of a parameter, by call": "static void by_call(const int* x, int* y, int t) "
    "{ pick(t); row_sum<<<1, t>>>(x, y); }",
    "what a parameter hides": "static void hides(const int* x, int* y, int n) { row_sum<<<1, n>>>(x, y); }",
}


@pytest.mark.parametrize("what", CHANGED)
def test_a_block_size_that_something_changes(what: str) -> None:
    found = in_main(CHANGED[what], WRITERS + CALLERS.get(what, ""))
    assert not found.widened
    assert "threads a block" in found.kept[0].reason or "whole wavefronts" in found.kept[0].reason


PASTED = "#define GO(n, r) n##_sum<<<4, 128>>>(x, y)\n"


def test_a_pasted_launch_of_another_kernel_may_be_one_of_this() -> None:
    found = in_main("row_sum<<<4, 128>>>(x, y); GO(row, 16);", PASTED, ROWS)
    assert not found.widened
    assert [k.span.line for k in found.kept] == [8]
    assert "`GO` pastes names" in found.kept[0].reason


@pytest.mark.parametrize("macro", ["#define GO(n) n##_max", PASTED.replace("GO", "NEVER")])
def test_macros_that_cannot_paste_the_name(macro: str) -> None:
    found = in_main("row_sum<<<4, 128>>>(x, y); int col_max = 0; return GO(col);", macro, ROWS)
    assert found.kernels == {"row_sum"}


def test_a_macro_of_a_header_that_pastes(tmp_path: Path) -> None:
    (tmp_path / "go.h").write_text(PASTED)
    main = "int main() { int *x = nullptr, *y = nullptr; row_sum<<<4, 128>>>(x, y); GO(row, 16); }\n"
    found = widened(f'{TOTAL}#include "go.h"\n{main}', str(tmp_path / "k.cu"))
    assert not found.widened
    assert found.kept[0].span.path == str(tmp_path / "go.h")


def test_a_variable_with_the_kernels_name_is_no_launch() -> None:
    own = ROWS.replace("row_sum", "row")
    assert in_main("row<<<4, 128>>>(x, y);", "", own).kernels == {"row"}


def test_lanes_without_an_operation_of_warps() -> None:
    text = "__global__ void k(int* y) {\n  int lane = threadIdx.x & 31;\n  y[threadIdx.x] = lane;\n}\n"
    found = widened(f"{text}int main() {{ k<<<1, 64>>>(nullptr); }}\n")
    assert [(k.kernel, k.span.line) for k in found.kept] == [("k", 2)]
    assert "no shuffle, vote or tile" in found.kept[0].reason
