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
struct coalesced_group : thread_group { PORTER_GROUP_COMMON PORTER_GROUP_COLLECTIVES };
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
PORTER_D coalesced_group coalesced_threads();
template <unsigned int Size, class Parent> PORTER_D thread_block_tile<Size, Parent> tiled_partition(const Parent& parent);
PORTER_D thread_group tiled_partition(const thread_group& parent, unsigned int size);
template <class Group> PORTER_D void sync(const Group& group);
template <class T> struct plus { PORTER_D T operator()(T a, T b) const; };
template <class T> struct less { PORTER_D T operator()(T a, T b) const; };
template <class T> struct greater { PORTER_D T operator()(T a, T b) const; };
template <class T> struct bit_and { PORTER_D T operator()(T a, T b) const; };
template <class T> struct bit_or { PORTER_D T operator()(T a, T b) const; };
template <class T> struct bit_xor { PORTER_D T operator()(T a, T b) const; };
template <class Group, class T, class Op> PORTER_D T reduce(const Group& group, T value, Op op);
template <class Group, class T, class Op> PORTER_D T inclusive_scan(const Group& group, T value, Op op);
template <class Group, class T, class Op> PORTER_D T exclusive_scan(const Group& group, T value, Op op);
template <class Group, class T> PORTER_D T inclusive_scan(const Group& group, T value);
template <class Group, class T> PORTER_D T exclusive_scan(const Group& group, T value);
}
