// Kernels by address: who turns one into a `void *` registers what a launch needs to know.
#include <pthread.h>

#include <map>

#include "errors.h"
#include "grid.h"
#include "porter_sim/launch.h"
#include "status.h"

namespace porter_sim {

namespace {

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;

std::map<const void *, KernelEntry> &kernels() {
  static auto *it = new std::map<const void *, KernelEntry>;
  return *it;
}

}  // namespace

void register_kernel(const KernelEntry &entry) {
  pthread_mutex_lock(&kernels_lock);
  kernels()[entry.address] = entry;
  pthread_mutex_unlock(&kernels_lock);
}

const KernelEntry *find_kernel(const void *address) {
  pthread_mutex_lock(&kernels_lock);
  auto found = kernels().find(address);
  const KernelEntry *entry = found == kernels().end() ? nullptr : &found->second;
  pthread_mutex_unlock(&kernels_lock);
  return entry;
}

Work bind_address(const void *kernel, Configuration configuration, void **addresses, bool cooperative, const char *file,
                  int line) {
  const KernelEntry *entry = find_kernel(kernel);
  if (!entry) {
    report("SIM032", {file, line}, "the address %p is that of no kernel the simulator has seen: pass the kernel's name",
           const_cast<void *>(kernel));
    return [] { return set_last_error(status_invalid_device_function); };
  }
  LaunchRequest request{entry->name, kernel, file, line, configuration, cooperative, nullptr, 0, nullptr, nullptr};
  return entry->bind(request, kernel, addresses);
}

int launch_address(const void *kernel, Configuration configuration, void **addresses, bool cooperative, const char *file,
                   int line) {
  Work work = bind_address(kernel, configuration, addresses, cooperative, file, line);
  if (!in_kernel() && api::recording(configuration.stream)) {
    return api::record(configuration.stream, NodeKind::kernel, std::move(work));
  }
  const StatusReturned here;
  return work();
}

}  // namespace porter_sim
