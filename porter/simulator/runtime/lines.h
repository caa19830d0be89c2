// From an instruction to its source line, out of the program's own DWARF line table.
#pragma once

namespace porter_sim {

struct SourceLine {
  const char *file;  // null when unknown
  int line;
};

SourceLine source_line(const void *instruction);

}  // namespace porter_sim
