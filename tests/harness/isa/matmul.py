"""A tiled matrix product for the executor's tests; K is a multiple of BLOCK_K, M and N of their tiles."""

import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a, b, c, n, k,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, TRANSPOSED: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        left = tl.load(a + rows[:, None] * k + depth[None, :])
        if TRANSPOSED:
            right = tl.load(b + columns[None, :] * k + depth[:, None])
        else:
            right = tl.load(b + depth[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def row_sum_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + place, mask=place < columns, other=0.0)
    tl.store(y + row, tl.sum(values, axis=0))
