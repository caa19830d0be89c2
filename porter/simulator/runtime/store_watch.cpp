#include "store_watch.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace porter_sim {

#if defined(__x86_64__)

namespace {

constexpr long trap_flag = 0x100;

struct Watch {
  char *page;
  size_t page_bytes;
  void (*after)(const Store &);
  Store store;
};
Watch watch;

void on_touch(int, siginfo_t *information, void *context) {
  auto *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto *byte = static_cast<char *>(information->si_addr);
  if (byte < watch.page || byte >= watch.page + watch.page_bytes) _exit(1);
  mprotect(watch.page, watch.page_bytes, PROT_READ | PROT_WRITE);
  watch.store = {reinterpret_cast<void *>(registers[REG_RIP]), byte};
  registers[REG_EFL] |= trap_flag;
}

void on_step(int, siginfo_t *, void *context) {
  watch.after(watch.store);
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  mprotect(watch.page, watch.page_bytes, PROT_READ);
}

void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(number, &action, nullptr);
}

}  // namespace

void watch_stores(const char *byte, void (*after)(const Store &)) {
  auto page_bytes = uintptr_t(sysconf(_SC_PAGESIZE));
  auto page = reinterpret_cast<uintptr_t>(byte) & ~(page_bytes - 1);
  watch = {reinterpret_cast<char *>(page), page_bytes, after, {nullptr, nullptr}};
  handle(SIGSEGV, on_touch);
  handle(SIGTRAP, on_step);
  mprotect(watch.page, watch.page_bytes, PROT_READ);
}

void end_store_watch() {
  if (watch.page) mprotect(watch.page, watch.page_bytes, PROT_READ | PROT_WRITE);
}

bool can_watch_stores() { return true; }

#else

void watch_stores(const char *, void (*)(const Store &)) {}
void end_store_watch() {}
bool can_watch_stores() { return false; }

#endif

}  // namespace porter_sim
