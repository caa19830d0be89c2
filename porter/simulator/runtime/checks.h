// Which checks the user asked for: PORTER_SIM_CHECKS holds their names with commas between them.
#pragma once

namespace porter_sim {

enum Check : unsigned {
  check_memory = 1,     // accesses outside of allocations, of freed memory, across the host's border
  check_race = 2,       // shared memory without synchronisation
  check_init = 4,       // reads of what was never written
  check_alignment = 8,  // vector accesses at addresses the GPU refuses
  check_api = 16,       // failing runtime calls that nobody asks about
  check_leaks = 32,     // device memory that is never freed
  check_shift = 64,     // shifts by the width of the value or more, where the vendors' hardware differs
};

unsigned chosen_checks();
inline bool checks(Check one) { return (chosen_checks() & one) != 0; }

}  // namespace porter_sim
