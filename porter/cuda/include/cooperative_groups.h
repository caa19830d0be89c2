// Cooperative groups: the methods whose meaning the lowering knows.
#pragma once
#include "cuda_runtime.h"
namespace cooperative_groups {
#define PORTER_GROUP_COMMON                                          \
    PORTER_D void sync() const;                                      \
    PORTER_D unsigned int thread_rank() const;                       \
    PORTER_D unsigned int size() const;                              \
    PORTER_D unsigned int num_threads() const;
#define PORTER_GROUP_COLLECTIVES                                     \
    template <class T> PORTER_D T shfl(T value, int lane) const;              \
    template <class T> PORTER_D T shfl_down(T value, unsigned int delta) const; \
    template <class T> PORTER_D T shfl_up(T value, unsigned int delta) const; \
    template <class T> PORTER_D T shfl_xor(T value, unsigned int lanes) const; \
    PORTER_D int any(int predicate) const;                           \
    PORTER_D int all(int predicate) const;                           \
    PORTER_D unsigned int ballot(int predicate) const;               \
    template <class T> PORTER_D unsigned int match_any(T value) const;        \
    PORTER_D unsigned int meta_group_rank() const;                   \
    PORTER_D unsigned int meta_group_size() const;

struct thread_group { PORTER_GROUP_COMMON };
struct thread_block : thread_group {
    PORTER_GROUP_COMMON
    PORTER_D dim3 group_index() const;
    PORTER_D dim3 thread_index() const;
    PORTER_D dim3 group_dim() const;
    PORTER_D dim3 dim_threads() const;
};
struct grid_group : thread_group {
    PORTER_GROUP_COMMON
    PORTER_D bool is_valid() const;
    PORTER_D unsigned int block_rank() const;
    PORTER_D unsigned int num_blocks() const;
    PORTER_D dim3 group_dim() const;
};
// The threads of a warp that were active together, as the mask of their lanes; ranks follow the lanes.
struct coalesced_group {
    unsigned int mask;
    PORTER_D static unsigned int lane() {
        return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
    }
    PORTER_D unsigned int lane_of(unsigned int rank) const { return __fns(mask, 0, (int)rank + 1) & 31; }
    PORTER_D void sync() const { __syncwarp(mask); }
    PORTER_D unsigned int thread_rank() const { return __popc(mask & ((1u << lane()) - 1)); }
    PORTER_D unsigned int size() const { return __popc(mask); }
    PORTER_D unsigned int num_threads() const { return __popc(mask); }
    template <class T> PORTER_D T shfl(T value, int rank) const { return __shfl_sync(mask, value, (int)lane_of(rank)); }
    template <class T> PORTER_D T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank() + delta;
        return __shfl_sync(mask, value, (int)(rank < size() ? lane_of(rank) : lane()));
    }
    template <class T> PORTER_D T shfl_up(T value, unsigned int delta) const {
        const int rank = (int)thread_rank() - (int)delta;
        return __shfl_sync(mask, value, (int)(rank >= 0 ? lane_of(rank) : lane()));
    }
    PORTER_D int any(int predicate) const { return __any_sync(mask, predicate); }
    PORTER_D int all(int predicate) const { return __all_sync(mask, predicate); }
    PORTER_D unsigned int ranks_of(unsigned int lanes) const {
        unsigned int ranks = 0;
        int rank = 0;
        for (int k = 0; k < 32; k++) {
            ranks |= (mask >> k & lanes >> k & 1) << (rank & 31);
            rank += mask >> k & 1;
        }
        return ranks;
    }
    PORTER_D unsigned int ballot(int predicate) const { return ranks_of(__ballot_sync(mask, predicate)); }
    template <class T> PORTER_D unsigned int match_any(T value) const { return ranks_of(__match_any_sync(mask, value)); }
};
PORTER_D inline coalesced_group coalesced_threads() {
    coalesced_group group;
    group.mask = __activemask();
    return group;
}
template <class T> PORTER_D inline coalesced_group labeled_partition(const coalesced_group& parent, T label) {
    coalesced_group group;
    group.mask = __match_any_sync(parent.mask, label) & parent.mask;
    return group;
}
PORTER_D inline coalesced_group binary_partition(const coalesced_group& parent, bool predicate) {
    coalesced_group group;
    const unsigned int with = __ballot_sync(parent.mask, predicate);
    group.mask = predicate ? with : parent.mask & ~with;
    return group;
}
template <unsigned int Size, class Parent = void> struct thread_block_tile : thread_group {
    thread_block_tile() = default;
    template <class Other> PORTER_HD thread_block_tile(const thread_block_tile<Size, Other>& other);
    PORTER_GROUP_COMMON
    PORTER_GROUP_COLLECTIVES
};
#undef PORTER_GROUP_COMMON
#undef PORTER_GROUP_COLLECTIVES
PORTER_D thread_block this_thread_block();
PORTER_D grid_group this_grid();
template <unsigned int Size, class Parent> PORTER_D thread_block_tile<Size, Parent> tiled_partition(const Parent& parent);
PORTER_D thread_group tiled_partition(const thread_group& parent, unsigned int size);
template <class Group> PORTER_D void sync(const Group& group);
template <class T> struct plus { PORTER_D T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { PORTER_D T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { PORTER_D T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { PORTER_D T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { PORTER_D T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { PORTER_D T operator()(T a, T b) const { return a ^ b; } };
template <class Group, class T, class Op> PORTER_D T reduce(const Group& group, T value, Op op);
template <class Group, class T, class Op> PORTER_D inline T inclusive_scan(const Group& group, T value, Op op) {
    T sum = value;
    for (unsigned int delta = 1; delta < group.size(); delta *= 2) {
        const T other = group.shfl_up(sum, delta);
        if (group.thread_rank() >= delta) sum = op(other, sum);
    }
    return sum;
}
template <class Group, class T> PORTER_D inline T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
// The first thread gets what a scan of sums starts with; of other operators CUDA leaves it undefined.
template <class Group, class T, class Op> PORTER_D inline T exclusive_scan(const Group& group, T value, Op op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> PORTER_D inline T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}
}
