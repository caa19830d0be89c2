// Direction numbers of the first Sobol' dimensions.
//
// Polynomials and initial numbers: S. Joe, F. Kuo, "Constructing Sobol sequences with better two-dimensional
// projections", SIAM J. Sci. Comput. 30 (2008), the set new-joe-kuo-6.
#pragma once

#include "porter_sim/random/host.h"

namespace porter_sim::random {

namespace {

struct Primitive {
  unsigned degree, coefficients, initial[5];
};

constexpr Primitive primitives[] = {
    {1, 0, {1}},          {2, 1, {1, 3}},          {3, 1, {1, 3, 1}},         {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}},   {5, 2, {1, 1, 5, 5, 17}},  {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}}, {5, 11, {1, 1, 5, 1, 1}},
};
constexpr unsigned sobol_dimensions = 1 + sizeof primitives / sizeof *primitives;

struct Directions {
  unsigned of[sobol_dimensions][32];
};

void expand(const Primitive &p, unsigned *v) {
  for (unsigned i = 0; i < 32; ++i) {
    if (i < p.degree) {
      v[i] = p.initial[i] << (31 - i);
      continue;
    }
    v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
    for (unsigned k = 1; k < p.degree; ++k) {
      if (p.coefficients >> (p.degree - 1 - k) & 1) v[i] ^= v[i - k];
    }
  }
}

Directions all_directions() {
  Directions d;
  for (unsigned i = 0; i < 32; ++i) d.of[0][i] = 1u << (31 - i);
  for (unsigned k = 1; k < sobol_dimensions; ++k) expand(primitives[k - 1], d.of[k]);
  return d;
}

}  // namespace

const unsigned *sobol_directions(unsigned dimension) {
  static const Directions directions = all_directions();
  return dimension < sobol_dimensions ? directions.of[dimension] : nullptr;
}

}  // namespace porter_sim::random
