// The vendor-neutral runtime functions behind both faces.
#include "porter_sim/api_core.h"
#include "porter_sim/graph_core.h"
#include "porter_sim/intrinsics.h"

#include <string.h>
#include <time.h>

#include "capture.h"
#include "device.h"
#include "child_grids.h"
#include "errors.h"
#include "events.h"
#include "grid.h"
#include "host_calls.h"
#include "memory.h"
#include "status.h"

namespace porter_sim {

namespace {

int shared_limit;
PORTER_TLS int selected_device;

bool is_device_memory(const void *address) {
  Allocation a;
  return find_allocation(address, a) && a.kind != Kind::pinned;
}

// As unified addressing does it, the direction is read off the pointers; a wrong one is an error on real hardware.
bool to_host(const void *to, const void *from, int direction) {
  if (direction == 2) return true;
  return direction == 4 && is_device_memory(from) && !is_device_memory(to);
}

bool past_the_end(const void *address, size_t bytes) {
  Allocation a;
  if (!find_allocation(address, a)) return false;
  return size_t(static_cast<const char *>(address) - a.start) + bytes > a.bytes;
}

}  // namespace

size_t dynamic_shared_limit(const LaunchRequest &) {
  size_t plain = device().shared_bytes_per_block;
  return std::max(plain, std::min(size_t(shared_limit), device().shared_bytes_per_block_optin));
}

SymbolRegistration::SymbolRegistration(const char *name, const volatile void *address, size_t bytes, bool managed,
                                       TypeSpelling element) {
  const Kind kind = managed ? Kind::managed : Kind::symbol;
  event_allocation(add_symbol(name, const_cast<void *>(address), bytes, kind, element));
}

void device_figures(DeviceFigures &out) {
  const Device &d = device();
  snprintf(out.name, sizeof out.name, "%s", d.name);
  snprintf(out.architecture, sizeof out.architecture, "%s", d.architecture);
  out.major = d.major;
  out.minor = d.minor;
  out.multiprocessors = d.multiprocessors;
  out.threads_per_block = d.threads_per_block;
  out.threads_per_multiprocessor = d.threads_per_multiprocessor;
  out.registers = d.registers_per_block;
  out.clock_khz = d.clock_khz;
  out.shared_per_block = d.shared_bytes_per_block;
  out.shared_per_block_optin = d.shared_bytes_per_block_optin;
  out.shared_per_multiprocessor = d.shared_bytes_per_multiprocessor;
  out.memory = d.memory_bytes;
  out.blocks_per_multiprocessor = d.blocks_per_multiprocessor;
  out.l2 = d.l2_bytes;
}

namespace api {

int fail(int status) {
  if (status) note_failure(status, callers_of(__builtin_frame_address(0)));
  return set_last_error(status);
}
int refuse(const char *function, const char *reason, const char *file, int line) {
  report_call("SIM033", function, {file, line}, "%s", reason);
  return set_last_error(status_not_supported);
}
int get_last_error() {
  note_question();
  settle_refusals();
  return take_last_error();
}
int peek_last_error() {
  note_question();
  settle_refusals();
  return ::porter_sim::peek_last_error();
}
int synchronise() {
  if (in_kernel()) wait_for_issued();
  return sticky_error();
}

int malloc_device(void **out, size_t bytes, int kind) {
  if (sticky_error()) return sticky_error();
  if (!out) return status_invalid_value;
  *out = nullptr;
  if (bytes == 0) return status_success;
  *out = allocate(bytes, Kind(kind));
  return *out ? status_success : status_out_of_memory;
}

int free_device(void *address) {
  if (!address || is_graph_memory(address)) return sticky_error();
  pool_forget(address);
  if (release(address) || sticky_error()) return sticky_error();
  report_bad_free(address, callers_of(__builtin_frame_address(0)));
  return status_invalid_value;
}

int free_host(void *address) { return free_device(address); }

int copy(void *to, const void *from, size_t bytes, int direction) {
  if (sticky_error()) return sticky_error();
  if (bytes == 0) return status_success;
  if (!to || !from) return status_invalid_value;
  if (direction < 0 || direction > 4) return status_invalid_direction;
  if (past_the_end(to, bytes) || past_the_end(from, bytes)) return status_invalid_value;
  if ((direction == 1 || direction == 3) && !is_device_memory(to)) return status_invalid_value;
  if ((direction == 2 || direction == 3) && !is_device_memory(from)) return status_invalid_value;
  memmove(to, from, bytes);
  if (to_host(to, from, direction)) observe_transfer(from, bytes);
  return status_success;
}

int copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int direction) {
  if (width > to_pitch || width > from_pitch) return status_invalid_pitch;
  for (size_t row = 0; row < height; ++row) {
    int status = copy(static_cast<char *>(to) + row * to_pitch, static_cast<const char *>(from) + row * from_pitch, width,
                      direction);
    if (status) return status;
  }
  return status_success;
}

int fill(void *to, int value, size_t bytes) {
  if (sticky_error()) return sticky_error();
  if (bytes && (!is_device_memory(to) || past_the_end(to, bytes))) return status_invalid_value;
  memset(to, value, bytes);
  return status_success;
}

int fill_2d(void *to, size_t pitch, int value, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row) {
    int status = fill(static_cast<char *>(to) + row * pitch, value, width);
    if (status) return status;
  }
  return status_success;
}

int symbol_address(void **out, const void *symbol) {
  *out = const_cast<void *>(symbol);
  return status_success;
}

int copy_to_symbol(void *symbol, const void *from, size_t bytes, size_t offset, int) {
  if (sticky_error()) return sticky_error();
  if (past_the_end(static_cast<char *>(symbol) + offset, bytes)) return status_invalid_value;
  memmove(static_cast<char *>(symbol) + offset, from, bytes);
  return status_success;
}

int copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int direction) {
  if (sticky_error()) return sticky_error();
  const char *from = static_cast<const char *>(symbol) + offset;
  if (past_the_end(from, bytes)) return status_invalid_value;
  memmove(to, from, bytes);
  if (direction == 2 || direction == 4) observe_transfer(from, bytes);
  return status_success;
}

int memory_info(size_t *free_bytes, size_t *total_bytes) {
  *total_bytes = device().memory_bytes;
  *free_bytes = device().memory_bytes - allocated_bytes();
  return status_success;
}

int occupancy(int *blocks, int block_size, size_t shared_bytes) {
  if (block_size <= 0 || block_size > device().threads_per_block) return status_invalid_value;
  int by_threads = device().threads_per_multiprocessor / block_size;
  int by_shared = shared_bytes ? int(device().shared_bytes_per_multiprocessor / shared_bytes) : by_threads;
  *blocks = std::min({by_threads, by_shared, device().blocks_per_multiprocessor});
  return status_success;
}

void raise_shared_limit(int bytes) { shared_limit = std::max(shared_limit, bytes); }
int select_device(int wanted) {
  if (wanted < 0 || wanted >= device_count()) return status_invalid_device;
  selected_device = wanted;
  return status_success;
}
int device_count() { return device().count; }
int invalid_device() { return status_invalid_device; }
int current_device() { return selected_device; }

int reset() {
  for (const Allocation &a : live_allocations()) {
    if (a.kind != Kind::pinned) release(a.start);
  }
  return status_success;
}

int pointer_kind(const void *address, void **start) {
  Allocation a;
  if (!find_allocation(address, a)) return -1;
  *start = a.start;
  return a.kind == Kind::symbol ? 0 : int(a.kind);
}

}  // namespace api

// Time in cycles of the simulated GPU's clock.
long long device_clock() { return (long long)((__int128)nanoseconds() * device().clock_khz / 1000000); }

double inverse_erf(double x) {
  if (x <= -1 || x >= 1) return x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
  double w = std::log((1 - x) * (1 + x));
  double t = 2 / (M_PI * 0.147) + w / 2;
  double y = std::copysign(std::sqrt(std::sqrt(t * t - w / 0.147) - t), x);
  for (int step = 0; step < 3; ++step) {
    double error = std::erf(y) - x;
    y -= error / (2 / std::sqrt(M_PI) * std::exp(-y * y) - y * error);
  }
  return y;
}

}  // namespace porter_sim

// C's clock() is the GPU's in a kernel and the process's on the host.
extern "C" clock_t clock(void) noexcept {
  if (porter_sim::in_kernel()) return clock_t(porter_sim::device_clock());
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
