// Memory pools: who allocated how much.
#include <map>

#include "errors.h"
#include "grid.h"
#include "memory.h"
#include "porter_sim/api_core.h"
#include "status.h"

namespace porter_sim {

namespace {

struct MemoryPool {
  unsigned long long settings[5] = {0, 1, 1, 1, 0};  // by attribute number
  unsigned long long used = 0, high = 0;
};

MemoryPool default_pool;
MemoryPool *selected_pool = &default_pool;
std::map<const void *, std::pair<MemoryPool *, size_t>> pool_blocks;

constexpr int release_threshold = 4, reserved_current = 5, reserved_high = 6, used_current = 7, used_high = 8;

}  // namespace

namespace api {

int pool_create(void **out) {
  *out = new MemoryPool;
  return status_success;
}

int pool_destroy(void *pool) {
  auto *it = static_cast<MemoryPool *>(pool);
  if (!it || it == &default_pool) return status_invalid_value;
  if (selected_pool == it) selected_pool = &default_pool;
  for (auto &[address, owner] : pool_blocks) {
    if (owner.first == it) owner.first = &default_pool;
  }
  delete it;
  return status_success;
}

void *pool_of_device(bool standard) { return standard ? &default_pool : selected_pool; }

int pool_select(void *pool) {
  if (!pool) return status_invalid_value;
  selected_pool = static_cast<MemoryPool *>(pool);
  return status_success;
}

int pool_allocate(void **out, size_t bytes, void *pool) {
  if (int status = malloc_device(out, bytes, int(Kind::device))) return status;
  auto *it = pool ? static_cast<MemoryPool *>(pool) : selected_pool;
  it->used += bytes;
  it->high = std::max(it->high, it->used);
  pool_blocks[*out] = {it, bytes};
  return status_success;
}

void pool_forget(const void *address) {
  auto found = pool_blocks.find(address);
  if (found == pool_blocks.end()) return;
  found->second.first->used -= found->second.second;
  pool_blocks.erase(found);
}

int pool_set(void *pool, int attribute, const void *value) {
  auto *it = static_cast<MemoryPool *>(pool);
  if (!it || !value) return status_invalid_value;
  if (attribute >= 1 && attribute < release_threshold) {
    it->settings[attribute] = unsigned(*static_cast<const int *>(value));
  } else if (attribute == release_threshold) {
    it->settings[attribute] = *static_cast<const unsigned long long *>(value);
  } else if (attribute == reserved_high || attribute == used_high) {
    it->high = it->used;  // only a reset to zero is allowed, and means the present figure
  } else {
    return status_invalid_value;
  }
  return status_success;
}

int pool_get(void *pool, int attribute, void *value) {
  auto *it = static_cast<MemoryPool *>(pool);
  if (!it || !value || attribute < 1 || attribute > used_high) return status_invalid_value;
  if (attribute < release_threshold) {
    *static_cast<int *>(value) = int(it->settings[attribute]);
  } else {
    const bool current = attribute == reserved_current || attribute == used_current;
    *static_cast<unsigned long long *>(value) = attribute == release_threshold ? it->settings[attribute]
                                                : current                      ? it->used
                                                                               : it->high;
  }
  return status_success;
}

}  // namespace api

}  // namespace porter_sim
