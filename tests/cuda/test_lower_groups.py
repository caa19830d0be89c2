"""Cooperative groups as warp and block operations."""

import pytest

from tests.cuda.lowering import body_lines

KERNEL = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float *x, int *y) {{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    {body}
}}
int main() {{ k<<<2, {block}>>>(nullptr, nullptr); }}
"""
LINEAR = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"


def lowered(body: str, block: str = "256") -> list[str]:
    return body_lines(KERNEL.format(body=body, block=block))


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("block.sync(); cg::sync(block);", ["barrier block", "barrier block"]),
        ("warp.sync(); cg::sync(eight);", ["barrier warp", "barrier warp"]),
        ("y[0] = block.thread_rank();", ["y[0] = int32(threadIdx.x)"]),
        ("y[0] = block.size();", ["y[0] = int32(blockDim.x)"]),
        ("y[0] = warp.thread_rank();", ["y[0] = int32(threadIdx.x % 32u)"]),
        ("y[0] = eight.meta_group_rank();", ["y[0] = int32(threadIdx.x / 8u)"]),
        ("y[0] = eight.size() / 2;", ["y[0] = 4"]),
        ("x[0] = warp.shfl_down(x[1], 3);", ["x[0] = __shfl_down_sync(4294967295u, x[1], 3u, 32)"]),
        ("x[0] = eight.shfl(x[1], 3);", ["x[0] = __shfl_sync(4294967295u, x[1], 3, 8)"]),
        ("y[0] = warp.any(y[1] > 2);", ["y[0] = __any_sync(4294967295u, int32(y[1] > 2))"]),
        ("y[0] = block.group_index().x;", ["y[0] = int32(blockIdx.x)"]),
    ],
)
def test_methods(body: str, lines: list[str]) -> None:
    assert lowered(body) == lines


def test_vote_of_a_small_tile_is_its_part_of_the_ballot() -> None:
    assert lowered("y[0] = eight.ballot(y[1] > 2);") == [
        "ballot: uint32 = __ballot_sync(4294967295u, int32(y[1] > 2))",
        "y[0] = int32(ballot >> (threadIdx.x % 32u & 4294967288u) & 255u)",
    ]


def test_rank_counts_all_axes_unless_every_launch_is_one_dimensional() -> None:
    assert lowered("y[0] = block.thread_rank();", block="dim3(8, 8)") == [f"y[0] = int32({LINEAR})"]
    assert lowered("y[0] = block.thread_rank();", block="dim3(64)") == ["y[0] = int32(threadIdx.x)"]


def test_reduce_is_a_butterfly() -> None:
    assert lowered("x[0] = cg::reduce(eight, x[1], cg::less<float>());") == [
        "reduced: float32 = x[1]",
        "for offset: int32 = 4; offset > 0; offset = offset / 2 {",
        "  shuffled: float32 = __shfl_xor_sync(4294967295u, reduced, offset, 8)",
        "  reduced = fmin(reduced, shuffled)",
        "}",
        "x[0] = reduced",
    ]


def test_reduce_with_the_programs_own_operation() -> None:
    assert lowered("x[0] = cg::reduce(warp, x[1], [](float a, float b) { return a * b + 1; });") == [
        "reduced: float32 = x[1]",
        "for offset: int32 = 16; offset > 0; offset = offset / 2 {",
        "  shuffled: float32 = __shfl_xor_sync(4294967295u, reduced, offset, 32)",
        "  reduced = reduced * shuffled + 1.0f",
        "}",
        "x[0] = reduced",
    ]


def test_records_are_reduced_member_by_member() -> None:
    text = """
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Best { float value; int at; };
__device__ Best better(Best a, Best b) { return a.value < b.value ? b : a; }
__global__ void k(Best *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    out[0] = cg::reduce(warp, out[1], better);
}
"""
    assert body_lines(text) == [
        "reduced: Best = out[1]",
        "for offset: int32 = 16; offset > 0; offset = offset / 2 {",
        "  shuffled: float32 = __shfl_xor_sync(4294967295u, reduced.value, offset, 32)",
        "  shuffled_2: int32 = __shfl_xor_sync(4294967295u, reduced.at, offset, 32)",
        "  b: Best = Best{shuffled, shuffled_2}",
        "  reduced = reduced.value < b.value ? b : reduced",
        "}",
        "out[0] = reduced",
    ]
