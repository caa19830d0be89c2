// Which device memory a launch can reach: pointer arguments, pointers inside struct arguments, device symbols.
#pragma once

#include <vector>

#include "memory.h"
#include "porter_sim/launch.h"

namespace porter_sim {

struct Target {
  bool known;
  Allocation allocation;
  size_t offset;
};

struct Reached {
  int argument;  // -1: a symbol
  size_t at;     // byte inside a struct argument
  bool inside_structure;
  Target target;
};

inline Target target_of(const void *address) {
  Target target{};
  target.known = address && find_allocation(address, target.allocation);
  if (target.known) target.offset = size_t(static_cast<const char *>(address) - target.allocation.start);
  return target;
}

inline void reach_argument(const Argument &a, int index, std::vector<Reached> &out) {
  if (a.kind == ArgumentKind::scalar) return;
  bool inside = a.kind == ArgumentKind::structure;
  for (size_t at = 0; at + sizeof(void *) <= a.size; at += sizeof(void *)) {
    void *value;
    memcpy(&value, static_cast<char *>(a.bytes) + at, sizeof value);
    Target target = target_of(value);
    if (target.known) out.push_back({index, at, inside, target});
  }
}

inline std::vector<Reached> reachable(const LaunchRequest &request) {
  std::vector<Reached> out;
  for (size_t i = 0; i < request.argument_count; ++i) reach_argument(request.arguments[i], int(i), out);
  for (const Allocation &a : live_symbols()) out.push_back({-1, 0, false, {true, a, 0}});
  return out;
}

// The name a replay gives to the allocation: `a2`, `a2.8`, `g:weights`.
inline std::string replay_name(const Reached &r) {
  if (r.argument < 0) return std::string("g:") + r.target.allocation.name;
  std::string name = "a" + std::to_string(r.argument);
  return r.inside_structure ? name + "." + std::to_string(r.at) : name;
}

}  // namespace porter_sim
