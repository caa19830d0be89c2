// From an instruction to its source line, out of the program's own DWARF line table (versions 2 to 4).
#pragma once

namespace porter_sim {

struct SourceLine {
  const char *file;  // null when unknown; otherwise kept for good
  int line;
};

// The user's line of `instruction`. Where that lies in the simulator's or the system's own code, the nearest user
// line before it, or that of the first return address on `stack` (up to `stack_end`) which has one.
SourceLine source_line(const void *instruction, const void *stack, const void *stack_end);

}  // namespace porter_sim
