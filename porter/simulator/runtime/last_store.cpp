#include "last_store.h"

#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "events.h"
#include "grid.h"
#include "lines.h"
#include "store_watch.h"

namespace porter_sim {

namespace {

constexpr size_t most_bytes = 16;

struct LastStore {
  const char *first;
  size_t bytes;
  char held[most_bytes];
  unsigned long long stores;
  uint3 block, thread;
  const void *instruction;
};
LastStore last;

void note_store(const Store &store) {
  const bool begins_here = store.address >= last.first && store.address < last.first + last.bytes;
  if (!begins_here && memcmp(last.held, last.first, last.bytes) == 0) return;
  memcpy(last.held, last.first, last.bytes);
  ++last.stores;
  last.block = blockIdx;
  last.thread = threadIdx;
  last.instruction = store.instruction;
}

std::string triple(uint3 v) {
  return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
}

void write_history(const Watched &watched, const std::string &case_name) {
  std::string text = "{\"event\":\"written\",\"case\":" + json_string(case_name) + ",\"tensor\":" +
                     json_string(watched.tensor) + ",\"offset_bytes\":" + std::to_string(watched.offset) +
                     ",\"bytes\":" + std::to_string(watched.bytes) + ",\"stores\":" + std::to_string(last.stores);
  if (last.stores) {
    SourceLine line = source_line(last.instruction, nullptr, nullptr);
    text += ",\"block\":" + triple(last.block) + ",\"thread\":" + triple(last.thread) +
            ",\"file\":" + json_string(line.file ? line.file : "") + ",\"line\":" + std::to_string(line.line);
  }
  write_event(text + "}");
}

}  // namespace

Watched parse_watched(const std::string &text) {
  Watched watched;
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return watched;
  watched.tensor = text.substr(0, first);
  watched.offset = strtoull(text.c_str() + first + 1, nullptr, 10);
  watched.bytes = strtoull(text.c_str() + second + 1, nullptr, 10);
  return watched;
}

bool can_watch(const Watched &watched, const Allocation &a) {
  return can_watch_stores() && a.kind != Kind::symbol && watched.bytes && watched.bytes <= most_bytes &&
         watched.offset + watched.bytes <= a.bytes;
}

int run_watched(const LaunchRequest &request, unsigned long long seed, const Watched &watched, const Allocation &a,
                const std::string &case_name) {
  last = {a.start + watched.offset, watched.bytes, {}, 0, {}, {}, nullptr};
  memcpy(last.held, last.first, last.bytes);
  run_alone(request, seed, [] { watch_stores(last.first, note_store); });
  end_store_watch();
  write_history(watched, case_name);
  return running_status();
}

}  // namespace porter_sim
