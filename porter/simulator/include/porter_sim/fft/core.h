// Fourier transforms' core, the same for both vendors; it is defined in the library's object.
#pragma once

#include "porter_sim/libraries/single.h"

namespace porter_sim::fft {

// The numbers are both vendors'.
enum Type : int {
  real_to_complex = 0x2a,
  complex_to_real = 0x2c,
  complex_to_complex = 0x29,
  double_real_to_complex = 0x6a,
  double_complex_to_real = 0x6c,
  double_complex_to_complex = 0x69,
};

// To execute: the plan's own type.
constexpr int any_type = 0;

enum Status : int {
  status_ok = 0,
  status_invalid_plan = 1,
  status_invalid_type = 3,
  status_invalid_value = 4,
  status_exec_failed = 6,
  status_invalid_size = 8,
  status_not_supported = 16,
};

// How the elements of one side lie in memory. `embed` is null for contiguous transforms.
struct Side {
  const long long *embed;
  long long stride, distance;
};

int create(int *plan);
int make(int plan, int rank, const long long *sizes, Side input, Side output, int type, long long batch,
         size_t *work_bytes);
int destroy(int plan);
int check(int plan);
int execute(int plan, const void *input, void *output, int type, int direction, const void *return_address);

}  // namespace porter_sim::fft
