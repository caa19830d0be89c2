// The host interface's core, the same for both vendors; it is defined in the library's object.
#pragma once

#include "porter_sim/random/discrete.h"

namespace porter_sim::random {

struct Generator;

enum class Engine { xorwow, mrg, mtgp, mersenne, philox, sobol, sobol64, scrambled, unknown };
enum class Kind { uniform, normal, log_normal };

struct Shape {
  Kind kind;
  bool precise;  // made of twice as many bits
  double mean, deviation;
};

// All return the vendors' status numbers.
enum Status : int {
  status_ok = 0,
  status_not_initialised = 101,
  status_no_memory = 102,
  status_type_error = 103,
  status_out_of_range = 104,
  status_length_not_multiple = 105,
  status_launch_failure = 201,
};

int check(const Generator *g);
int create(Generator **out, Engine engine, bool on_host);
int destroy(Generator *g);
int set_seed(Generator *g, unsigned long long seed);
int set_offset(Generator *g, unsigned long long offset);
int set_ordering(Generator *g, int order);
int set_dimensions(Generator *g, unsigned count);
int generate_bits(Generator *g, unsigned *out, size_t n, const void *return_address);
int generate_long_bits(Generator *g, unsigned long long *out, size_t n, const void *return_address);
int generate(Generator *g, float *out, size_t n, Shape shape, const void *return_address);
int generate(Generator *g, double *out, size_t n, Shape shape, const void *return_address);
int generate_poisson(Generator *g, unsigned *out, size_t n, double mean, const void *return_address);
int create_poisson(double mean, const Discrete **out);
int destroy_distribution(const Discrete *distribution);
// Direction numbers of the Sobol' sequences in 32 dimensions' order; null past the last known dimension.
const unsigned *sobol_directions(unsigned dimension);
const unsigned long long *sobol64_directions(unsigned dimension);
// For what stands on tables that are the vendor's own: says so.
int refuse_scrambled();

}  // namespace porter_sim::random
