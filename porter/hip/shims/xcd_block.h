// needs:
#ifndef PORTER_XCD_BLOCK
#define PORTER_XCD_BLOCK
// The block to work on, so that blocks with neighbouring numbers run on one die (XCD) and share its L2. The
// hardware deals consecutive blocks to the dies in turn; this gives die d the d-th share of the grid in one
// piece. It is a permutation of the grid for any size. It pays where neighbouring blocks read the same memory;
// on GPUs with one die (gfx90a) it changes nothing but the order.
template <unsigned DIES>
__device__ __forceinline__ uint3 porter_xcd_block() {
  const unsigned total = gridDim.x * gridDim.y;
  const unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned die = number % DIES, turn = number / DIES;
  const unsigned share = total / DIES, longer = total % DIES;  // the first `longer` dies get one more
  const unsigned first = die * share + (die < longer ? die : longer);
  uint3 block;
  block.x = (first + turn) % gridDim.x;
  block.y = (first + turn) / gridDim.x;
  block.z = blockIdx.z;
  return block;
}
#endif
