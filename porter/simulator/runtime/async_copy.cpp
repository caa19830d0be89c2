#include "porter_sim/async_copy.h"

#include <string.h>

#include "block.h"
#include "errors.h"

namespace porter_sim {

namespace {

CopyQueue &own_queue() {
  Block &block = *running_block;
  if (block.copies.size() < block.threads) block.copies.resize(block.threads);
  return block.copies[cursor.index];
}

void finish(CopyQueue &queue, size_t count) {
  for (size_t i = 0; i < count; ++i) memcpy(queue.copies[i].to, queue.copies[i].data, queue.copies[i].bytes);
  queue.copies.erase(queue.copies.begin(), queue.copies.begin() + ptrdiff_t(count));
  for (size_t &end : queue.groups) end -= std::min(end, count);
}

}  // namespace

void start_copy(void *to, const void *from, unsigned bytes, unsigned zeros, const char *file, int line) {
  if (!in_kernel()) fatal("an asynchronous copy outside a kernel");
  if (bytes != 4 && bytes != 8 && bytes != 16) device_trap("SIM042", "an asynchronous copy of other than 4, 8 or 16 bytes", file, line);
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from)) % bytes) {
    device_trap("SIM042", "an asynchronous copy at an address that is no multiple of its size", file, line);
  }
  CopyQueue::Copy copy{to, bytes, {}};
  memcpy(copy.data, from, bytes - std::min(zeros, bytes));
  own_queue().copies.push_back(copy);
}

void close_copies() {
  CopyQueue &queue = own_queue();
  queue.groups.push_back(queue.copies.size());
}

void wait_for_copies(unsigned pending) {
  CopyQueue &queue = own_queue();
  if (queue.groups.size() <= pending) return;
  size_t over = queue.groups.size() - pending, count = queue.groups[over - 1];
  queue.groups.erase(queue.groups.begin(), queue.groups.begin() + ptrdiff_t(over));
  finish(queue, count);
}

void wait_for_all_copies() {
  CopyQueue &queue = own_queue();
  finish(queue, queue.copies.size());
  queue.groups.clear();
}

}  // namespace porter_sim
