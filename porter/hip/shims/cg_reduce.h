// needs: 
#ifndef PORTER_CG_REDUCE
#define PORTER_CG_REDUCE
// cooperative_groups::reduce: a butterfly over tiles, whose size is a power of two; every lane gets the result.
template <typename Group, typename T, typename Combine>
__device__ __forceinline__ T porter_cg_reduce(const Group& group, T value, Combine combine) {
  for (unsigned offset = group.size() / 2u; offset > 0u; offset /= 2u) {
    value = combine(value, group.shfl_xor(value, offset));
  }
  return value;
}
#endif
