// A discrete distribution as a table of its distribution function, for inversion.
#pragma once

#include "porter_sim/vector_types.h"

namespace porter_sim::random {

struct Discrete {
  unsigned first;     // the value of the first entry
  unsigned count;     // of entries
  double below[1];    // probability of values up to and including each entry; `count` of them
};

inline unsigned discrete(unsigned bits, const Discrete &d) {
  double u = (double(bits) + 0.5) * 2.3283064365386963e-10;
  const double *end = d.below + d.count;
  unsigned at = unsigned(std::lower_bound(d.below, end, u) - d.below);
  return d.first + std::min(at, d.count - 1);
}

}  // namespace porter_sim::random
