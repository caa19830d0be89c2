"""Components of vectors that are read and written in one access, and those that may not be."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated

TOGETHER = {
    "four": ("float4", "float4 v = x[i]; v.x += 1; v.y *= 2; v.z -= v.w; y[i] = v;"),
    "two": ("float2", "float2 v = x[i]; y[i] = make_float2(v.y, v.x);"),
    "by pointer": ("float", "const float4 v = ((const float4*)x)[i]; ((float4*)y)[i] = v;"),
}
APART = {
    "not all of a vector": ("float4", "y[i].x = x[i].x; y[i].z = x[i].z;"),
    "another order": ("float", "float a = x[4 * i + 1], b = x[4 * i]; y[i] = a - b;"),
}


def kernel(element: str, body: str) -> str:
    start = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    return f"__global__ void k(const {element}* x, {element}* y, int n) {{ {start} if (i < n) {{ {body} }} }}"


@pytest.mark.parametrize(("element", "body"), TOGETHER.values(), ids=TOGETHER)
def test_components_next_to_each_other_are_one_access(element: str, body: str) -> None:
    text = translated(kernel(element, body)).text
    width = 2 if "2" in element else 4
    assert f"= _load{width}(x_ptr + i * {width}, mask)" in text
    assert f"    _store{width}(y_ptr + i * {width}, " in text


@pytest.mark.parametrize(("element", "body"), APART.values(), ids=APART)
def test_other_accesses_stay_as_they_are(element: str, body: str) -> None:
    assert "_load4(" not in translated(kernel(element, body)).text


def test_the_components_are_the_same_ones() -> None:
    x = np.arange(800, dtype=np.float32)
    y = run(kernel(*TOGETHER["four"]), x, np.zeros(800, np.float32), 190, grid=(4, 1, 1))[1].reshape(200, 4)
    v = x.reshape(200, 4)
    expected = np.stack([v[:, 0] + 1, v[:, 1] * 2, v[:, 2] - v[:, 3], v[:, 3]], axis=1)
    assert (y[:190] == expected[:190]).all()
    assert (y[190:] == 0).all()
    y = run(kernel(*TOGETHER["two"]), x, np.zeros(800, np.float32), 390, grid=(7, 1, 1))[1].reshape(400, 2)
    assert (y[:390] == x.reshape(400, 2)[:390, ::-1]).all()


def test_components_in_rows_and_beyond_their_end() -> None:
    source = """__global__ void k(const float4* x, float4* y, int rows, int n) {
        int row = blockIdx.x * blockDim.y + threadIdx.y, c = threadIdx.x;
        float4 v = row < rows && c < n ? x[row * n + c] : make_float4(7, 7, 7, 7);
        y[row * 32 + c] = make_float4(v.w, v.x, v.y, v.z); }"""
    text = translated(source, (32, 4, 1)).text
    assert "= _load4_rows(" in text
    assert "_store4_rows(y_ptr + " in text
    x = np.arange(7 * 20 * 4, dtype=np.float32)
    y = run(source, x, np.zeros(8 * 32 * 4, np.float32), 7, 20, grid=(2, 1, 1), block=(32, 4, 1))[1]
    expected = np.tile(np.full(4, 7, np.float32), (8, 32, 1))
    expected[:7, :20] = x.reshape(7, 20, 4)[:, :, [3, 0, 1, 2]]
    assert (y.reshape(8, 32, 4) == expected).all()
    guarded = kernel("float4", "y[i] = x[i];").replace("if (i < n)", "float4 z = make_float4(0, 0, 0, 0); ")
    guarded = guarded.replace("y[i] = x[i];", "z = i < n ? x[i] : z; y[i] = z;")
    v = np.arange(256, dtype=np.float32)
    y = run(guarded, v, np.ones(256, np.float32), 40, grid=(1, 1, 1))[1]
    assert (y == np.where(np.arange(256) < 160, v, 0)).all()


def test_what_a_store_reads_after_another_store_is_read_after_it() -> None:
    """With x and y the same memory the second component would be read too early."""
    body = "y[i].x = x[i].y; y[i].y = x[i].x; y[i].z = x[i].z; y[i].w = x[i].w;"
    source = kernel("float4", body).replace("const float4* x", "float4* x")
    assert "_store4(" not in translated(source).text
