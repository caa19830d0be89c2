"""Promotion of float to double: what changes, what does not, what is refused."""

from __future__ import annotations

import pytest

from porter.simulator.widen import WideUnsupported, rewrite_wide


def widened(source: str) -> str:
    return rewrite_wide("k.cu", source.encode()).data.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("float x = 0.1f;", "double x = ((double)0.1f);"),
        ("const float4 *v; float2 w;", "const double4 *v; double2 w;"),
        ("v = make_float4(1.f, 2, 3e-2F, 0);", "v = make_double4(((double)1.f), 2, ((double)3e-2F), 0);"),
        ("sqrtf(x) + __expf(x) * fmaxf(x, 0)", "sqrt(x) + exp(x) * fmax(x, 0)"),
        ("__fmaf_rn(a, b, __fadd_rz(c, d))", "__fma_rn(a, b, __dadd_rz(c, d))"),
        ("std::vector<float> v(n * sizeof(float));", "std::vector<double> v(n * sizeof(double));"),
        ("int i = __float2int_rd(x);", "int i = __double2int_rd(x);"),
        ("0x1.8p3f", "((double)0x1.8p3f)"),
    ],
)
def test_promotes(before: str, after: str) -> None:
    assert widened(before) == after


@pytest.mark.parametrize(
    "source",
    [
        "int x = 0x1f;",
        "double y = 0.1; int floats = 3;",
        'printf("float %f 0.1f");',
        "// float x = 0.1f;",
        "__half2 h = __hadd2(a, b);",
        "int *p = (int *)malloc(4);",
        "cudaMalloc((void **)&p, 4);",
    ],
)
def test_leaves_alone(source: str) -> None:
    assert widened(source) == source


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("int i = __float_as_int(x);", 9),
        ("union U { float f; int i; };", 1),
        ("float x; int i = *(int *)&x;", 19),
        ("float *p; auto q = reinterpret_cast<const int4 *>(p);", 20),
        ("int *words; float *f = (float *)words;", 24),
        ('scanf("%f", &x);', 1),
        ("fread(x, 4, n, file);", 1),
        ('asm("add.f32 %0;");', 1),
    ],
)
def test_refuses(source: str, column: int) -> None:
    with pytest.raises(WideUnsupported) as caught:
        widened(source)
    assert (caught.value.span.path, caught.value.span.line, caught.value.span.column) == ("k.cu", 1, column)
    assert caught.value.reason


@pytest.mark.parametrize(
    "source",
    [
        "union U { int a; unsigned b; };",
        "char *bytes; float *f = (float *)bytes;",
        "float *f = (float *)malloc(n); float4 *v = (float4 *)f;",
        'scanf("%d", &n);',
    ],
)
def test_keeps_what_stays_consistent(source: str) -> None:
    assert widened(source)
