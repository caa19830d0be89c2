"""Wide words that a kernel sees as halves are memory of halves, where it sees all of them so."""

import pytest

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.harness.dtypes import BF16, F16, ElementType
from porter.harness.viewed_words import viewed_words

HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"


def seen(body: str, parameters: str) -> dict[int, ElementType]:
    source = f"{HEAD}__global__ void k({parameters}) {{ const int i = threadIdx.x; {body} }}"
    (item,) = lower_kernels(SourceText("k.cu", source.encode()), ())
    assert isinstance(item, Lowered), item
    return viewed_words(item.kernel)


VIEW = "uint4 v = x[i]; half2* h = (half2*)&v; h[1] = __hmul2(h[0], h[1]); "


@pytest.mark.parametrize(
    ("body", "parameters", "expected"),
    [
        (VIEW + "y[i] = v;", "const uint4* x, uint4* y", {0: F16, 1: F16}),
        (VIEW + "y[i] = v.x;", "const uint4* x, unsigned* y", {0: F16, 1: F16}),
        (
            "const float4* row = x + blockIdx.x * 8; float4 v = row[i];"
            "__nv_bfloat16* b = (__nv_bfloat16*)&v; b[3] = b[2]; row = row + 1; y[i] = v;",
            "const float4* x, float4* y, int* z",
            {0: BF16, 1: BF16},
        ),
    ],
)
def test_views_of_all_words(body, parameters, expected):
    assert seen(body, parameters) == expected


@pytest.mark.parametrize(
    ("body", "position"),
    [
        (VIEW + "y[i] = x[i + 1];", 0),  # words are moved as they are, too
        (VIEW + "y[i] = make_uint4(v.x & 7, 0, 0, 0);", 1),
        ("uint4 v = x[i]; y[i] = v;", 0),
        (VIEW + "if (x[0].x > 3) y[i] = v;", 0),
        (VIEW + "y[i] = v; y[i].x = 3;", 1),
        (VIEW + "atomicAdd(&y[i].x, 1u); y[i] = v;", 1),
    ],
)
def test_words_that_are_words_too(body, position):
    assert position not in seen(body, "const uint4* x, uint4* y")


def test_memory_of_halves_needs_no_view():
    assert seen("half2 v = x[i]; half* h = (half*)&v; h[0] = h[1]; x[i] = v;", "half2* x") == {}
