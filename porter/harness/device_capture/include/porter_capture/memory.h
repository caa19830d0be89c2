// The table of live allocations: what the wrapped runtime calls handed out, and the program's device symbols.
#pragma once

#include <map>

#include "porter_capture/events.h"

namespace porter_capture {

struct Allocation {
  int id = 0;
  char *start = nullptr;
  size_t bytes = 0;
  std::string kind;
  std::string name;
  std::string element;  // the element type of a symbol
};

// The name of T as the compiler spells it: the text between `T = ` and the end of the signature.
template <class T>
std::string type_name() {
  const char *pretty = __PRETTY_FUNCTION__;
  const char *start = strstr(pretty, "T = ");
  if (!start) return pretty;
  start += 4;
  const char *end = strrchr(start, ']');
  const char *stop = strchr(start, ';');
  if (stop && stop < end) end = stop;
  return std::string(start, size_t(end - start));
}

// A symbol's address is known only once the module is loaded, so it is asked for when the first event comes.
struct Symbol {
  using Locate = void (*)(void **, size_t *);
  Symbol(const char *name, bool managed, std::string element, Locate locate) {
    all().push_back({name, managed, std::move(element), locate});
  }
  struct Entry {
    std::string name;
    bool managed;
    std::string element;
    Locate locate;
  };
  static std::vector<Entry> &all() {
    static auto *entries = new std::vector<Entry>;
    return *entries;
  }
};

class Memory {
 public:
  static Memory &get() {
    static auto *memory = new Memory;
    return *memory;
  }

  void enter(void *start, size_t bytes, const char *kind) {
    if (!capturing() || !start) return;
    std::lock_guard<std::mutex> hold(lock_);
    locate_symbols();
    Allocation a;
    a.start = static_cast<char *>(start);
    a.bytes = bytes;
    a.kind = kind;
    add(a);
  }

  void leave(void *start) {
    if (!capturing() || !start) return;
    std::lock_guard<std::mutex> hold(lock_);
    auto at = by_start_.find(static_cast<char *>(start));
    if (at == by_start_.end()) return;
    EventLog::get().write("{\"event\":\"free\",\"id\":" + std::to_string(at->second.id) + "}");
    by_start_.erase(at);
  }

  bool find(const void *address, Allocation &found) {
    std::lock_guard<std::mutex> hold(lock_);
    auto at = by_start_.upper_bound(static_cast<char *>(const_cast<void *>(address)));
    if (at == by_start_.begin()) return false;
    --at;
    if (static_cast<const char *>(address) > at->second.start + at->second.bytes) return false;
    found = at->second;
    return true;
  }

  std::vector<Allocation> symbols() {
    std::lock_guard<std::mutex> hold(lock_);
    locate_symbols();
    std::vector<Allocation> found;
    for (auto &entry : by_start_) {
      if (!entry.second.name.empty()) found.push_back(entry.second);
    }
    return found;
  }

 private:
  void locate_symbols() {
    for (; symbols_ < Symbol::all().size(); ++symbols_) {
      const Symbol::Entry &entry = Symbol::all()[symbols_];
      void *start = nullptr;
      Allocation a;
      entry.locate(&start, &a.bytes);
      if (!start) continue;
      a.start = static_cast<char *>(start);
      a.kind = entry.managed ? "managed" : "symbol";
      a.name = entry.name;
      a.element = entry.element;
      add(a);
    }
  }

  void add(Allocation &a) {
    a.id = next_id_++;
    by_start_[a.start] = a;
    EventLog::get().write("{\"event\":\"allocation\",\"id\":" + std::to_string(a.id) + ",\"bytes\":" +
                          std::to_string(a.bytes) + ",\"kind\":" + json_string(a.kind) + ",\"name\":" +
                          json_string(a.name) + "}");
  }

  std::mutex lock_;
  std::map<char *, Allocation> by_start_;
  int next_id_ = 1;
  size_t symbols_ = 0;
};

}  // namespace porter_capture

// What the rewriting puts behind the declaration of a device symbol.
#define PORTER_CAPTURE_SYMBOL(variable, managed)                                                               \
  static const ::porter_capture::Symbol porter_capture_symbol_##variable(                                      \
      #variable, managed, ::porter_capture::type_name<std::remove_cv_t<std::remove_all_extents_t<decltype(variable)>>>(), \
      [](void **start, size_t *bytes) {                                                                        \
        if (cudaGetSymbolSize(bytes, variable) != cudaSuccess) return;                                         \
        if (cudaGetSymbolAddress(start, variable) != cudaSuccess) *start = nullptr;                            \
      });
