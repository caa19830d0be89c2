// A barrier in one 64-bit word: expected and pending arrivals, and a count of completed phases. CUDA's barrier objects
// and the mbarrier instructions share it.
#pragma once

#include "porter_sim/atomics.h"

namespace porter_sim {

struct PhaseWord {
  unsigned long long bits;  // phase in the top 24 bits, then 20 bits each of expected and pending

  static constexpr unsigned long long field = (1ull << 20) - 1;
  static unsigned expected(unsigned long long word) { return unsigned(word >> 20 & field); }
  static unsigned pending(unsigned long long word) { return unsigned(word & field); }
  static unsigned phase(unsigned long long word) { return unsigned(word >> 40); }
  static unsigned long long pack(unsigned phase, unsigned expected, unsigned pending) {
    return (unsigned long long)(phase & 0xffffffu) << 40 | (unsigned long long)expected << 20 | pending;
  }

  void open(unsigned count) { __atomic_store_n(&bits, pack(0, count, count), __ATOMIC_SEQ_CST); }
  unsigned phase_now() const { return phase(__atomic_load_n(&bits, __ATOMIC_SEQ_CST)); }

  // Arrives `count` times, of which `dropped` are gone for good; the phase that it was.
  unsigned arrive(unsigned count, unsigned dropped, const char *file, int line) {
    unsigned long long before = atomic_update(&bits, [=](unsigned long long word) {
      if (pending(word) < count) device_trap("SIM042", "more arrivals at a barrier than it expects", file, line);
      unsigned left = pending(word) - count, members = expected(word) - dropped;
      return left ? pack(phase(word), members, left) : pack(phase(word) + 1, members, members);
    });
    note_order();
    return phase(before);
  }
  bool passed(unsigned phase) const { return phase_now() != phase; }
  // Whether the phase of that parity is over, as the instructions ask.
  bool passed_parity(unsigned parity) const { return (phase_now() & 1) != (parity & 1); }
};

}  // namespace porter_sim
