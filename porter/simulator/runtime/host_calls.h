// What the host's calls leave undone: failures nobody asks about, memory nobody frees, memory freed twice.
#pragma once

#include "lines.h"

namespace porter_sim {

void report_bad_free(const void *address, const CallChain &callers);
// A runtime call answers `status`, which is no success.
void note_failure(int status, const CallChain &callers);
// The program asks for the last error.
void note_question();
// Whether the program registered this memory of its own, so that kernels may use it.
bool is_registered_host(const void *address);

}  // namespace porter_sim
