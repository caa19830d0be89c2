#include "check_access.h"

#ifdef PORTER_SIM_CHECK

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "check_memory.h"
#include "checks.h"
#include "errors.h"
#include "grid.h"
#include "host_calls.h"
#include "lines.h"
#include "reach.h"
#include "status.h"

// Where the program's own data ends: the linker's name.
extern "C" const char _end[];

namespace porter_sim {

namespace {

// Pointers to the host's memory among the arguments of the running launch. The host's own frame holds the arguments
// themselves, so that only what lies right behind such a pointer is taken for an access through it.
struct HostPointer {
  const char *start;
  size_t bytes;
  int argument;
};
constexpr unsigned most_host_pointers = 16;
HostPointer host_pointers[most_host_pointers];
unsigned host_pointer_count;

void remember_host_pointer(const char *pointer, int argument) {
  if (pointer < _end || host_pointer_count == most_host_pointers) return;
  const bool on_stack = pointer > static_cast<const char *>(__builtin_frame_address(0));
  host_pointers[host_pointer_count++] = {pointer, on_stack ? size_t(4) : size_t(1) << 16, argument};
}

const HostPointer *host_pointer_to(const char *address) {
  for (unsigned i = 0; i < host_pointer_count; ++i) {
    if (size_t(address - host_pointers[i].start) < host_pointers[i].bytes) return &host_pointers[i];
  }
  return nullptr;
}

const char *deed(const SharedAccess &access) { return access.doing == Doing::read ? "read" : "write"; }

[[noreturn]] void refuse_access(const void *address, const SharedAccess &access) {
  char text[256];
  describe_address(address, text, sizeof text);
  SourceLine line = line_of_call(access.instruction, access.frame);
  fail_launch("SIM001", status_illegal_address, {line.file, line.line}, "%zu-byte %s: %s", access.bytes, deed(access), text);
}

void check_initialised(const char *address, const Region &region, const SharedAccess &access) {
  uint32_t word;
  size_t at = size_t(address - region.start) & ~size_t(3);
  if (at + 4 > region.bytes) return;
  memcpy(&word, region.start + at, 4);
  if (__builtin_expect(word != poison_pattern, 1)) return;
  Culprit culprit = culprit_here(access.instruction, access.frame);
  if (!first_of_its_kind("SIM051", culprit)) return;
  Allocation a{};
  find_allocation(address, a);
  report_finding("SIM051", culprit, "this thread reads byte %zu of allocation %d%s, device memory that nothing was written to",
                 size_t(address - region.start), a.id, where_allocated(a).c_str());
}

void check_foreign(const char *address, const SharedAccess &access) {
  const HostPointer *host = host_pointer_to(address);
  if (!host) return;
  SourceLine line = line_of_call(access.instruction, access.frame);
  fail_launch("SIM057", status_illegal_address, {line.file, line.line},
              "a %s of the host's memory, byte %td behind argument %d: the GPU cannot reach it", deed(access),
              address - host->start, host->argument + 1);
}

// Instructions mostly stay with one allocation.
constexpr unsigned sites = 512;
PORTER_TLS Region *site_region[sites];

}  // namespace

void check_global_access(const void *address, const SharedAccess &access) {
  unsigned chosen = chosen_checks();
  auto *byte = static_cast<const char *>(address);
  Region *&cached = site_region[(reinterpret_cast<uintptr_t>(access.instruction) >> 2) % sites];
  Region *region = cached ? cached : &no_region;
  if (size_t(byte - region->start) >= region->bytes) region = region_of(address);
  if (!region) {
    if (chosen & check_memory) check_foreign(byte, access);
    return;
  }
  size_t offset = size_t(byte - region->start);
  if (__builtin_expect(offset >= region->bytes || access.bytes > region->bytes - offset, 0)) {
    if (chosen & check_memory) {
      bool starts_inside = offset < region->bytes;
      refuse_access(starts_inside ? region->start + region->bytes : address, access);
    }
    return;
  }
  cached = region;
  if (chosen & check_init && access.doing != Doing::write && region->kind == Kind::device) {
    check_initialised(byte, *region, access);
  }
}

void check_host_access(const void *address, const SharedAccess &access) {
  // The environment says so of programs whose Thrust algorithms run in the host's code.
  static const bool never = getenv("PORTER_SIM_ALGORITHMS_ON_HOST") != nullptr;
  if (!checks(check_memory) || never || DeviceWork::depth) return;
  Region *region = region_of(address);
  if (!region || region->kind != Kind::device || region->freed) return;
  Culprit culprit = culprit_here(access.instruction, access.frame);
  if (!first_of_its_kind("SIM056", culprit)) return;
  char text[128];
  snprintf(text, sizeof text, "host code %ss device memory: a GPU's memory has to be copied first", deed(access));
  SourceLine line = line_of_call(access.instruction, access.frame);
  report_at("SIM056", "", {line.file, line.line}, nullptr, text);
}

void check_misaligned(const void *address, const char *file, int line, unsigned alignment, const char *type) {
  if (!checks(check_alignment) || !in_kernel()) return;
  bool shared = size_t(static_cast<const char *>(address) - worker->block->arena) < arena_bytes;
  if (!shared && !region_of(address)) return;
#ifndef PORTER_SIM_HIP
  fail_launch("SIM052", status_misaligned_address, {file, line},
              "misaligned: an access of %s at an address that is no multiple of %u bytes", type, alignment);
#endif
}

void check_wide_shift(long long amount, unsigned bits, const void *instruction, const void *frame) {
  if (!checks(check_shift) || !in_kernel()) return;
  Culprit culprit = culprit_here(instruction, frame);
  if (!first_of_its_kind("SIM058", culprit)) return;
  // PTX ISA, shl and shr: amounts above the width are clamped to it. CDNA ISA, v_lshlrev_b32 and its like: the low bits.
  report_finding("SIM058", culprit, "a %u-bit value is shifted by %lld: NVIDIA's hardware shifts all bits out, AMD's by %lld",
                 bits, amount, amount & (long long)(bits - 1));
}

void check_launch_begins(const LaunchRequest &request) {
  host_pointer_count = 0;
  if (!checks(check_memory)) return;
  for (size_t i = 0; i < request.argument_count; ++i) {
    const Argument &a = request.arguments[i];
    if (a.kind == ArgumentKind::scalar) continue;
    for (size_t at = 0; at + sizeof(void *) <= a.size; at += sizeof(void *)) {
      char *value;
      memcpy(&value, static_cast<char *>(a.bytes) + at, sizeof value);
      if (a.kind != ArgumentKind::pointer || !value || target_of(value).known || region_of(value)) continue;
      if (is_registered_host(value)) continue;
      remember_host_pointer(value, int(i));
    }
  }
}

}  // namespace porter_sim

#endif
