#include "memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <deque>
#include <map>

#include "block.h"
#include "check_memory.h"
#include "device.h"
#include "errors.h"
#include "events.h"

namespace porter_sim {

namespace {

constexpr size_t alignment = 16;
constexpr size_t front_canary = 256;
constexpr unsigned char canary_byte = 0xc7;
// Freed address space is kept unmapped for a while, so that a late access faults and does not hit a neighbour.
constexpr size_t quarantine_limit = size_t(1) << 30;
constexpr size_t poison_limit = size_t(512) << 20;

struct Book {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::map<uintptr_t, Allocation> by_start;
  std::deque<Allocation> quarantine;
  size_t quarantine_bytes = 0;
  size_t in_use = 0;
  int next_id = 1;
};

Book &book() {
  static auto *it = new Book;  // outlives every static destructor of the program
  return *it;
}

struct Hold {
  Hold() { pthread_mutex_lock(&book().lock); }
  ~Hold() { pthread_mutex_unlock(&book().lock); }
};

size_t page_size() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t round_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

size_t slack_of(const Allocation &a) {
  return size_t(a.mapping + a.mapping_bytes - page_size() - (a.start + a.bytes));
}

// The first byte that is no longer the canary's, or null.
const char *first_damage(const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (static_cast<unsigned char>(from[i]) != canary_byte) return from + i;
  }
  return nullptr;
}

void paint_canaries(const Allocation &a) {
  memset(a.start - front_canary, canary_byte, front_canary);
  memset(a.start + a.bytes, canary_byte, slack_of(a));
}

// Where the canaries of an allocation were overwritten, or null.
const char *damage_of(const Allocation &a) {
  if (a.kind == Kind::symbol || !a.mapping) return nullptr;
  const char *before = first_damage(a.start - front_canary, front_canary);
  return before ? before : first_damage(a.start + a.bytes, slack_of(a));
}

void retire(Book &b, const Allocation &a) {
  mprotect(a.mapping, a.mapping_bytes, PROT_NONE);
  madvise(a.mapping, a.mapping_bytes, MADV_DONTNEED);
  b.quarantine.push_back(a);
  b.quarantine_bytes += a.mapping_bytes;
  while (b.quarantine_bytes > quarantine_limit && !b.quarantine.empty()) {
    const Allocation &oldest = b.quarantine.front();
    check_unmapped(oldest);
    munmap(oldest.mapping, oldest.mapping_bytes);
    b.quarantine_bytes -= oldest.mapping_bytes;
    b.quarantine.pop_front();
  }
}

bool map_allocation(size_t bytes, Allocation &a) {
  size_t body = round_up(front_canary + round_up(bytes, alignment), page_size());
  a.mapping_bytes = body + page_size();
  void *memory = mmap(nullptr, a.mapping_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  a.mapping = static_cast<char *>(memory);
  mprotect(a.mapping + body, page_size(), PROT_NONE);
  a.start = a.mapping + body - round_up(bytes, alignment);
  return true;
}

Allocation &enter(Book &b, Allocation a) {
  a.id = b.next_id++;
  return b.by_start[reinterpret_cast<uintptr_t>(a.start)] = a;
}

// The end of an allocation is still its own, for there is nothing behind it; behind a variable may be another one.
bool holds(const Allocation &a, const void *address) {
  const char *byte = static_cast<const char *>(address), *end = a.start + a.bytes;
  return byte >= a.start && (byte < end || (byte == end && a.kind != Kind::symbol));
}

}  // namespace

void *allocate(size_t bytes, Kind kind) {
  Allocation a{};
  a.kind = kind;
  a.bytes = bytes;
  a.allocated_by = callers_of(__builtin_frame_address(0));
  Hold hold;
  Book &b = book();
  if (b.in_use + bytes > device().memory_bytes || !map_allocation(bytes, a)) return nullptr;
  paint_canaries(a);
  if (bytes <= poison_limit) poison(a.start, bytes);
  b.in_use += bytes;
  Allocation &entered = enter(b, a);
  check_allocated(entered);
  event_allocation(entered);
  return entered.start;
}

bool release(void *start) {
  Hold hold;
  Book &b = book();
  auto at = b.by_start.find(reinterpret_cast<uintptr_t>(start));
  if (at == b.by_start.end() || at->second.kind == Kind::symbol) return false;
  Allocation a = at->second;
  if (damage_of(a)) {  // launches were looked at when they ended: the host did it
    report("SIM009", {nullptr, 0}, "the bytes right beside allocation %d (%zu bytes)%s were overwritten", a.id, a.bytes,
           where_allocated(a).c_str());
  }
  event_free(a.id);
  check_freed(a);
  b.in_use -= a.bytes;
  b.by_start.erase(at);
  retire(b, a);
  return true;
}

bool was_released(const void *start, Allocation &found) {
  Hold hold;
  for (const Allocation &freed : book().quarantine) {
    if (freed.start != start) continue;
    found = freed;
    return true;
  }
  return false;
}

Allocation add_symbol(const char *name, void *start, size_t bytes, Kind kind, TypeSpelling element) {
  Allocation a{};
  a.kind = kind;
  a.start = static_cast<char *>(start);
  a.bytes = bytes;
  a.name = name;
  a.element = element;
  Hold hold;
  return enter(book(), a);
}

bool find_allocation(const void *address, Allocation &found) {
  Hold hold;
  Book &b = book();
  auto at = b.by_start.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (at == b.by_start.begin()) return false;
  --at;
  if (!holds(at->second, address)) return false;
  found = at->second;
  return true;
}

std::vector<Allocation> live_symbols() {
  Hold hold;
  std::vector<Allocation> all;
  for (auto &entry : book().by_start) {
    if (entry.second.name) all.push_back(entry.second);
  }
  return all;
}

std::vector<Allocation> live_allocations() {
  Hold hold;
  std::vector<Allocation> all;
  for (auto &entry : book().by_start) {
    if (!entry.second.name) all.push_back(entry.second);
  }
  return all;
}

size_t allocated_bytes() {
  Hold hold;
  return book().in_use;
}

std::string where_allocated(const Allocation &a) {
  SourceLine line = line_of(a.allocated_by);
  if (!line.file) return "";
  const char *slash = strrchr(line.file, '/');
  return std::string(" (allocated at ") + (slash ? slash + 1 : line.file) + ":" + std::to_string(line.line) + ")";
}

void describe_address(const void *address, char *text, size_t size) {
  if (describe_shared_address(address, text, size)) return;
  Hold hold;
  Book &b = book();
  auto *byte = static_cast<const char *>(address);
  for (auto &freed : b.quarantine) {
    if (byte >= freed.mapping && byte < freed.mapping + freed.mapping_bytes) {
      snprintf(text, size, "access to freed memory: byte %td of allocation %d (%zu bytes)%s", byte - freed.start, freed.id,
               freed.bytes, where_allocated(freed).c_str());
      return;
    }
  }
  for (auto &entry : b.by_start) {
    const Allocation &a = entry.second;
    if (a.mapping && byte >= a.mapping && byte < a.mapping + a.mapping_bytes) {
      snprintf(text, size, "out of bounds: byte %td of allocation %d, which has %zu bytes%s", byte - a.start, a.id, a.bytes,
               where_allocated(a).c_str());
      return;
    }
  }
  snprintf(text, size, "access to %p, which is no device memory", address);
}

bool is_damaged(const Allocation &a) { return damage_of(a) != nullptr; }

std::vector<Damage> mend_canaries() {
  Hold hold;
  std::vector<Damage> found;
  for (auto &entry : book().by_start) {
    const char *first = damage_of(entry.second);
    if (!first) continue;
    found.push_back({entry.second, first});
    paint_canaries(entry.second);
  }
  return found;
}

}  // namespace porter_sim
