// Findings that do not end a launch: one report for each kind and place, and how often it was seen.
#pragma once

#include <stddef.h>

#include "porter_sim/vector_types.h"

namespace porter_sim {

// Who did it. A finding may be told later than it happened.
struct Culprit {
  uint3 block;
  uint3 thread;
  const void *instruction;  // return address of the access's callback
  const void *frame;        // of the callback; null when it is gone
};

Culprit culprit_here(const void *instruction, const void *frame);

// True for the first finding of its code in its kernel at its line (and the `other` instruction's): the caller then
// works out the text and calls `report_finding`. Later ones are counted.
bool first_of_its_kind(const char *code, const Culprit &culprit, const void *other = nullptr);
void report_finding(const char *code, const Culprit &culprit, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

}  // namespace porter_sim
