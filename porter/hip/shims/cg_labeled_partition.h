// needs:
#ifndef PORTER_CG_LABELED_PARTITION
#define PORTER_CG_LABELED_PARTITION
#include <hip/hip_cooperative_groups.h>
// The lanes of this lane's group of 32 that give the same label. Each turn of the loop takes one label's lanes out.
template <class Group, class Label>
__device__ inline cooperative_groups::coalesced_group porter_cg_labeled_partition(const Group&, Label label) {
  const unsigned threads_before = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned warp = threads_before / 32;
  for (;;) {
    const cooperative_groups::coalesced_group active = cooperative_groups::coalesced_threads();
    // Both shuffles by all lanes: `&&` would leave out those whose label differs.
    const Label first_label = active.shfl(label, 0);
    const unsigned first_warp = active.shfl(warp, 0);
    const bool same = first_label == label && first_warp == warp;
    const cooperative_groups::coalesced_group part = cooperative_groups::binary_partition(active, same);
    if (same) return part;
  }
}
#endif
