// The GPU that programs see. Figures come from the environment, where porter puts those of the chosen GPU.
#pragma once

#include <stddef.h>

namespace porter_sim {

// More than any GPU's shared memory; under checks there are gaps between the arrays.
#ifdef PORTER_SIM_CHECK
constexpr size_t arena_bytes = size_t(512) << 10;
#else
constexpr size_t arena_bytes = size_t(256) << 10;
#endif

struct Device {
  char name[64];
  char architecture[32];
  int count;  // of equal devices
  int major, minor;
  int multiprocessors;
  int threads_per_block;
  int threads_per_multiprocessor;
  size_t shared_bytes_per_block;        // without opting in
  size_t shared_bytes_per_block_optin;  // the hardware's limit
  size_t shared_bytes_per_multiprocessor;
  int blocks_per_multiprocessor;
  size_t l2_bytes;
  size_t memory_bytes;
  int registers_per_block;
  int clock_khz;
};

const Device &device();

}  // namespace porter_sim
