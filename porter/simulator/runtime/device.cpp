#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

namespace porter_sim {

namespace {

long figure(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? atol(text) : otherwise;
}

void copy_text(char *to, size_t size, const char *name, const char *otherwise) {
  const char *text = getenv(name);
  snprintf(to, size, "%s", text && *text ? text : otherwise);
}

Device read_device() {
#ifdef PORTER_SIM_HIP
  constexpr bool hip = true;
#else
  constexpr bool hip = false;
#endif
  Device d{};
  copy_text(d.name, sizeof d.name, "PORTER_SIM_GPU_NAME", hip ? "AMD Instinct MI355X (simulated)" : "NVIDIA H100 (simulated)");
  copy_text(d.architecture, sizeof d.architecture, "PORTER_SIM_GPU_ARCH", hip ? "gfx950" : "sm_90");
  d.count = int(std::max(1L, figure("PORTER_SIM_DEVICES", 1)));
  d.major = int(figure("PORTER_SIM_GPU_MAJOR", 9));
  d.minor = int(figure("PORTER_SIM_GPU_MINOR", hip ? 5 : 0));
  // Unless a GPU is chosen it has few units: a cooperative launch keeps every thread of its grid alive at once.
  d.multiprocessors = int(figure("PORTER_SIM_GPU_UNITS", 8));
  d.threads_per_block = int(figure("PORTER_SIM_GPU_BLOCK_THREADS", 1024));
  d.threads_per_multiprocessor = int(figure("PORTER_SIM_GPU_UNIT_THREADS", 2048));
  d.blocks_per_multiprocessor = int(figure("PORTER_SIM_GPU_UNIT_BLOCKS", 32));
  d.l2_bytes = size_t(figure("PORTER_SIM_GPU_L2_BYTES", hip ? 4l << 20 : 50l << 20));
  long limit = figure("PORTER_SIM_GPU_SHARED_BYTES", hip ? 163840 : 232448);
  d.shared_bytes_per_block_optin = size_t(limit);
  d.shared_bytes_per_block = hip ? size_t(limit) : 49152;
  d.shared_bytes_per_multiprocessor = size_t(figure("PORTER_SIM_GPU_UNIT_SHARED_BYTES", hip ? limit : limit + 1024));
  d.memory_bytes = size_t(figure("PORTER_SIM_GPU_MEMORY_BYTES", long(64) << 30));
  d.registers_per_block = int(figure("PORTER_SIM_GPU_UNIT_REGISTERS", hip ? 131072 : 65536));
  d.clock_khz = int(figure("PORTER_SIM_GPU_CLOCK_KHZ", hip ? 2400000 : 1980000));
  return d;
}

}  // namespace

const Device &device() {
  static const Device it = read_device();
  return it;
}

}  // namespace porter_sim
