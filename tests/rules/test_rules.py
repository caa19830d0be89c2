"""Each rule on two lists: text it must find (with the place) and text it must leave alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.core.edit import apply_edits
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.rules import all_rules, diagnose, diagnose_source
from tests.rules.cases import K
from tests.rules.cases_of_libraries import LIBRARIES
from tests.rules.memory_cases import MEMORY
from tests.rules.portability_cases import PORTABILITY
from tests.rules.warp_cases import WARPS

Codes = Callable[[str], set[str]]
Places = Callable[[str, str], list[tuple[int, int]]]

CASES = {**PORTABILITY, **WARPS, **MEMORY, **LIBRARIES}
FINDS = [(code, text, place) for code, cases in CASES.items() for text, place in cases.finds]
NOOP = [(code, text) for code, cases in CASES.items() for text in cases.noop]


@pytest.mark.parametrize(("code", "text", "place"), FINDS)
def test_finds(code: str, text: str, place: tuple[int, int], places: Places) -> None:
    assert places(text, code)[0] == place


@pytest.mark.parametrize(("code", "text"), NOOP)
def test_leaves_alone(code: str, text: str, codes: Codes) -> None:
    assert code not in codes(text)


def test_every_rule_has_cases_and_more_noops_than_finds() -> None:
    assert {rule.code for rule in all_rules()} == set(CASES)
    for code, cases in CASES.items():
        assert len(cases.noop) > len(cases.finds), code


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_every_rule_has_a_page_with_the_four_headings(rule: object) -> None:
    page = rule.doc  # type: ignore[attr-defined]
    for heading in ("What it finds:", "Why it matters:", "What porter does:", "Example:"):
        assert f"\n\n{heading} " in page


def test_codes_are_of_known_families() -> None:
    families = {rule.code[:3] for rule in all_rules()}
    assert families <= {"API", "WAV", "SYN", "MEM", "LCH", "NUM", "PTX", "LIB", "BLD"}


def test_findings_come_in_source_order(places: Places) -> None:
    found = places("void f() { k<<<1, 96>>>(); k<<<1, 2048>>>(); }", "LCH002")
    assert found == sorted(found)
    assert len(found) == 2


def test_no_rule_finds_anything_in_plain_code(codes: Codes) -> None:
    assert (
        codes(K + "int i = threadIdx.x; if (i < n) p[i] += 1; }\nint main() { k<<<4, 256>>>(0, 0); }")
        == set()
    )


OVERLOADS = (
    "__global__ void k(int) {}\n__global__ void k(float) {}\nvoid f() { cudaFuncSetAttribute(k, a, 1); }"
)
FIXES = [
    ("int x = __shfl_down_sync(m, v, 16 );", "int x = __shfl_down_sync(m, v, 16 , 32);"),
    ("#define S(v, o) __shfl_xor_sync(~0u, v, o)\n", "#define S(v, o) __shfl_xor_sync(~0u, v, o, 32)\n"),
    ("typedef cub::WarpReduce<float> R;", "typedef cub::WarpReduce<float, 32> R;"),
    ("using R = cub::WarpScan<T<int>>;", "using R = cub::WarpScan<T<int>, 32>;"),
    ("using R = S<cub::WarpScan<P<int, 2>>>;", "using R = S<cub::WarpScan<P<int, 2>, 32>>;"),
    ("using R = S<cub::WarpScan<int>>;", "using R = S<cub::WarpScan<int, 32>>;"),
    ("void f() { CHECK(cudaThreadSynchronize()); }", "void f() { CHECK(cudaDeviceSynchronize()); }"),
    (
        "__device__ float f(float x) { return __nv_sinf(x); }",
        "__device__ float f(float x) { return sinf(x); }",
    ),
    (
        "__global__ void k() {}\nvoid f() { cudaFuncSetAttribute(k, a, 1); }",
        "__global__ void k() {}\nvoid f() { cudaFuncSetAttribute(reinterpret_cast<const void*>(k), a, 1); }",
    ),
    (
        "template <int N> __global__ void k() {}\nvoid f() { cudaFuncGetAttributes(&x, k<4>); }",
        "template <int N> __global__ void k() {}\n"
        "void f() { cudaFuncGetAttributes(&x, reinterpret_cast<const void*>(k<4>)); }",
    ),
    (OVERLOADS, OVERLOADS),
]


@pytest.mark.parametrize(("before", "after"), FIXES)
def test_fixes_are_applied_once_and_leave_nothing(before: str, after: str) -> None:
    on_device = "__device__ void d(int m, int v) { " + before + " }" if before.startswith("int x") else before
    expected = on_device.replace(before, after)
    assert fixed(on_device) == expected
    assert fixed(expected) == expected


def fixed(text: str) -> str:
    unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
    edits = [edit for finding in (*diagnose(unit), *diagnose_source(unit)) for edit in finding.fix]
    return apply_edits(unit.source.data, edits).decode("latin-1")


def test_only_rules_that_say_so_have_fixes() -> None:
    for code, cases in CASES.items():
        for text, _ in cases.finds:
            unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
            for finding in (*diagnose(unit), *diagnose_source(unit)):
                rule = next(r for r in all_rules() if r.code == finding.code)
                assert rule.fixable or not finding.fix, code


def test_what_a_port_answers_is_a_note() -> None:
    for cases in CASES.values():
        for text, _ in cases.finds:
            unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
            assert {str(finding.severity) for finding in diagnose_source(unit)} <= {"note"}


def test_there_are_sixty_rules() -> None:
    assert len(all_rules()) >= 60
