// needs:
#ifndef PORTER_GLOBALTIMER
#define PORTER_GLOBALTIMER
// Nanoseconds: the constant clock of CDNA counts at 100 MHz (hipDeviceAttributeWallClockRate).
__device__ inline unsigned long long porter_globaltimer() {
  return static_cast<unsigned long long>(wall_clock64()) * 10ull;
}
#endif
