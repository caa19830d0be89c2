"""Arithmetic with a named rounding on the GPU itself: what the compiler makes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.amd_compiler import find_amd_compiler
from porter.harness.toolchains.records import Built, NotAvailable
from porter.hip.translate import translate_hip

SUM_OF_A_PRODUCT = """\
#include <cuda_runtime.h>
__global__ void k(float* x, double* y) {{
  x[0] = {sum}({product}(x[1], x[2]), x[3]);
  y[0] = {wide_sum}({wide_product}(y[1], y[2]), y[3]);
}}
"""
NAMED = {"sum": "__fadd_rn", "product": "__fmul_rn", "wide_sum": "__dsub_rn", "wide_product": "__dmul_rn"}


def port(text: str) -> bytes:
    return translate_hip(read_translation_unit(SourceText("k.cu", text.encode()))).text


def fused(text: str, folder: Path) -> list[str]:
    """The fused instructions in the machine code of the port of `text`."""
    (folder / "k.hip").write_bytes(port(text))
    built = build_hip(folder / "k.hip", "gfx942")
    assert isinstance(built, Built), built
    return re.findall(r"\bv_(?:pk_)?fma\w*", built.code_objects[0].assembly)


@pytest.mark.skipif(isinstance(find_amd_compiler(), NotAvailable), reason="needs a compiler for AMD GPUs")
@pytest.mark.slow
def test_sums_and_products_in_rn_are_not_fused(tmp_path: Path) -> None:
    assert fused(SUM_OF_A_PRODUCT.format(**NAMED), tmp_path) == []
    operators = "__global__ void k(float* x) { x[0] = x[1] * x[2] + x[3]; }\n"
    assert fused(operators, tmp_path) != []


def test_a_function_of_the_files_own_stays() -> None:
    own = "__device__ float __fadd_rd(float a, float b) { return a; }\n"
    use = "__global__ void k(float* x) { x[0] = __fadd_rd(x[1], x[2]) + __fadd_ru(x[1], x[2]); }\n"
    text = port(own + use)
    assert b"x[0] = __fadd_rd(x[1], x[2]) + porter_fadd_ru(x[1], x[2]);" in text
