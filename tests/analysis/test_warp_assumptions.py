"""Assumptions of 32 lanes are found by use, through every name for the constant, and nowhere else."""

from __future__ import annotations

import pytest

from porter.analysis.warp_assumptions import AssumptionKind, warp_assumptions
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit

BEFORE = "#define WARP 32\n#define MASK 0xffffffffu\n"
BEFORE += "constexpr int kWarp = WARP;\nconstexpr int kLast = kWarp - 1;\n"


def found(body: str, template: str = "") -> list[tuple[AssumptionKind, str]]:
    text = f"{BEFORE}{template}__global__ void k(int* p, int n) {{ {body} }}\n"
    unit = read_translation_unit(SourceText("t.cu", text.encode()))
    return [(a.kind, a.text) for a in warp_assumptions(unit)]


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("int l = threadIdx.x % 32;", AssumptionKind.LANE_INDEX, "threadIdx.x % 32"),
        ("int l = threadIdx.x & 31;", AssumptionKind.LANE_INDEX, "threadIdx.x & 31"),
        ("int l = threadIdx.x & kLast;", AssumptionKind.LANE_INDEX, "threadIdx.x & kLast"),
        ("int l = threadIdx.x & (WARP - 1);", AssumptionKind.LANE_INDEX, "threadIdx.x & (WARP - 1)"),
        ("int l = threadIdx.x % warpSize;", AssumptionKind.LANE_INDEX, "threadIdx.x % warpSize"),
        ("int t = threadIdx.x; int l = t & 0x1f;", AssumptionKind.LANE_INDEX, "t & 0x1f"),
        ("int l = (n + threadIdx.x) % kWarp;", AssumptionKind.LANE_INDEX, "(n + threadIdx.x) % kWarp"),
        ("int w = threadIdx.x / kWarp;", AssumptionKind.WARP_INDEX, "threadIdx.x / kWarp"),
        ("int w = threadIdx.x >> 5;", AssumptionKind.WARP_INDEX, "threadIdx.x >> 5"),
        ("__shared__ float s[32];", AssumptionKind.SHARED_SLOTS, "__shared__ float s[32]"),
        ("__shared__ int s[1024 / WARP];", AssumptionKind.SHARED_SLOTS, "__shared__ int s[1024 / WARP]"),
        (
            "for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(m, v, o);",
            AssumptionKind.OFFSET_LOOP,
            "for (int o = 16; o > 0; o /= 2)",
        ),
        ("v = __shfl_sync(MASK, v, 0);", AssumptionKind.FULL_MASK, "MASK"),
        ("v = __ballot_sync(~0u, v);", AssumptionKind.FULL_MASK, "~0u"),
    ],
)
def test_finds(body: str, kind: AssumptionKind, text: str) -> None:
    assert found(body) == [(kind, text)]


@pytest.mark.parametrize(
    "body",
    [
        "int l = threadIdx.x % 64;",
        "int l = threadIdx.x & 15;",
        "int b = n % 32;",
        "int b = blockIdx.x / 32;",
        "int i = threadIdx.x + 32;",
        "int w = threadIdx.x >> 6;",
        "__shared__ float s[64];",
        "__shared__ float s[33][33];",
        "__shared__ float tile[32][33];",
        "__shared__ float tile[WARP][WARP], other[WARP][8];",
        "__shared__ float s[1024 / 16];",
        "for (int o = 16; o > 0; o /= 2) v += o;",
        "for (int o = 8; o > 0; o /= 2) v += __shfl_xor_sync(m, v, o);",
        "v = __shfl_sync(0xffff, v, 0);",
        "v = __shfl_sync(__activemask(), v, 0);",
        "// threadIdx.x % 32\n",
        'const char* s = "threadIdx.x % 32";',
        "int* q = p; q = &p[31];",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert found(body) == []


def test_template_defaults_are_followed() -> None:
    assert found("int l = threadIdx.x % N;", "template <int N = kWarp>\n") == [
        (AssumptionKind.LANE_INDEX, "threadIdx.x % N")
    ]


def test_host_code_is_not_looked_at() -> None:
    unit = read_translation_unit(SourceText("t.cu", b"int f(int threadIdx) { return threadIdx % 32; }\n"))
    assert warp_assumptions(unit) == ()


def test_device_functions_count_and_places_are_exact() -> None:
    text = "__device__ int lane()\n{\n  return threadIdx.x & 31;\n}\n"
    (assumption,) = warp_assumptions(read_translation_unit(SourceText("t.cu", text.encode())))
    assert (assumption.function, assumption.span.line, assumption.span.column) == ("lane", 3, 10)
