// Copies that a thread starts, closes into groups and waits for. Their bytes are read at the start and written at the
// wait: the earliest and the latest moment there is, so that a missing wait shows.
#pragma once

#include "porter_sim/execution.h"

namespace porter_sim {

// Of `bytes` bytes (4, 8 or 16) the last `zeros` are zero.
void start_copy(void *to, const void *from, unsigned bytes, unsigned zeros, const char *file, int line);
void close_copies();
// All groups but the last `pending` are over.
void wait_for_copies(unsigned pending);
void wait_for_all_copies();

}  // namespace porter_sim
