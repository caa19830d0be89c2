// The host interface: a generator's settings, and filling arrays.
#pragma once

#include "random/generator.h"

namespace porter_sim::random {

namespace {

bool quasi(const Generator &g) { return g.engine == Engine::sobol || g.engine == Engine::sobol64; }

int writable(const Generator *g, const void *out, size_t bytes, const void *return_address) {
  if (!g) return status_not_initialised;
  if (g->on_host) return out || !bytes ? status_ok : status_launch_failure;
  return reach_device_memory({"the random number generator", return_address}, out, bytes) ? status_ok
                                                                                           : status_launch_failure;
}

// An engine makes this many numbers at its turn.
template <class State>
size_t numbers_a_turn(bool pairs, bool precise) {
  if (std::is_same_v<State, Philox> && precise) return 4;
  return pairs ? 2 : 1;
}

// `make` draws `draws` numbers for one of the results.
template <class State, class Out, class Make>
void fill(Interleaved<State> &engines, Out *out, size_t n, size_t turn, unsigned draws, Make make) {
  for (size_t i = 0; i < n;) {
    State &engine = engines.take(unsigned(turn) * draws);
    for (size_t k = 0; k < turn; ++k) {
      auto value = make(engine);
      if (i < n) out[i++] = Out(value);
    }
  }
}

// The same in pairs.
template <class State, class Out, class Make>
void fill_pairs(Interleaved<State> &engines, Out *out, size_t n, size_t turn, unsigned draws, Make make) {
  for (size_t i = 0; i < n;) {
    State &engine = engines.take(unsigned(turn / 2) * draws);
    for (size_t k = 0; k < turn; k += 2) {
      auto pair = make(engine);
      if (i < n) out[i++] = Out(pair.x);
      if (i < n) out[i++] = Out(pair.y);
    }
  }
}

// A quasi-random array is one dimension after the other.
template <class Out, class Make>
int fill_dimensions(Generator &g, Out *out, size_t n, Make make) {
  if (n % g.dimensions) return status_length_not_multiple;
  size_t each = n / g.dimensions;
  auto fill = [&](auto state, auto *directions) {
    initialise(state, directions, {}, g.offset);
    for (size_t i = 0; i < each; ++i) *out++ = Out(make(state));
  };
  for (unsigned dimension = 0; dimension < g.dimensions; ++dimension) {
    if (g.engine == Engine::sobol64) {
      fill(Sobol64{}, sobol64_directions(dimension));
    } else {
      fill(Sobol{}, sobol_directions(dimension));
    }
  }
  g.offset += each;
  return status_ok;
}

template <class State, class Out>
void fill_shape(Interleaved<State> &engines, Out *out, size_t n, const Shape &shape) {
  size_t turn = numbers_a_turn<State>(shape.kind != Kind::uniform, shape.precise);
  if (shape.kind == Kind::uniform && shape.precise) {
    fill(engines, out, n, turn, 2, [](State &s) {
      if constexpr (std::is_same_v<State, Mrg>) return uniform_double(s);
      else return uniform_double_of_two(s);
    });
  } else if (shape.kind == Kind::uniform) {
    fill(engines, out, n, turn, 1, [](State &s) { return uniform(s); });
  } else if (shape.precise) {
    fill_pairs(engines, out, n, turn, 4, [&](State &s) {
      double2 v = normal2_double(s);
      v = {shape.mean + shape.deviation * v.x, shape.mean + shape.deviation * v.y};
      return shape.kind == Kind::normal ? v : double2{std::exp(v.x), std::exp(v.y)};
    });
  } else {
    float mean = float(shape.mean), deviation = float(shape.deviation);
    fill_pairs(engines, out, n, turn, 2, [&](State &s) {
      float2 v = normal2(s);
      v = {mean + deviation * v.x, mean + deviation * v.y};
      return shape.kind == Kind::normal ? v : float2{std::exp(v.x), std::exp(v.y)};
    });
  }
}

template <class State>
double sobol_value(State &s, const Shape &shape) {
  if (shape.kind == Kind::uniform) return shape.precise ? uniform_double(s) : double(uniform(s));
  double v = shape.mean + shape.deviation * normal_double(s);
  return shape.kind == Kind::normal ? v : std::exp(v);
}

template <class Real>
int generate_real(Generator *g, Real *out, size_t n, const Shape &shape, const void *return_address) {
  int status = writable(g, out, n * sizeof(Real), return_address);
  if (status) return status;
  if (quasi(*g)) return fill_dimensions(*g, out, n, [&](auto &s) { return sobol_value(s, shape); });
  bool pairs = shape.kind != Kind::uniform && (g->engine == Engine::xorwow || g->engine == Engine::mrg);
  if (pairs && n % 2) return status_length_not_multiple;
  g->visit([&](auto &engines) { fill_shape(engines, out, n, shape); });
  return status_ok;
}

}  // namespace

int check(const Generator *g) { return g ? status_ok : status_not_initialised; }

int refuse_scrambled() {
  fprintf(stderr, "porter: the scrambled direction vectors and constants are tables of the vendor's that are not published; "
                  "only device code with vectors of its own can use scrambled Sobol' sequences here\n");
  return status_type_error;
}

int create(Generator **out, Engine engine, bool on_host) {
  if (engine == Engine::scrambled) return refuse_scrambled();
  if (!out || engine == Engine::unknown) return status_type_error;
  *out = new Generator(engine, on_host);
  return status_ok;
}
int destroy(Generator *g) {
  if (!g) return status_not_initialised;
  delete g;
  return status_ok;
}

int set_seed(Generator *g, unsigned long long seed) {
  if (!g) return status_not_initialised;
  if (quasi(*g)) return status_type_error;
  g->seed = seed;
  g->forget();
  return status_ok;
}
int set_offset(Generator *g, unsigned long long offset) {
  if (!g) return status_not_initialised;
  if (g->engine == Engine::mtgp || g->engine == Engine::mersenne) return status_type_error;
  g->offset = offset;
  g->forget();
  return status_ok;
}

int set_ordering(Generator *g, int order) {
  if (!g) return status_not_initialised;
  constexpr int best = 100, by_default = 101, legacy = 103, quasi_default = 201;
  bool known = quasi(*g) ? order == quasi_default : order == best || order == by_default || order == legacy;
  return known ? status_ok : status_out_of_range;
}

int set_dimensions(Generator *g, unsigned count) {
  if (!g) return status_not_initialised;
  if (!quasi(*g)) return status_type_error;
  if (count == 0 || count > 20000) return status_out_of_range;
  if (count > sobol_dimensions) {
    fprintf(stderr, "porter: Sobol' sequences have up to %u dimensions here, not %u\n", sobol_dimensions, count);
    return status_out_of_range;
  }
  g->dimensions = count;
  return status_ok;
}

int generate_bits(Generator *g, unsigned *out, size_t n, const void *return_address) {
  int status = writable(g, out, n * sizeof *out, return_address);
  if (status) return status;
  if (g->engine == Engine::sobol64) return status_type_error;
  if (quasi(*g)) return fill_dimensions(*g, out, n, [](auto &s) { return next(s); });
  g->visit([&](auto &engines) {
    for (size_t i = 0; i < n; ++i) out[i] = engines.one();
  });
  return status_ok;
}
int generate_long_bits(Generator *g, unsigned long long *out, size_t n, const void *return_address) {
  int status = writable(g, out, n * sizeof *out, return_address);
  if (status) return status;
  if (g->engine != Engine::sobol64) return status_type_error;
  return fill_dimensions(*g, out, n, [](auto &s) { return next(s); });
}
int generate(Generator *g, float *out, size_t n, Shape shape, const void *return_address) {
  return generate_real(g, out, n, shape, return_address);
}
int generate(Generator *g, double *out, size_t n, Shape shape, const void *return_address) {
  return generate_real(g, out, n, shape, return_address);
}

int generate_poisson(Generator *g, unsigned *out, size_t n, double mean, const void *return_address) {
  int status = writable(g, out, n * sizeof *out, return_address);
  if (status) return status;
  if (!(mean > 0)) return status_out_of_range;
  if (quasi(*g)) {
    const Discrete *table;
    create_poisson(mean, &table);
    status = fill_dimensions(*g, out, n, [&](auto &s) { return discrete(word_of(s), *table); });
    return destroy_distribution(table), status;
  }
  g->visit([&](auto &engines) { fill(engines, out, n, 1, 1, [&](auto &s) { return poisson(s, mean); }); });
  return status_ok;
}

int create_poisson(double mean, const Discrete **out) {
  if (!out || !(mean > 0)) return status_out_of_range;
  double reach = 12 * std::sqrt(mean) + 40;
  unsigned first = mean > reach ? unsigned(mean - reach) : 0, count = unsigned(mean + reach) - first + 1;
  auto *table = static_cast<Discrete *>(malloc(sizeof(Discrete) + count * sizeof(double)));
  if (!table) return status_no_memory;
  table->first = first, table->count = count;
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    int sign;
    double k = first + i;
    table->below[i] = sum += std::exp(k * std::log(mean) - mean - ::lgamma_r(k + 1, &sign));
  }
  *out = table;
  return status_ok;
}
int destroy_distribution(const Discrete *distribution) {
  free(const_cast<Discrete *>(distribution));
  return status_ok;
}

}  // namespace porter_sim::random
