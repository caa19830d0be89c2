// What the CPU's side of a vendor's library needs of the runtime: whose call it is, and which memory it may touch.
#pragma once

#include <stddef.h>

namespace porter_sim {

struct LibraryCall {
  const char *function;
  const void *return_address;  // in the caller's code: its line is the place of what is reported
};

// Whether the bytes lie in one allocation that a GPU can reach. If not, this is reported and from then on the
// program's calls answer as they do after a kernel's illegal access.
bool reach_device_memory(const LibraryCall &call, const void *address, size_t bytes);

}  // namespace porter_sim
