// One access of instrumented code, sorted by whose memory it is.
#pragma once

#include "check_shared.h"
#include "porter_sim/launch.h"

namespace porter_sim {

#ifdef PORTER_SIM_CHECK

// What decides the rest is not inlined: most accesses are of thread-locals, the stack, or shared memory.
void check_global_access(const void *address, const SharedAccess &access);
void check_host_access(const void *address, const SharedAccess &access);
// The vendor's rule on alignment was broken at `file`:`line` by an access to `address`.
void check_misaligned(const void *address, const char *file, int line, unsigned alignment, const char *type);
// A value of `bits` bits is shifted by `amount`, which is negative or no less than `bits`.
void check_wide_shift(long long amount, unsigned bits, const void *instruction, const void *frame);
// The running launch's arguments: pointers to the host's memory among them are remembered.
void check_launch_begins(const LaunchRequest &request);

#else
inline void check_launch_begins(const LaunchRequest &) {}
#endif

}  // namespace porter_sim
