// Looks at every store into one page of device memory, one instruction at a time. On x86-64 only.
#pragma once

namespace porter_sim {

struct Store {
  const void *instruction;
  const char *address;  // the first byte it wrote of the page
};

// Calls `after` behind every store into the page of `byte`, until the process ends or the watch does. One watch at a time,
// in a process where one thread runs the kernel; an access to memory that is not mapped ends the process. The page holds
// nothing that `after` writes.
void watch_stores(const char *byte, void (*after)(const Store &));
void end_store_watch();
bool can_watch_stores();

}  // namespace porter_sim
