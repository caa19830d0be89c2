#include "library_call.h"

#include <stdio.h>

#include "errors.h"
#include "grid.h"
#include "lines.h"
#include "memory.h"
#include "status.h"

namespace porter_sim {

bool reach_device_memory(const LibraryCall &call, const void *address, size_t bytes) {
  if (bytes == 0) return true;
  Allocation found;
  char what[256];
  if (!find_allocation(address, found)) {
    describe_address(address, what, sizeof what);
  } else {
    size_t offset = size_t(static_cast<const char *>(address) - found.start);
    if (bytes <= found.bytes && offset <= found.bytes - bytes) return true;
    snprintf(what, sizeof what, "%zu bytes from byte %zu of allocation %d, which has %zu bytes", bytes, offset, found.id,
             found.bytes);
  }
  SourceLine line = source_line(static_cast<const char *>(call.return_address) - 1, nullptr, nullptr);
  report_call("SIM001", call.function, {line.file ? line.file : "", line.line}, "%s", what);
  set_sticky_error(status_illegal_address);
  return false;
}

}  // namespace porter_sim
