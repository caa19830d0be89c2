// needs:
#ifndef PORTER_ATOMIC_DEC_SYSTEM
#define PORTER_ATOMIC_DEC_SYSTEM
__device__ inline unsigned porter_atomic_dec_system(unsigned* at, unsigned limit) {
  unsigned seen = *at, wanted;
  do {
    wanted = seen;
    seen = atomicCAS_system(at, wanted, wanted == 0u || wanted > limit ? limit : wanted - 1u);
  } while (seen != wanted);
  return seen;
}
#endif
