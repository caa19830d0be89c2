// Shared memory under checks: bounds of arrays, values never written, accesses that nothing orders.
//
// Two accesses of the same byte by different threads, one of them a write, are ordered when a block barrier lies
// between them, or when both threads are of one warp and took part in warp collectives that lead from one to the
// other (a vector clock a warp). Atomics do not conflict with each other. A write of the value that is already there
// is no finding: `flag = true` by many threads.
#include "check_shared.h"

#ifdef PORTER_SIM_CHECK

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "block.h"
#include "check_hooks.h"
#include "checks.h"
#include "errors.h"
#include "lines.h"
#include "status.h"

namespace porter_sim {

namespace {

constexpr unsigned clock_bits = 20;
constexpr uint32_t last_clock = (1u << clock_bits) - 1;

Stamp stamp_of(uint32_t epoch, unsigned thread, bool atomic, uint32_t clock) {
  return Stamp(epoch) << 32 | Stamp(thread) << (clock_bits + 1) | Stamp(atomic) << clock_bits | clock;
}
uint32_t epoch_of(Stamp s) { return uint32_t(s >> 32); }
unsigned thread_of(Stamp s) { return unsigned(s >> (clock_bits + 1)) & (most_threads - 1); }
bool is_atomic(Stamp s) { return s >> clock_bits & 1; }
uint32_t clock_of(Stamp s) { return uint32_t(s) & last_clock; }

// The running thread while it accesses.
struct Accessor {
  SharedShadow &shadow;
  const char *arena;
  unsigned thread;
  Stamp stamp;
  const SharedAccess &access;
  bool told;
};

bool happened_before(const SharedShadow &s, Stamp past, unsigned thread) {
  if (epoch_of(past) != s.epoch) return true;
  unsigned other = thread_of(past);
  if (other == thread) return true;
  unsigned first = thread / lanes * lanes;
  if (other / lanes * lanes != first) return false;
  return clock_of(past) < s.seen[first + s.row[thread]][other - first];
}

bool conflicts(const Accessor &me, Stamp past) {
  return past && !happened_before(me.shadow, past, me.thread) && !(is_atomic(past) && me.access.atomic);
}

const SharedArray *array_at(const SharedShadow &s, size_t offset) {
  unsigned index = offset < arena_bytes ? s.array_of[offset / 4] : 0;
  return index ? &s.array[index - 1] : nullptr;
}

const void *pointer(uint32_t from) { return reinterpret_cast<const void *>(uintptr_t(from)); }

// A write that may store what is there already: it is judged once it has happened.
struct PutOff {
  bool pending;
  const char *at;
  size_t bytes;
  char before[16];
  Culprit culprit;
  Stamp past;
  uint32_t past_from;
  char array[64];
  size_t index_byte;
};
PORTER_TLS PutOff put_off;

void describe_hazard(const Culprit &culprit, const char *deed, size_t bytes, const char *array, size_t at,
                     unsigned other, const char *other_deed, const void *other_from) {
  if (!first_of_its_kind("SIM050", culprit, other_from)) return;
  SourceLine line = line_of_call(other_from, nullptr);
  uint3 who = thread_coordinates(other);
  report_finding("SIM050", culprit,
                 "race: this thread %s %zu bytes at byte %zu of `%s', which thread (%u,%u,%u) %s at line %d with no "
                 "barrier between them",
                 deed, bytes, at, array, who.x, who.y, who.z, other_deed, line.line);
}

void tell_hazard(Accessor &me, Stamp past, uint32_t from, const char *other_deed) {
  if (me.told) return;
  me.told = true;
  const SharedArray *array = array_at(me.shadow, me.access.offset);
  const char *deed = me.access.doing == Doing::read ? "reads" : me.access.atomic ? "updates" : "writes";
  describe_hazard(culprit_here(me.access.instruction, me.access.frame), deed, me.access.bytes, array ? array->name : "?",
                  array ? me.access.offset - array->start : me.access.offset, thread_of(past), other_deed, pointer(from));
}

void put_off_hazard(Accessor &me, Stamp past, uint32_t from) {
  const SharedArray *array = array_at(me.shadow, me.access.offset);
  if (me.access.bytes > sizeof put_off.before || me.access.atomic || !array) {
    tell_hazard(me, past, from, "writes");
    return;
  }
  if (put_off.pending) return;
  put_off.pending = true;
  put_off.at = me.arena + me.access.offset;
  put_off.bytes = me.access.bytes;
  memcpy(put_off.before, put_off.at, put_off.bytes);
  put_off.culprit = culprit_here(me.access.instruction, nullptr);
  put_off.past = past;
  put_off.past_from = from;
  snprintf(put_off.array, sizeof put_off.array, "%s", array->name);
  put_off.index_byte = me.access.offset - array->start;
}

void remember_read(Accessor &me, Cell &cell, uint32_t from) {
  unsigned slot = 1;
  for (unsigned i = 0; i < 2; ++i) {
    if (cell.reads[i] == 0 || happened_before(me.shadow, cell.reads[i], me.thread)) {
      slot = i;
      break;
    }
  }
  cell.reads[slot] = me.stamp;
  cell.reads_from[slot] = from;
}

void read_cell(Accessor &me, Cell &cell) {
  if (cell.reads[0] == me.stamp) return;
  if (conflicts(me, cell.write)) tell_hazard(me, cell.write, cell.write_from, "writes");
  remember_read(me, cell, uint32_t(uintptr_t(me.access.instruction)));
}

void write_cell(Accessor &me, Cell &cell) {
  for (unsigned i = 0; i < 2; ++i) {
    if (conflicts(me, cell.reads[i])) tell_hazard(me, cell.reads[i], cell.reads_from[i], "reads");
  }
  if (conflicts(me, cell.write)) put_off_hazard(me, cell.write, cell.write_from);
  cell.write = me.stamp;
  cell.write_from = uint32_t(uintptr_t(me.access.instruction));
}

void touch_cell(Accessor &me, Cell &cell) { me.access.doing == Doing::read ? read_cell(me, cell) : write_cell(me, cell); }

// From its first partial access on, a word is followed byte by byte until its block ends.
void split_word(SharedShadow &s, size_t word) {
  Cell &whole = s.words[word];
  whole.split_in = s.serial;
  for (size_t i = 0; i < 4; ++i) s.bytes[word * 4 + i] = whole;
}

void touch_words(Accessor &me) {
  SharedShadow &s = me.shadow;
  size_t at = me.access.offset, end = std::min(at + me.access.bytes, arena_bytes);
  while (at < end) {
    size_t word = at / 4, stop = word * 4 + 4 < end ? word * 4 + 4 : end;
    bool whole = at % 4 == 0 && stop - at == 4;
    Cell &cell = s.words[word];
    if (__builtin_expect(whole && cell.split_in != s.serial, 1)) {
      touch_cell(me, cell);
    } else {
      if (cell.split_in != s.serial) split_word(s, word);
      for (size_t byte = at; byte < stop; ++byte) touch_cell(me, s.bytes[byte]);
    }
    at = stop;
  }
}

[[noreturn]] void report_out_of_bounds(const SharedShadow &s, const SharedAccess &access) {
  SourceLine line = line_of_call(access.instruction, access.frame);
  const char *deed = access.doing == Doing::read ? "read" : "write";
  const SharedArray *nearest = nullptr;
  size_t least = ~size_t(0);
  for (unsigned i = 0; i < s.arrays; ++i) {
    const SharedArray &a = s.array[i];
    size_t away = access.offset < a.start ? a.start - access.offset : access.offset - a.start - (a.bytes ? a.bytes - 1 : 0);
    if (away < least) least = away, nearest = &a;
  }
  if (!nearest) {
    fail_launch("SIM001", status_illegal_address, {line.file, line.line},
                "out of bounds: a %zu-byte %s of shared memory that the block does not have", access.bytes, deed);
  }
  fail_launch("SIM001", status_illegal_address, {line.file, line.line},
              "out of bounds: a %zu-byte %s at byte %td of `%s', which has %u bytes of shared memory", access.bytes, deed,
              ptrdiff_t(access.offset) - ptrdiff_t(nearest->start), nearest->name, nearest->bytes);
}

void check_bounds(const SharedShadow &s, const SharedAccess &access) {
  const SharedArray *array = array_at(s, access.offset);
  if (__builtin_expect(!array || access.offset + access.bytes > array->start + array->bytes, 0)) {
    report_out_of_bounds(s, access);
  }
}

void check_written(const SharedShadow &s, const char *arena, const SharedAccess &access) {
  uint32_t word;
  memcpy(&word, arena + (access.offset & ~size_t(3)), 4);
  if (__builtin_expect(word != poison_pattern, 1)) return;
  Culprit culprit = culprit_here(access.instruction, access.frame);
  if (!first_of_its_kind("SIM051", culprit)) return;
  const SharedArray *array = array_at(s, access.offset);
  report_finding("SIM051", culprit, "this thread reads byte %zu of `%s', shared memory that nothing was written to",
                 array ? access.offset - array->start : access.offset, array ? array->name : "?");
}

// The rows of a warp that no lane outside of `group` uses: the first of them.
unsigned free_row(const SharedShadow &s, unsigned first, lane_mask group) {
  lane_mask used = 0;
  for (unsigned lane = 0; lane < unsigned(lanes); ++lane) {
    if (!(group >> lane & 1)) used |= lane_mask(1) << s.row[first + lane];
  }
  return unsigned(__builtin_ctzll(~used));
}

void forget_clocks(SharedShadow &s) {
  memset(s.clock, 0, sizeof s.clock);
  memset(s.seen, 0, sizeof s.seen);
  for (unsigned t = 0; t < most_threads; ++t) {
    s.row[t] = uint8_t(t % lanes);
    s.clock[t] = 1;
  }
}

}  // namespace

size_t shared_shadow_bytes() {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  return (sizeof(SharedShadow) + page - 1) / page * page;
}

SharedShadow &shadow_of(const char *arena) {
  return *reinterpret_cast<SharedShadow *>(const_cast<char *>(arena) - shared_shadow_bytes());
}

void begin_shared_shadow(const char *arena) {
  SharedShadow &s = shadow_of(arena);
  settle_shared_writes();
  if (s.serial == 0) forget_clocks(s);
  ++s.serial;
  ++s.epoch;
  for (unsigned i = 0; i < s.arrays; ++i) {
    memset(s.array_of + s.array[i].start / 4, 0, (s.array[i].bytes + 3) / 4);
  }
  s.arrays = 0;
}

void add_shared_array(const char *arena, const char *name, const char *at, size_t bytes) {
  SharedShadow &s = shadow_of(arena);
  size_t start = size_t(at - arena);
  if (s.arrays >= most_arrays || bytes == 0) return;
  s.array[s.arrays++] = {name, uint32_t(start), uint32_t(bytes)};
  memset(s.array_of + start / 4, int(s.arrays), (bytes + 3) / 4);
}

void check_shared_access(const Block &block, const SharedAccess &access) {
  SharedShadow &s = shadow_of(block.arena);
  unsigned chosen = chosen_checks();
  if (put_off.pending) settle_shared_writes();
  if (chosen & check_memory) check_bounds(s, access);
  if (chosen & check_init && access.doing != Doing::write) check_written(s, block.arena, access);
  if (!(chosen & check_race)) return;
  unsigned thread = cursor.index;
  Accessor me{s, block.arena, thread, stamp_of(s.epoch, thread, access.atomic, s.clock[thread]), access, false};
  touch_words(me);
}

void settle_shared_writes() {
  if (!put_off.pending) return;
  put_off.pending = false;
  if (memcmp(put_off.at, put_off.before, put_off.bytes) == 0) return;
  describe_hazard(put_off.culprit, "writes", put_off.bytes, put_off.array, put_off.index_byte, thread_of(put_off.past),
                  "writes", pointer(put_off.past_from));
}

void check_block_synchronised(Block &block) {
  settle_shared_writes();
  ++shadow_of(block.arena).epoch;
}

void check_warp_synchronised(Block &block, unsigned warp, lane_mask group) {
  if (!(chosen_checks() & check_race)) return;
  settle_shared_writes();
  SharedShadow &s = shadow_of(block.arena);
  unsigned first = warp * lanes, row = free_row(s, first, group);
  uint32_t joined[lanes] = {}, latest = 0;
  for (lane_mask rest = group; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    const uint32_t *known = s.seen[first + s.row[first + lane]];
    for (unsigned l = 0; l < unsigned(lanes); ++l) joined[l] = joined[l] < known[l] ? known[l] : joined[l];
  }
  for (lane_mask rest = group; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    joined[lane] = ++s.clock[first + lane];
    latest = latest < joined[lane] ? joined[lane] : latest;
    s.row[first + lane] = uint8_t(row);
  }
  memcpy(s.seen[first + row], joined, sizeof joined);
  if (latest >= last_clock) {  // the block's history is given up before its clocks would wrap
    forget_clocks(s);
    ++s.epoch;
  }
}

}  // namespace porter_sim

#endif
