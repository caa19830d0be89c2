"""Whole kernels that compute attention, however they share the work, as two `tl.dot` a tile of keys."""

from __future__ import annotations

import re

import numpy as np
import pytest

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.tile.raise_attention import raise_attention
from tests.tile import run_text
from tests.tile.run_text import translated

HEADS = 2
SCALE = 0.25


def _data(length: int, columns: int) -> list[np.ndarray]:
    random = np.random.default_rng(length * 100 + columns)
    return [random.standard_normal((HEADS, length, columns)).astype(np.float32) for _ in range(3)]


def _expected(q: np.ndarray, k: np.ndarray, v: np.ndarray, *, causal: bool) -> tuple[np.ndarray, np.ndarray]:
    """The result and the logarithms of the sums, in double precision."""
    scores = np.einsum("hid,hjd->hij", q.astype(np.float64), k.astype(np.float64)) * SCALE
    if causal:
        rows, keys = np.ogrid[: q.shape[1], : k.shape[1]]
        scores = np.where(keys <= rows, scores, -np.inf)
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - largest)
    total = weights.sum(-1, keepdims=True)
    return weights / total @ v.astype(np.float64), (largest + np.log(total))[..., 0]


def _launched(source: str, block: tuple[int, int, int]) -> str:
    """With a launch in blocks of one shape only."""
    found = re.search(r"void k\(([^)]*)\)", source)
    assert found is not None
    names = [p.split()[-1].lstrip("*") for p in found[1].split(",")]
    sizes = ", ".join(map(str, block))
    launch = f"k<<<dim3(1, {HEADS}), dim3({sizes})>>>({', '.join(names)});"
    return f"{source}\nvoid launch({found[1]}) {{ {launch} }}\n"


def run(source: str, *arguments: object, grid: tuple[int, int, int], block: tuple[int, int, int]):  # type: ignore[no-untyped-def]
    return run_text.run(_launched(source, block), *arguments, grid=grid, block=block)


def _is_attention(source: str, block: tuple[int, int, int]) -> str:
    translation = translated(_launched(source, block), block)
    text = translation.text.split("\nif __name__")[0]
    assert text.count("tl.dot(") == 2, text
    assert "scratch" not in text
    assert "running softmax" in translation.kernels[0].raised[0]
    return text


def _check(source: str, block: tuple[int, int, int], rows: int, columns: int, *, causal: bool) -> str:
    """`k(q, k, v, out, n, scale)` is attention, for lengths that no tile divides and for a single key."""
    text = _is_attention(source, block)
    for length in (1, 37, 131):
        q, k, v = _data(length, columns)
        out = np.full_like(q, 9)
        grid = (-(-length // rows), HEADS, 1)
        *_, found = run(source, q, k, v, out, length, SCALE, grid=grid, block=block)
        expected, _ = _expected(q, k, v, causal=causal)
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
    return text


SIZES = "constexpr int D = 16, BR = 64, BC = 4;\n"
ROW = (
    SIZES
    + """
__global__ void k(const float* __restrict__ q, const float* __restrict__ key, const float* __restrict__ v,
                  float* __restrict__ out, int n, float scale) {
    __shared__ float ks[BC][D], vs[BC][D];
    const int row = blockIdx.x * BR + threadIdx.x;
    const long long base = (long long)blockIdx.y * n * D;
    float qr[D], acc[D];
    for (int d = 0; d < D; ++d) {
        qr[d] = row < n ? q[base + row * D + d] : 0.0f;
        acc[d] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int j0 = 0; j0 < n; j0 += BC) {
        for (int i = threadIdx.x; i < BC * D; i += BR) {
            const bool is_key = j0 + i / D < n;
            ks[i / D][i % D] = is_key ? key[base + j0 * D + i] : 0.0f;
            vs[i / D][i % D] = is_key ? v[base + j0 * D + i] : 0.0f;
        }
        __syncthreads();
        float s[BC], top = m;
        for (int j = 0; j < BC; ++j) {
            float dot = 0.0f;
            for (int d = 0; d < D; ++d) dot += qr[d] * ks[j][d];
            s[j] = (j0 + j < n && j0 + j <= row) ? dot * scale : -INFINITY;
            top = fmaxf(top, s[j]);
        }
        const float alpha = expf(m - top);
        l *= alpha;
        for (int d = 0; d < D; ++d) acc[d] *= alpha;
        for (int j = 0; j < BC; ++j) {
            const float p = expf(s[j] - top);
            l += p;
            for (int d = 0; d < D; ++d) acc[d] += p * vs[j][d];
        }
        m = top;
        __syncthreads();
    }
    if (row < n) {
        for (int d = 0; d < D; ++d) out[base + row * D + d] = acc[d] / l;
    }
}
"""
)
"""A thread for each row; tiles of keys and values in shared memory."""


def test_a_thread_for_each_row() -> None:
    text = _check(ROW, (64, 1, 1), 64, 16, causal=True)
    assert "n_end = tl.minimum(n, pid_x * BLOCK_Y + BLOCK_Y)" in text  # no keys behind the tile's last row
    assert "reference" not in text  # the first key is there for every row


def test_all_keys_for_every_row() -> None:
    source = ROW.replace(" && j0 + j <= row", "")
    text = _check(source, (64, 1, 1), 64, 16, causal=False)
    assert "range(0, n, BLOCK_N)" in text


def test_the_scale_may_stand_with_the_query_or_in_the_exponent() -> None:
    with_query = ROW.replace("* D + d] : 0.0f", "* D + d] * scale : 0.0f").replace("dot * scale", "dot")
    in_exponent = ROW.replace("dot * scale", "dot").replace("expf(m - top)", "expf((m - top) * scale)")
    in_exponent = in_exponent.replace("expf(s[j] - top)", "expf(scale * (s[j] - top))")
    for source in (with_query, in_exponent):
        _check(source, (64, 1, 1), 64, 16, causal=True)


def test_a_running_maximum_that_is_a_branch() -> None:
    source = ROW.replace("top = fmaxf(top, s[j]);", "if (s[j] > top) top = s[j];")
    _check(source, (64, 1, 1), 64, 16, causal=True)


def test_scores_one_by_one_with_a_finite_start() -> None:
    """Every key rescales the sums; where a key does not count, nothing changes."""
    start = ROW.index("        float s[BC], top = m;")
    end = ROW.index("        __syncthreads();\n    }\n    if (row")
    body = """        for (int j = 0; j < BC; ++j) {
            if (j0 + j >= n) break;
            float dot = 0.0f;
            for (int d = 0; d < D; ++d) dot = fmaf(qr[d], ks[j][d], dot);
            dot *= scale;
            const float top = m > dot ? m : dot;
            const float alpha = __expf(m - top), p = __expf(dot - top);
            l = l * alpha + p;
            for (int d = 0; d < D; ++d) acc[d] = acc[d] * alpha + p * vs[j][d];
            m = top;
        }
"""
    source = (ROW[:start] + body + ROW[end:]).replace("m = -INFINITY", "m = -1e30f")
    text = _check(source, (64, 1, 1), 64, 16, causal=False)
    assert "-1e30" in text


def test_logarithms_of_the_sums() -> None:
    source = ROW.replace("int n, float", "float* __restrict__ lse, int n, float")
    source = source.replace(
        "acc[d] / l;\n", "acc[d] / l;\n        lse[blockIdx.y * n + row] = m + logf(l);\n"
    )
    text = _is_attention(source, (64, 1, 1))
    assert "m + tl.log(l)" in text
    q, k, v = _data(43, 16)
    out, lse = np.zeros_like(q), np.zeros((HEADS, 43), np.float32)
    *_, found, sums = run(source, q, k, v, out, lse, 43, SCALE, grid=(1, HEADS, 1), block=(64, 1, 1))
    expected = _expected(q, k, v, causal=True)
    np.testing.assert_allclose(found, expected[0], rtol=2e-5, atol=2e-6)
    np.testing.assert_allclose(sums, expected[1], rtol=2e-5, atol=2e-6)


def test_rows_without_keys() -> None:
    """Rows from 16 on see the keys up to 16 rows before them; the others see none."""
    plain = ROW.replace("j0 + j <= row", "j0 + j <= row - 16")
    text = _is_attention(plain, (64, 1, 1))
    assert 'reference = tl.where(new_m == -float("inf"), 0.0, new_m)' in text
    q, k, v = _data(53, 16)
    *_, found = run(plain, q, k, v, np.zeros_like(q), 53, SCALE, grid=(1, HEADS, 1), block=(64, 1, 1))
    expected, _ = _expected(q[:, 16:], k[:, :37], v[:, :37], causal=True)
    np.testing.assert_allclose(found[:, 16:], expected, rtol=2e-5, atol=2e-6)


def test_the_first_keys_are_left_out() -> None:
    source = ROW.replace("int j0 = 0", "int j0 = BC")
    _is_attention(source, (64, 1, 1))
    q, k, v = _data(70, 16)
    *_, found = run(source, q, k, v, np.zeros_like(q), 70, SCALE, grid=(2, HEADS, 1), block=(64, 1, 1))
    expected, _ = _expected(q[:, 4:], k[:, 4:], v[:, 4:], causal=True)
    np.testing.assert_allclose(found[:, 4:], expected, rtol=2e-5, atol=2e-6)


WARP = """
__global__ void k(const float* q, const float* key, const float* v, float* out, int n, float scale) {
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= n) return;
    const size_t base = (size_t)blockIdx.y * n * 64;
    const float q0 = q[base + row * 64 + lane] * scale, q1 = q[base + row * 64 + lane + 32] * scale;
    float a0 = 0.0f, a1 = 0.0f, m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= row; ++j) {
        float s = q0 * key[base + j * 64 + lane] + q1 * key[base + j * 64 + lane + 32];
        for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
        const float top = fmaxf(m, s);
        const float alpha = __expf(m - top), p = __expf(s - top);
        a0 = a0 * alpha + p * v[base + j * 64 + lane];
        a1 = a1 * alpha + p * v[base + j * 64 + lane + 32];
        l = l * alpha + p;
        m = top;
    }
    out[base + row * 64 + lane] = a0 / l;
    out[base + row * 64 + lane + 32] = a1 / l;
}
"""
"""A warp for each row, whose lanes share the columns."""


def test_a_warp_for_each_row() -> None:
    text = _check(WARP, (128, 1, 1), 4, 64, causal=True)
    assert "block_y = 64 if n <= 4 * grid_x" in text
    assert "tl.minimum" in text


def test_the_boundary_is_the_originals() -> None:
    """`j < row` in place of `j <= row`: a row does not see itself, and the first one sees nothing."""
    source = WARP.replace("j <= row", "j < row")
    _is_attention(source, (128, 1, 1))
    q, k, v = _data(37, 64)
    *_, found = run(source, q, k, v, np.zeros_like(q), 37, SCALE, grid=(10, HEADS, 1), block=(128, 1, 1))
    expected, _ = _expected(q[:, 1:], k[:, :36], v[:, :36], causal=True)
    np.testing.assert_allclose(found[:, 1:], expected, rtol=2e-5, atol=2e-6)
    assert np.isnan(found[:, 0]).all()  # 0 / 0, as in the original


def test_a_result_that_may_be_loaded_keeps_its_blocks() -> None:
    """Rows of several blocks in one program would load after others have stored."""
    source = WARP.replace("const float* key", "float* key")
    text = _is_attention(source, (128, 1, 1))
    assert "BLOCK_Y=4" in text
    assert "block_y" not in text
    restricted = source.replace("float* key", "float* __restrict__ key")
    assert "block_y" in _is_attention(restricted, (128, 1, 1))


def test_a_flag_says_whether_it_is_causal() -> None:
    source = WARP.replace("float scale", "float scale, bool causal")
    source = source.replace("j <= row;", "j <= last;").replace(
        "    float a0", "    const int last = causal ? row : n - 1;\n    float a0"
    )
    _is_attention(source, (128, 1, 1))
    q, k, v = _data(37, 64)
    for causal in (False, True):
        *_, found = run(
            source, q, k, v, np.zeros_like(q), 37, SCALE, causal, grid=(10, HEADS, 1), block=(128, 1, 1)
        )
        np.testing.assert_allclose(found, _expected(q, k, v, causal=causal)[0], rtol=2e-5, atol=2e-6)


TILE = """
constexpr int D = 32, B = 16;
__global__ void k(const float* __restrict__ q, const float* __restrict__ key, const float* __restrict__ v,
                  float* __restrict__ out, int n, float scale) {
    __shared__ float qs[B][D + 1], ks[B][D + 1], vs[B][D + 1], ss[B][B + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * B + ty;
    q += (size_t)blockIdx.y * n * D;
    key += (size_t)blockIdx.y * n * D;
    v += (size_t)blockIdx.y * n * D;
    out += (size_t)blockIdx.y * n * D;
    for (int c = tx; c < D; c += B) qs[ty][c] = row < n ? q[row * D + c] * scale : 0.0f;
    float acc[D / B] = {}, m = -1e30f, l = 0.0f;
    const int tiles = (n + B - 1) / B;
    for (int t = 0; t < tiles; ++t) {
        const int at = t * B + ty;
        __syncthreads();
        for (int c = tx; c < D; c += B) {
            ks[ty][c] = at < n ? key[at * D + c] : 0.0f;
            vs[ty][c] = at < n ? v[at * D + c] : 0.0f;
        }
        __syncthreads();
        float s = 0.0f;
        for (int d = 0; d < D; ++d) s += qs[ty][d] * ks[tx][d];
        if (t * B + tx >= n) s = -1e30f;
        ss[ty][tx] = s;
        __syncthreads();
        float top = m, sum = 0.0f;
        for (int j = 0; j < B; ++j) top = fmaxf(top, ss[ty][j]);
        const float alpha = __expf(m - top);
        for (int c = 0; c < D / B; ++c) acc[c] *= alpha;
        for (int j = 0; j < B; ++j) {
            const float p = __expf(ss[ty][j] - top);
            sum += p;
            for (int c = 0; c < D / B; ++c) acc[c] += p * vs[j][c * B + tx];
        }
        l = l * alpha + sum;
        m = top;
    }
    if (row < n) {
        for (int c = 0; c < D / B; ++c) out[row * D + c * B + tx] = acc[c] / l;
    }
}
"""
"""A block for a tile of rows, a thread for each score of a tile; scores in shared memory."""


def test_a_block_for_a_tile_of_rows() -> None:
    _check(TILE, (16, 16, 1), 16, 32, causal=False)


LANES = """
constexpr int D = 64, WARPS = 8, KEYS = 32;
__global__ void k(const float* __restrict__ q, const float* __restrict__ key, const float* __restrict__ v,
                      float* __restrict__ out, int n, float scale) {
    __shared__ float qs[WARPS][D], ks[KEYS][D + 1], vs[KEYS][D];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.x * WARPS + warp;
    const size_t base = (size_t)blockIdx.y * n * D;
    for (int d = lane; d < D; d += 32) qs[warp][d] = row < n ? q[base + row * D + d] * scale : 0.0f;
    float a0 = 0.0f, a1 = 0.0f, m = -INFINITY, l = 0.0f;
    for (int first = 0; first < n; first += KEYS) {
        __syncthreads();
        for (int i = threadIdx.x; i < KEYS * D; i += WARPS * 32) {
            const int at = first + i / D;
            ks[i / D][i % D] = at < n ? key[base + (size_t)first * D + i] : 0.0f;
            vs[i / D][i % D] = at < n ? v[base + (size_t)first * D + i] : 0.0f;
        }
        __syncthreads();
        float s = 0.0f;
        for (int d = 0; d < D; ++d) s += qs[warp][d] * ks[lane][d];
        if (first + lane >= n || first + lane > row) s = -INFINITY;
        float top = s;
        for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, o));
        top = fmaxf(m, top);
        const float p = __expf(s - top), alpha = __expf(m - top);
        float sum = p;
        for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffff, sum, o);
        l = l * alpha + sum;
        a0 *= alpha;
        a1 *= alpha;
        for (int j = 0; j < KEYS; ++j) {
            const float w = __shfl_sync(0xffffffff, p, j);
            a0 += w * vs[j][lane];
            a1 += w * vs[j][lane + 32];
        }
        m = top;
    }
    if (row < n) {
        out[base + row * D + lane] = a0 / l;
        out[base + row * D + lane + 32] = a1 / l;
    }
}
"""
"""A warp for each row, a lane for each key of a tile: maxima, sums and weights by shuffles."""


def test_a_lane_for_each_key() -> None:
    _check(LANES, (256, 1, 1), 8, 64, causal=True)


def test_weights_in_shared_memory() -> None:
    """Each thread computes the weight of its own score; the others of the row read it."""
    source = TILE.replace("ss[B][B + 1]", "ss[B][B + 1], ps[B][B + 1]")
    source = source.replace(
        "for (int c = 0; c < D / B; ++c) acc[c] *= alpha;",
        "ps[ty][tx] = __expf(s - top); __syncthreads(); for (int c = 0; c < D / B; ++c) acc[c] *= alpha;",
    )
    source = source.replace("const float p = __expf(ss[ty][j] - top);", "const float p = ps[ty][j];")
    _check(source, (16, 16, 1), 16, 32, causal=False)
    unsynchronised = source.replace("__expf(s - top); __syncthreads();", "__expf(s - top);")
    others = source.replace("p = ps[ty][j]", "p = ps[ty ^ 1][j]")
    assert "`ps`" in _reasons(unsynchronised, block=(16, 16, 1))["k"]
    assert _reasons(others, block=(16, 16, 1))["k"]


_DECLINED_LANES = {
    "a maximum of half of the lanes": ("int o = 16; o > 0; o /= 2) top", "int o = 8; o > 0; o /= 2) top"),
    "a sum of half of the lanes": ("int o = 16; o > 0; o /= 2) sum", "int o = 8; o > 0; o /= 2) sum"),
    "the weight of another key": ("p, j);", "p, j ^ 1);"),
    "the weight of one key for all": ("p, j);", "p, 0);"),
    "the old maximum of one row for all": ("alpha = __expf(m - top)", "alpha = __expf(qs[0][0] - top)"),
}


def test_it_declines_among_lanes() -> None:
    sizes = LANES[: LANES.index("__global__")]
    variants = []
    for number, (old, new) in enumerate(_DECLINED_LANES.values()):
        assert old in LANES
        variant = LANES.replace(old, new).replace("void k(", f"void k{number}(")
        variants.append(variant.replace(sizes, "") if number else variant)
    assert all(_reasons(*variants, block=(256, 1, 1)).values())


def test_halves_are_multiplied_as_halves() -> None:
    source = "#include <cuda_fp16.h>\n" + ROW.replace(
        "const float* __restrict__", "const __half* __restrict__"
    )
    source = source.replace("q[base + row * D + d]", "__half2float(q[base + row * D + d])")
    source = source.replace("key[base + j0 * D + i]", "__half2float(key[base + j0 * D + i])")
    source = source.replace("v[base + j0 * D + i]", "__half2float(v[base + j0 * D + i])")
    text = _is_attention(source, (64, 1, 1))
    assert "BLOCK_N=64" in text
    q, k, v = (a.astype(np.float16) for a in _data(37, 16))
    out = np.zeros(q.shape, np.float32)
    *_, found = run(source, q, k, v, out, 37, SCALE, grid=(1, HEADS, 1), block=(64, 1, 1))
    np.testing.assert_allclose(found, _expected(q, k, v, causal=True)[0], rtol=2e-5, atol=2e-6)
    assert "scores = tl.dot(q_tile, tl.trans(k" in text


# --- licences ------------------------------------------------------------------------------------------


def _reasons(*sources: str, block: tuple[int, int, int] = (64, 1, 1)) -> dict[str, str]:
    """Why each kernel is not raised; "" where it is. All are one program."""
    text = "\n".join(sources)
    found: dict[str, str] = {}
    for kernel in lower_kernels(SourceText("kernel.cu", text.encode()), (), include_dirs=[]):
        assert isinstance(kernel, Lowered), kernel
        raised = raise_attention(kernel.kernel, block).raising
        found[kernel.kernel.name] = "" if raised.raised else raised.declined[0].reason
    return found


_DECLINED = {
    "not rescaled": ("l *= alpha;", "", "different maxima"),
    "rescaled the other way": ("expf(m - top)", "expf(top - m)", "several maxima"),
    "weights relative to the old maximum": ("expf(s[j] - top)", "expf(s[j] - m)", "used as a weight"),
    "a maximum of some scores": (
        "top = fmaxf(top, s[j]);",
        "if (j) top = fmaxf(top, s[j]);",
        "some sums only",
    ),
    "a maximum that does not go on": ("top = m;", "top = -INFINITY;", "maximum"),
    "a sum of some weights": ("l += p;", "if (j) l += p;", "some sums only"),
    "a sum of all weights twice": ("l += p;", "l += p; l += p;", "twice"),
    "another scale in one exponent": ("expf(m - top)", "expf((m - top) * scale)", "different scales"),
    "no barrier before the loads": ("        m = top;\n        __syncthreads();", "        m = top;", "`ks`"),
    "no barrier after the loads": (
        "        __syncthreads();\n        float s[BC]",
        "        float s[BC]",
        "`ks`",
    ),
    "half of the columns": ("d = 0; d < D; ++d) dot", "d = 0; d < D / 2; ++d) dot", "as many columns"),
    "keys of a tile that are not its own": ("ks[j][d];", "ks[(j + 1) % BC][d];", ""),
    "sums that start at one": ("l = 0.0f", "l = 1.0f", "from zero on"),
    "the other sums start at one": ("acc[d] = 0.0f;", "acc[d] = 1.0f;", "from zero on"),
    "a step that skips keys": ("j0 += BC", "j0 += 2 * BC", "next one"),
    "a step that goes back": ("j0 += BC", "j0 += BC - 1", "next one"),
    "an exponential of another base": ("expf(s[j] - top)", "exp2f(s[j] - top)", "exp2"),
    "a scale that each round changes": (
        "        m = top;\n",
        "        m = top;\n        scale *= 0.5f;\n",
        "something else",
    ),
    "the sum is stored in the loop": (
        "        m = top;\n",
        "        m = top;\n        out[row] = l;\n",
        "store",
    ),
    "an element that two threads store": ("out[base + row * D + d]", "out[base + (row & ~1) * D + d]", ""),
    "a row that takes the next one's query": ("row * D + d] :", "(row ^ 1) * D + d] :", ""),
    "results in turn that may overlap": (
        "out[base + row * D + d] = acc[d] / l;",
        "{ out[base + row * D + d] = acc[d]; other[base + row * D + d] = l * acc[d]; }",
        "in turn",
    ),
    "two results added": ("out[base + row * D + d] =", "out[base + row * D + d] +=", "may have been stored"),
    "a result of another row's sum": ("acc[d] / l;", "acc[d] / l + acc[0];", "something else"),
    "a dot product of integers": (
        "float dot = 0.0f;\n            for (int d = 0; d < D; ++d) dot += qr[d] * ks[j][d];",
        "int i = 0;\n            for (int d = 0; d < D; ++d) i += (int)qr[d] * (int)ks[j][d];"
        "\n            const float dot = i / 4;",
        "integers",
    ),
    "keys by a bound of data": ("j0 + j < n &&", "q[j0 + j] < 1.0f &&", "comparison"),
}
"""What is changed in `ROW`, and a part of the reason."""


@pytest.fixture(scope="module")
def declined() -> dict[str, str]:
    variants = []
    for number, (old, new, _) in enumerate(_DECLINED.values()):
        assert old in ROW
        variant = ROW.replace(old, new).replace("void k(", f"void k{number}(")
        if "other[" in new:
            variant = variant.replace("float* __restrict__ out,", "float* out, float* other,")
        variants.append(variant.replace(SIZES, "") if number else variant)
    found = _reasons(*variants)
    return {what: found[f"k{number}"] for number, what in enumerate(_DECLINED)}


@pytest.mark.parametrize("what", _DECLINED)
def test_it_declines(what: str, declined: dict[str, str]) -> None:
    reason = declined[what]
    assert reason
    assert _DECLINED[what][2] in reason


# --- notes -----------------------------------------------------------------------------------------------


def test_a_kernel_that_stays_says_why() -> None:
    stays = translated(_launched(ROW.replace("l *= alpha;", ""), (64, 1, 1)), (64, 1, 1)).kernels[0]
    (note,) = (n for n in stays.notes if n.code == "TIL065")
    assert "different maxima" in note.message
    assert note.hint


def test_what_is_no_attention_has_no_such_note() -> None:
    softmax = """
__global__ void k(const float* x, const float* w, float* y, int n) {
    float m = -INFINITY, l = 0.0f;
    for (int i = 0; i < n; ++i) {
        const float top = fmaxf(m, x[threadIdx.x * n + i]);
        l = l * expf(m - top) + expf(x[threadIdx.x * n + i] - top);
        m = top;
    }
    for (int i = 0; i < n; ++i) y[threadIdx.x * n + i] = expf(x[threadIdx.x * n + i] - m) / l * w[i];
}
"""
    kernel = translated(_launched(softmax, (64, 1, 1)), (64, 1, 1)).kernels[0]
    assert "TIL065" not in {n.code for n in kernel.notes}
    assert not any("softmax" in line for line in kernel.raised)
