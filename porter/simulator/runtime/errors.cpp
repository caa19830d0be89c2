#include "errors.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "block.h"
#include "device.h"
#include "events.h"
#include "grid.h"
#include "lines.h"
#include "memory.h"
#include "status.h"

namespace porter_sim {

namespace {

pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;
int reports;
char last_message[512];
constexpr int report_limit = 20;  // a faulty kernel would otherwise repeat itself for every block

void write_report(const char *code, const char *kernel, Place place, const char *message) {
  static std::atomic<int> written{0};
  if (written++ >= report_limit) return;
  const Thread running{blockIdx, threadIdx};
  report_at(code, kernel, place, in_kernel() ? &running : nullptr, message);
}

// The folder that the program was started in, with a slash: places below it are told without it.
const std::string started_in = [] {
  char folder[4096];
  return getcwd(folder, sizeof folder) ? std::string(folder) + "/" : std::string();
}();

const char *shown(const char *file) {
  const size_t length = started_in.size();
  return length && !strncmp(file, started_in.c_str(), length) ? file + length : file;
}

void print_report(const char *code, const char *kernel, Place place, const Thread *who, const char *message) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: error: %s [%s]", shown(place.file), place.line, message, code);
  if (*kernel) fprintf(stderr, " (kernel %s", kernel);
  if (*kernel && who) {
    fprintf(stderr, ", block (%u,%u,%u), thread (%u,%u,%u)", who->block.x, who->block.y, who->block.z, who->thread.x,
            who->thread.y, who->thread.z);
  }
  fputs(*kernel ? ")\n" : "\n", stderr);
}

int unasked;  // launches that were refused since the program last asked for a status

// A fault, kept by the handler until the worker is back on its own stack.
struct Fault {
  bool pending;
  int signal;
  void *address;
  void *instruction;
  void *stack;
  void *stack_end;
  bool stack_overflow;
};
PORTER_TLS Fault fault;

void note_registers(const void *context) {
  auto *machine = &static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  fault.instruction = reinterpret_cast<void *>(machine->gregs[REG_RIP]);
  fault.stack = reinterpret_cast<void *>(machine->gregs[REG_RSP]);
#elif defined(__aarch64__)
  fault.instruction = reinterpret_cast<void *>(machine->pc);
  fault.stack = reinterpret_cast<void *>(machine->sp);
#else
  (void)machine;
#endif
}

void on_fault(int number, siginfo_t *information, void *context) {
  if (!in_kernel()) {
    // The host program's own fault: let it end as it would have.
    signal(number, SIG_DFL);
    return;
  }
  Fiber *fiber = worker->current;
  fault = Fault{};
  fault.pending = true;
  fault.signal = number;
  fault.address = information->si_addr;
  fault.stack_overflow = fiber && in_guard_page(*fiber, information->si_addr);
  fault.stack_end = fiber ? fiber->stack_top : nullptr;
  note_registers(context);
  abort_block();
}

const char *access_text(char *buffer, size_t size) {
  if (fault.stack_overflow) return "the stack of a thread (256 KiB) overflowed";
  if (fault.signal == SIGFPE) return "integer division by zero";
  if (fault.signal == SIGILL || fault.signal == SIGTRAP) return "the kernel trapped";
  describe_address(fault.address, buffer, size);
  return buffer;
}

}  // namespace

void report_at(const char *code, const char *kernel, Place place, const Thread *who, const char *message) {
  pthread_mutex_lock(&report_lock);
  snprintf(last_message, sizeof last_message, "%s", message);
  ++reports;
  if (!place.file) place = running_launch_place();
  print_report(code, kernel, place, who, message);
  event_error(code, kernel, who, place.file, place.line, message);
  pthread_mutex_unlock(&report_lock);
}

void report_refusal(const char *kernel, Place place, bool status_returned, const char *reason) {
  const std::string text = std::string("launch refused: ") + reason;
  pthread_mutex_lock(&report_lock);
  static int told = 0;
  if (told++ < report_limit) {
    print_report("SIM010", kernel, place, nullptr, text.c_str());
    event_error("SIM010", kernel, nullptr, place.file, place.line, text.c_str());
    ++unasked;
  }
  pthread_mutex_unlock(&report_lock);
  if (status_returned) settle_refusals();
}

void settle_refusals() {
  pthread_mutex_lock(&report_lock);
  if (unasked) event_settled();
  unasked = 0;
  pthread_mutex_unlock(&report_lock);
}

int report_count() { return reports; }
const char *last_report() { return last_message; }

void report(const char *code, Place place, const char *format, ...) {
  char message[512];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  write_report(code, running_kernel(), place, message);
}

void report_call(const char *code, const char *function, Place place, const char *format, ...) {
  char message[512];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  write_report(code, function, place, message);
}

void fail_launch(const char *code, int status, Place place, const char *format, ...) {
  char message[512];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  write_report(code, running_kernel(), place, message);
  set_launch_status(status);
  abort_block();
}

void fatal(const char *message) {
  fflush(stdout);
  fprintf(stderr, "porter: %s\n", message);
  _exit(3);
}

void report_divergent_barrier(const BarrierWait &first, const BarrierWait &other) {
  report("SIM003", {other.file, other.line},
         "divergent barrier: this thread waits here while others of its block wait at line %d", first.line);
}

void report_deadlock(Block &block) {
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    if (!warp.grouped) continue;
    unsigned lane = unsigned(__builtin_ctzll(warp.grouped));
    const Collective &call = warp.calls[lane];
    unsigned thread = w * lanes + lane;
    threadIdx = thread_coordinates(thread);
    lane_mask missing = call.mask & warp.present & ~warp.ended & ~warp.grouped;
    fail_launch("SIM002", status_launch_failure, {call.file, call.kind.line()},
                "deadlock: a warp function waits for lanes 0x%llx of its mask 0x%llx, which never arrive", missing,
                call.mask);
  }
  for (unsigned t = 0; t < block.threads; ++t) {
    if (!(block.warps[warp_of(t)].at_block & lane_bit(t))) continue;
    threadIdx = thread_coordinates(t);
    fail_launch("SIM002", status_launch_failure, {block.first_wait.file, block.first_wait.line},
                "deadlock: %u of %u live threads wait at a block barrier, the others never arrive",
                block.waiting_block, block.threads - block.ended);
  }
  fail_launch("SIM002", status_launch_failure, {nullptr, 0}, "deadlock: no thread of the block can go on");
}

void report_shared_overflow(const SharedSlot &slot, size_t bytes) {
  fail_launch("SIM006", status_out_of_resources, {slot.file, slot.line},
              "'%s' brings the block to %zu bytes of shared memory; the GPU has %zu", slot.name, bytes,
              device().shared_bytes_per_block_optin);
}

void report_wrong_mask(const Collective &call, lane_mask mask, lane_mask active) {
  fail_launch("SIM004", status_launch_failure, {call.file, call.kind.line()},
              "the mask 0x%llx does not equal the active lanes 0x%llx", mask, active);
}

void report_lane_not_named(const Collective &call, unsigned lane) {
  fail_launch("SIM005", status_launch_failure, {call.file, call.kind.line()},
              "lane %u calls a warp function whose mask 0x%llx does not name it", lane, call.mask);
}

void report_bad_width(int width, const char *file, int line) {
  fail_launch("SIM014", status_launch_failure, {file, line},
              "a shuffle of width %d: it must be a power of two up to %d", width, lanes);
}

void device_trap(const char *code, const char *message, const char *file, int line) {
  fail_launch(code, status_launch_failure, {file, line}, "%s", message);
}

void report_pending_fault() {
  if (!fault.pending) return;
  fault.pending = false;
  char message[256];
  const char *text = access_text(message, sizeof message);
  bool in_guard = fault.stack_overflow;
  SourceLine line = source_line(fault.instruction, in_guard ? nullptr : fault.stack, fault.stack_end);
  const char *code = fault.stack_overflow           ? "SIM011"
                     : fault.signal == SIGFPE       ? "SIM015"
                     : fault.signal == SIGILL       ? "SIM008"
                     : fault.signal == SIGTRAP      ? "SIM008"
                                                    : "SIM001";
  const Thread faulted{blockIdx, threadIdx};
  report_at(code, running_kernel(), {line.file, line.line}, &faulted, text);
  set_launch_status(code[5] == '1' && code[4] == '0' ? status_illegal_address : status_launch_failure);
}

void install_fault_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(number, &action, nullptr);
}

void give_signal_stack() {
  stack_t stack{};
  stack.ss_size = size_t(64) << 10;
  stack.ss_sp = malloc(stack.ss_size);
  sigaltstack(&stack, nullptr);
}

void poison(void *memory, size_t bytes, unsigned pattern) {
  auto *words = static_cast<char *>(memory);
  size_t whole = bytes & ~size_t(3);
  for (size_t at = 0; at < whole; at += 4) __builtin_memcpy(words + at, &pattern, 4);
  __builtin_memcpy(words + whole, &pattern, bytes - whole);
}

}  // namespace porter_sim

// glibc's assert ends here: in a kernel it fails the launch, on the host it ends the program.
extern "C" void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) noexcept {
  if (porter_sim::in_kernel()) {
    porter_sim::fail_launch("SIM007", porter_sim::status_assert, {file, int(line)}, "assertion `%s' failed", expression);
  }
  fflush(stdout);
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  abort();
}
