"""`--style shim`: the CUDA build sees what it saw before, and one header makes it build for AMD."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.core.edit import apply_edits
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.dual_header import COMPATIBILITY_HEADER, merge_headers
from porter.hip.options import HipOptions, Style
from porter.hip.translate import HipTranslation, translate_hip

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures/cuda_kernels").glob("*/kernel.cu"))


def dual(text: str | bytes) -> HipTranslation:
    data = text if isinstance(text, bytes) else text.encode("latin-1")
    unit = read_translation_unit(SourceText("t.cu", data))
    return translate_hip(unit, HipOptions(style=Style.SHIM))


def header(text: str) -> str:
    return dual(text).headers[COMPATIBILITY_HEADER].decode()


def seen_by_cuda(ported: bytes) -> str:
    """What is left of the port where PORTER_FOR_AMD is 0."""
    kept: list[str] = []
    inside: list[str] = []
    for line in ported.decode("latin-1").splitlines(keepends=True):
        plain = line.strip()
        if plain == f'#include "{COMPATIBILITY_HEADER}"':
            continue
        if plain in ("#if PORTER_FOR_AMD", "#if !PORTER_FOR_AMD"):
            inside.append("amd" if plain == "#if PORTER_FOR_AMD" else "cuda")
        elif re.match(r"#\s*if", plain) and not inside:
            inside.append("theirs")
            kept.append(line)
        elif re.match(r"#\s*if", plain):
            inside.append("theirs")
            if "amd" not in inside:
                kept.append(line)
        elif plain == "#else" and inside and inside[-1] == "amd":
            inside[-1] = "cuda"
        elif plain.startswith("#endif") and inside and inside[-1] in ("amd", "cuda"):
            inside.pop()
        elif "amd" not in inside:
            if re.match(r"#\s*endif", plain) and inside:
                inside.pop()
            kept.append(line)
    return without_either("".join(kept))


def without_either(text: str) -> str:
    """The first argument of each PORTER_EITHER."""
    before, found, after = text.partition("PORTER_EITHER(")
    if not found:
        return text
    depth, comma, at = 0, -1, 0
    while depth >= 0:
        depth += (after[at] in "([") - (after[at] in ")]")
        comma = at if after[at] == "," and depth == 0 and comma < 0 else comma
        at += 1
    return before + after[:comma] + without_either(after[at:])


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.parent.name)
def test_fixtures_stay_what_they_are_for_cuda(path: Path) -> None:
    source = SourceText.read(path)
    result = dual(source.data)
    assert apply_edits(source.data, result.edits) == result.text
    assert seen_by_cuda(result.text) == source.text
    again = dual(result.text)
    assert (again.text, again.edits) == (result.text, ())


SOURCE = """\
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cstdio>
#ifdef __CUDACC__
#define HD __host__ __device__
#endif
__constant__ float c[4];
__global__ void __launch_bounds__(256, 8) k(float* x, unsigned* m) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  m[threadIdx.x / warpSize] = __ballot_sync(0xffffffffu, lane > 3);
  x[0] += __shfl_xor_sync(0xffffffffu, x[1], 1);
}
void f(float* h) {
  cudaMemcpyToSymbol(c, h, sizeof(c));
  k<<<1, 256>>>(h, nullptr);
}
"""
PORTED = """\
#include "cuda_to_hip.h"
#if !PORTER_FOR_AMD
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#endif
#include <cstdio>
#if (PORTER_FOR_AMD && (defined(__HIPCC__))) || (!PORTER_FOR_AMD && (defined(__CUDACC__)))
#define HD __host__ __device__
#endif
__constant__ float c[4];
__global__ void __launch_bounds__(256, 8) k(float* x, unsigned* m) {
  unsigned lane;
#if PORTER_FOR_AMD
  lane = porter_lane_in_warp();
#else
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#endif
  m[threadIdx.x / PORTER_EITHER(warpSize, 32)] = __ballot_sync(0xffffffffu, lane > 3);
  x[0] += __shfl_xor_sync(0xffffffffu, x[1], 1);
}
void f(float* h) {
#if PORTER_FOR_AMD
  cudaMemcpyToSymbol(HIP_SYMBOL(c), h, sizeof(c));
#else
  cudaMemcpyToSymbol(c, h, sizeof(c));
#endif
  k<<<1, 256>>>(h, nullptr);
}
"""


def test_each_kind_of_edit() -> None:
    assert dual(SOURCE).text.decode() == PORTED


def test_the_header_has_what_the_source_uses() -> None:
    text = header(SOURCE)
    assert "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n" in text
    assert "#define cudaMemcpyToSymbol hipMemcpyToSymbol\n" in text
    assert "#define __ballot_sync porter_ballot_sync\n" in text
    assert "#define __shfl_xor_sync(mask, ...) porter_shfl_xor(__VA_ARGS__)\n" in text
    assert "cudaMalloc" not in text
    assert text.isascii()


def test_a_name_with_two_meanings_is_no_macro() -> None:
    text = (
        "#include <cuda_fp16.h>\n__global__ void k(half* h, int* n) {\n"
        "  atomicAdd(n, 1);\n  atomicAdd(h, *h);\n}\n"
    )
    assert "#define atomicAdd" not in header(text)
    assert (
        "  atomicAdd(n, 1);\n  PORTER_EITHER(atomicAdd, porter_atomic_add)(h, *h);"
        in dual(text).text.decode()
    )


def test_line_endings_and_odd_bytes_stay() -> None:
    text = b"\xef\xbb\xbf// caf\xe9\r\n#include <cuda.h>\r\nvoid f() { cudaFree(0); }"
    ported = dual(text).text
    assert ported == (
        b'\xef\xbb\xbf// caf\xe9\r\n#include "cuda_to_hip.h"\r\n#if !PORTER_FOR_AMD\r\n#include <cuda.h>\r\n'
        b"#endif\r\nvoid f() { cudaFree(0); }"
    )


def test_conditions_before_the_header_ask_the_compiler() -> None:
    ported = dual("#ifdef __CUDACC__\nint a;\n#endif\nvoid f() { cudaFree(0); }\n#include <cuda.h>\n").text
    assert ported.startswith(b"#if ((defined(__HIPCC__) || ")


def test_headers_of_two_sources_become_one() -> None:
    first, second = (
        dual(f"#include <{h}>\n__global__ void k(int* p) {{ {body} }}\nvoid f() {{ {call}; }}\n").headers[
            COMPATIBILITY_HEADER
        ]
        for h, body, call in (
            ("cuda_runtime.h", "p[0] = __ballot_sync(~0u, 1);", "cudaFree(0)"),
            ("cublas_v2.h", "p[0] = __any_sync(~0u, 1);", "cudaMalloc(0, 1)"),
        )
    )
    merged = merge_headers(first, second)
    assert merge_headers(merged, first) == merged
    text = merged.decode()
    for part in (
        "cudaFree hipFree",
        "cudaMalloc hipMalloc",
        "__any_sync porter_any_sync",
        "hipblas/hipblas.h",
    ):
        assert part in text
    assert text.count("unsigned porter_ballot_sync(") == 1


def test_a_header_of_the_users_is_not_overwritten() -> None:
    made = dual("void f() { cudaFree(0); }\n").headers[COMPATIBILITY_HEADER]
    with pytest.raises(ValueError, match="not porter's"):
        merge_headers(b"#pragma once\n", made)
    with pytest.raises(ValueError, match="two meanings"):
        merge_headers(made.replace(b"cudaFree hipFree", b"cudaFree mine"), made)
