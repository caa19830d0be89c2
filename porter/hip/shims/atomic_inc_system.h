// needs:
#ifndef PORTER_ATOMIC_INC_SYSTEM
#define PORTER_ATOMIC_INC_SYSTEM
__device__ inline unsigned porter_atomic_inc_system(unsigned* at, unsigned limit) {
  unsigned seen = *at, wanted;
  do {
    wanted = seen;
    seen = atomicCAS_system(at, wanted, wanted >= limit ? 0u : wanted + 1u);
  } while (seen != wanted);
  return seen;
}
#endif
