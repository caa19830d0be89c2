// AMD's matrix instructions on one product of 16 x 16, in the layouts of AMD's matrix instruction calculator.
//
// They read and write the registers of all lanes, active or not: with inactive lanes the result is not defined, and the
// simulator stops. Operands are anything that holds the elements one after the other.
#pragma once

#include "porter_sim/half.h"
#include "porter_sim/matrix_map.h"

namespace porter_sim {

struct BfloatBits {
  unsigned short bits;
  explicit operator double() const { return double(bits_float(unsigned(bits) << 16)); }
};

// Elements of `Operand` along the depth, for 16 lines and `depth` in four groups of lanes.
template <class Element, unsigned depth, unsigned sum_run, class Number, class Operand, class Sums>
Sums matrix_core(const Operand &a, const Operand &b, Sums sums, const char *file, int line) {
  static_assert(PORTER_SIM_LANES == 64, "matrix instructions belong to wavefronts of 64 lanes");
  static_assert(sizeof(Operand) == depth / 4 * sizeof(Element), "a lane holds a quarter of its line");
  using Factors = WavefrontMap<16, depth, depth / 4, false>;
  using Results = WavefrontMap<16, 16, sum_run, true>;
  struct Operands {
    const Operand *a, *b;
  } mine{&a, &b};
  shown(linear_thread()) = &mine;
  if (vote(Op::active, Mask::none, 0, 0, file, line) != all_lanes) {
    device_trap("SIM042", "a matrix instruction works on all lanes of the wavefront, and some are not active here", file, line);
  }
  static constexpr Owners<Factors, 16, depth, 64> owners{};
  auto element = [](const Operand *operand, unsigned index) {
    Element value;
    __builtin_memcpy((void *)&value, reinterpret_cast<const char *>(operand) + index * sizeof(Element), sizeof value);
    if constexpr (std::is_integral_v<Element>) {
      return int(value);
    } else {
      return double(value);
    }
  };
  Sums results = sums;
  for (unsigned i = 0; i < 4; ++i) {
    Place2 at = Results::place(lane_id(), i);
    auto left = [&](unsigned k) { return element(shown_by<Operands>(owners.of[at.row][k].lane).a, owners.of[at.row][k].index); };
    auto right = [&](unsigned k) { return element(shown_by<Operands>(owners.of[at.column][k].lane).b, owners.of[at.column][k].index); };
    results[i] = dot<Number>(depth, sums[i], left, right);
  }
  vote(Op::active, Mask::none, 0, 0, file, line);
  return results;
}

}  // namespace porter_sim

#define PORTER_MATRIX_CORE(...) ::porter_sim::matrix_core<__VA_ARGS__>
#define __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, x, y, z) \
  PORTER_MATRIX_CORE(__half, 16, 4, float)(a, b, c, __FILE__, __LINE__)
#define __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, x, y, z) \
  PORTER_MATRIX_CORE(::porter_sim::BfloatBits, 16, 4, float)(a, b, c, __FILE__, __LINE__)
#define __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, x, y, z) \
  PORTER_MATRIX_CORE(float, 4, 4, float)(a, b, c, __FILE__, __LINE__)
#define __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, x, y, z) \
  PORTER_MATRIX_CORE(signed char, 32, 4, int)(a, b, c, __FILE__, __LINE__)
#define __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, x, y, z) \
  PORTER_MATRIX_CORE(double, 4, 1, double)(a, b, c, __FILE__, __LINE__)
