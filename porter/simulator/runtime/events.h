// The event log of docs/capture-format.md: one JSON object a line, flushed after each.
#pragma once

#include <string>

#include "memory.h"
#include "porter_sim/vector_types.h"

namespace porter_sim {

// DIR of PORTER_CAPTURE, or null.
const char *capture_directory();
bool capturing();
void write_event(const std::string &json);
void event_allocation(const Allocation &a);
void event_free(int id);
void event_error(const char *code, const char *kernel, uint3 block, uint3 thread, const char *file, int line,
                 const char *message);
std::string json_string(const std::string &text);

// A finding told before was seen `count` times in all.
void event_repeated(const std::string &code, const std::string &kernel, const char *file, int line,
                    unsigned long long count);

}  // namespace porter_sim
