"""Kernels' addresses, texture references, pragmas in macros, and shared memory of a type defined with it."""

from __future__ import annotations

import pytest

from porter.simulator.rewrite import rewrite

KERNELS = "__global__ void __launch_bounds__(64) k(int *a);\ntemplate <class T> __global__ void t(T *a);\n"
HANDLE = "(void *)::porter_sim::kernel_handle"


def rewritten(source: str) -> str:
    return rewrite("k.cu", source.encode("latin-1")).data.decode("latin-1")


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("p.func = (void *)k;", "k"),
        ("p.func = (const void*)&k;", "k"),
        ("p.func = (void*)t<float>;", "t<float>"),
        ("p.func = reinterpret_cast<void *>(k);", "k"),
        ("p.func = reinterpret_cast<const void *>(t<A<2>>);", "t<A<2>>"),
    ],
)
def test_a_kernel_s_address_makes_it_known(before: str, name: str) -> None:
    if name == "t<A<2>>":  # `>>` may be a shift: the text is left alone
        assert rewritten(KERNELS + before) == rewritten(KERNELS) + before
        return
    assert rewritten(KERNELS + before) == f"{KERNELS}p.func = {HANDLE}({name}, PORTER_NAME({name}));"


@pytest.mark.parametrize(
    "source",
    [
        "p = (void *)other;",
        "p = (void *)k(1);",
        "p = (void *)k.member;",
        "p = (void *)k->next;",
        "p = (int *)k;",
        "p = reinterpret_cast<void *>(k + 1);",
    ],
)
def test_other_casts_stay(source: str) -> None:
    assert rewritten(KERNELS + source) == KERNELS + source


def test_a_file_that_declares_no_kernel_keeps_its_casts() -> None:
    assert rewritten("p = (void *)k;") == "p = (void *)k;"


def test_texture_references() -> None:
    assert rewritten("texture<float, 2> t;") == "::porter_sim::texture<float, 2> t;"
    for source in ("a.texture<int>();", "ns::texture<int> t;", "int texture = 1;"):
        assert rewritten(source) == source
    own = "template <class T> class texture {}; texture<int> t;"
    assert rewritten(own) == own


def test_a_pragma_in_a_macro_s_body_goes() -> None:
    assert rewritten("#define U #pragma unroll\nx") == "#define U \nx"
    assert rewritten("#define U #pragma unroll 4\nx") == "#define U \nx"
    assert rewritten("#define F(a) #a\nx") == "#define F(a) #a\nx"
    assert rewritten("#pragma unroll\nx") == "#pragma unroll\nx"
    several = "#define F for \\\n #pragma unroll \\\n (;;) go();\nx"
    assert rewritten(several) == "#define F for \\\n  \\\n (;;) go();\nx"


def test_shared_memory_of_a_type_defined_with_it() -> None:
    after = rewritten("{ __shared__ union { int a; float b[2]; } u; }")
    assert "typedef" in after
    assert "union { int a; float b[2]; } porter_type_u;" in after
    assert "PORTER_SHARED(porter_type_u, u);" in after
    assert "PORTER_SHARED(porter_type_s, s);" in rewritten("{ __shared__ struct pair s; }")


def test_shared_memory_at_namespace_scope() -> None:
    after = rewritten("__shared__ float tile[4];")
    assert "FileShared<porter_type_tile, porter_slot_tile> tile{};" in after
    assert "DynamicShared<porter_type_tile> tile{};" in rewritten("extern __shared__ float tile[];")
