// What went wrong in a kernel, and where: one line on stderr, one event in the capture.
#pragma once

#include <stddef.h>

#include "porter_sim/collective.h"
#include "porter_sim/shared.h"

namespace porter_sim {

struct BarrierWait;

struct Place {
  const char *file;
  int line;
};

// Reports and gives up the launch; `status` is what later API calls return.
[[noreturn]] void fail_launch(const char *code, int status, Place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Reports and goes on.
void report(const char *code, Place place, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same for a call of a library's function on the host, which stands for its kernels.
void report_call(const char *code, const char *function, Place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Which thread of the kernel it was.
struct Thread {
  uint3 block, thread;
};
// The same with all that is known of the place given. A host's call has no kernel, "", and what no thread did no thread.
void report_at(const char *code, const char *kernel, Place place, const Thread *who, const char *message);
// A launch that was refused. It is settled once the program has its status: by a call that returned it, or by asking.
void report_refusal(const char *kernel, Place place, bool status_returned, const char *reason);
// The program asks for the last error.
void settle_refusals();
[[noreturn]] void fatal(const char *message);

void report_divergent_barrier(const BarrierWait &first, const BarrierWait &other);
[[noreturn]] void report_shared_overflow(const SharedSlot &slot, size_t bytes);
[[noreturn]] void report_wrong_mask(const Collective &call, lane_mask mask, lane_mask active);
[[noreturn]] void report_lane_not_named(const Collective &call, unsigned lane);
[[noreturn]] void report_bad_width(int width, const char *file, int line);

int report_count();
const char *last_report();

// Turns faults inside kernels into reports. `install_fault_handler` once, `give_signal_stack` once a worker.
void install_fault_handler();
void give_signal_stack();
// After a fault has unwound to the worker: says what it was.
void report_pending_fault();

constexpr unsigned poison_pattern = 0x7ffbadfe;
// Fills memory with a pattern; the usual one is NaN as float, double and in every second half.
void poison(void *memory, size_t bytes, unsigned pattern = poison_pattern);

}  // namespace porter_sim
