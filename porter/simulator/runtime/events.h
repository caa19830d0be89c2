// The event log of docs/capture-format.md: one JSON object a line, flushed after each.
#pragma once

#include <string>

#include "memory.h"
#include "porter_sim/vector_types.h"

namespace porter_sim {

struct Thread;

// DIR of PORTER_CAPTURE, or null.
const char *capture_directory();
bool capturing();
void write_event(const std::string &json);
void event_allocation(const Allocation &a);
void event_free(int id);
// `who` is null for what no thread did.
void event_error(const char *code, const char *kernel, const Thread *who, const char *file, int line,
                 const char *message);
std::string json_string(const std::string &text);

// The program has been given the status of every launch that was refused so far.
void event_settled();
// A finding told before was seen `count` times in all.
void event_repeated(const std::string &code, const std::string &kernel, const char *file, int line,
                    unsigned long long count);

}  // namespace porter_sim
