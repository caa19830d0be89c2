// `k<<<grid, block, shared, stream>>>(arguments)`: the launch between two copies of the memory it reaches.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "porter_capture/memory.h"

namespace porter_capture {

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};

inline Configuration configuration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

// Where and what is launched.
struct Site {
  const char *callee;
  const char *file;
  int line;
  bool cooperative;
};

enum class Kind { scalar, pointer, structure };

// An argument as it is passed: `bytes` is the launch's own copy.
struct Argument {
  Kind kind;
  bool pointee_const;
  std::string type;
  const char *bytes;
  size_t size;
};

template <class T>
Argument describe(const T &value) {
  constexpr bool is_pointer = std::is_pointer<T>::value;
  constexpr Kind kind = is_pointer ? Kind::pointer : std::is_class<T>::value ? Kind::structure : Kind::scalar;
  return {kind, is_pointer && std::is_const<std::remove_pointer_t<T>>::value, type_name<T>(),
          reinterpret_cast<const char *>(&value), sizeof value};
}

struct Reached {
  int argument;  // -1: a symbol
  size_t at;
  Allocation allocation;
  size_t offset;
};

inline std::vector<Reached> reachable(const std::vector<Argument> &arguments) {
  std::vector<Reached> found;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].kind == Kind::scalar) continue;
    for (size_t at = 0; at + sizeof(void *) <= arguments[k].size; at += sizeof(void *)) {
      const char *target;
      memcpy(&target, arguments[k].bytes + at, sizeof target);
      Allocation a;
      if (target && Memory::get().find(target, a)) found.push_back({int(k), at, a, size_t(target - a.start)});
    }
  }
  for (const Allocation &a : Memory::get().symbols()) found.push_back({-1, 0, a, 0});
  return found;
}

inline std::string hex(const char *bytes, size_t size) {
  std::string out;
  char digits[3];
  for (size_t i = 0; i < size; ++i) {
    snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[i]));
    out += digits;
  }
  return out;
}

inline std::string target_json(const Reached *r) {
  if (!r) return "\"allocation\":null,\"offset_bytes\":0";
  return "\"allocation\":" + std::to_string(r->allocation.id) + ",\"offset_bytes\":" + std::to_string(r->offset);
}

inline std::string argument_json(const Argument &a, int index, const std::vector<Reached> &reached) {
  std::string type = "\"type\":" + json_string(a.type);
  if (a.kind == Kind::scalar) return "{\"kind\":\"scalar\"," + type + ",\"bytes\":\"" + hex(a.bytes, a.size) + "\"}";
  if (a.kind == Kind::pointer) {
    const Reached *target = nullptr;
    for (const Reached &r : reached) target = r.argument == index ? &r : target;
    return "{\"kind\":\"pointer\"," + type + ",\"const\":" + (a.pointee_const ? "true" : "false") + "," +
           target_json(target) + "}";
  }
  std::string pointers;
  for (const Reached &r : reached) {
    if (r.argument != index) continue;
    pointers += (pointers.empty() ? "{\"at\":" : ",{\"at\":") + std::to_string(r.at) + "," + target_json(&r) + "}";
  }
  return "{\"kind\":\"struct\"," + type + ",\"bytes\":\"" + hex(a.bytes, a.size) + "\",\"pointers\":[" + pointers + "]}";
}

inline std::string dimensions(const dim3 &d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

// `ns::scale<float, 4>` as written: the plain name, and the template arguments between the first `<` and the last `>`.
inline std::string plain_name(std::string text) {
  size_t first = text.find_first_not_of(" (*&");
  text = first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" )") + 1 - first);
  text = text.substr(0, text.find('<'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  size_t scope = text.rfind("::");
  if (scope != std::string::npos) text = text.substr(scope + 2);
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  return text;
}

inline std::string template_arguments_json(const std::string &callee) {
  size_t open = callee.find('<'), close = callee.rfind('>');
  std::string out, argument;
  if (open == std::string::npos || close == std::string::npos || close < open) return "[]";
  int depth = 0;
  for (size_t i = open + 1; i <= close; ++i) {
    char c = callee[i];
    if (i == close || (c == ',' && depth == 0)) {
      while (!argument.empty() && argument.front() == ' ') argument.erase(0, 1);
      while (!argument.empty() && argument.back() == ' ') argument.pop_back();
      if (!argument.empty()) out += (out.empty() ? "" : ",") + json_string(argument);
      argument.clear();
      continue;
    }
    depth += (c == '<' || c == '(' || c == '[' || c == '{') - (c == '>' || c == ')' || c == ']' || c == '}');
    argument += c;
  }
  return "[" + out + "]";
}

// Counts launches and copies of the whole program.
struct Counters {
  static int &launches() {
    static int count = 0;
    return count;
  }
  static int &transfers() {
    static int count = 0;
    return count;
  }
};

inline std::string launch_json(const Site &site, const Configuration &c, const std::vector<Argument> &arguments,
                               const std::vector<Reached> &reached, bool truncated) {
  std::string out = "{\"event\":\"launch\",\"index\":" + std::to_string(Counters::launches()) + ",\"kernel\":" +
                    json_string(plain_name(site.callee)) + ",\"callee\":" + json_string(site.callee) +
                    ",\"function\":\"\",\"template_arguments\":" + template_arguments_json(site.callee) + ",\"file\":" +
                    json_string(site.file) + ",\"line\":" + std::to_string(site.line) + ",\"grid\":" +
                    dimensions(c.grid) + ",\"block\":" + dimensions(c.block) + ",\"shared_bytes\":" +
                    std::to_string(c.shared_bytes) + ",\"cooperative\":" + (site.cooperative ? "true" : "false") +
                    ",\"truncated\":" + (truncated ? "true" : "false");
  if (!truncated) out += ",\"tensors\":" + json_string(numbered("launch", Counters::launches()));
  out += ",\"arguments\":[";
  for (size_t k = 0; k < arguments.size(); ++k) out += (k ? "," : "") + argument_json(arguments[k], int(k), reached);
  out += "],\"globals\":[";
  bool first = true;
  for (const Reached &r : reached) {
    if (r.argument >= 0) continue;
    out += std::string(first ? "" : ",") + "{\"name\":" + json_string(r.allocation.name) + ",\"type\":" +
           json_string(r.allocation.element) + ",\"allocation\":" + std::to_string(r.allocation.id) + "}";
    first = false;
  }
  return out + "]}";
}

struct Saved {
  Allocation allocation;
  std::vector<char> before, after;
};

inline bool copy_back(const Allocation &a, std::vector<char> &to) {
  to.resize(a.bytes);
  return a.bytes == 0 || cudaMemcpy(to.data(), a.start, a.bytes, cudaMemcpyDefault) == cudaSuccess;
}

inline std::vector<Saved> distinct(const std::vector<Reached> &reached) {
  std::map<int, Saved> by_id;
  for (const Reached &r : reached) by_id[r.allocation.id].allocation = r.allocation;
  std::vector<Saved> found;
  for (auto &entry : by_id) found.push_back(std::move(entry.second));
  return found;
}

// A launch into a stream that records a graph runs nothing now: it has no before and no after.
inline bool in_graph(cudaStream_t stream) {
#ifdef PORTER_SIM_LANES  // the simulator's launches are done when they return
  (void)stream;
  return false;
#else
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
#endif
}

inline void error_event(const char *kernel, cudaError_t status) {
  EventLog::get().write("{\"event\":\"error\",\"code\":\"CUDA" + std::to_string(int(status)) + "\",\"kernel\":" +
                        json_string(plain_name(kernel)) + ",\"block\":[0,0,0],\"thread\":[0,0,0],\"file\":\"\",\"line\":0," +
                        "\"message\":" + json_string(cudaGetErrorString(status)) + "}");
}

inline void write_launch(const std::vector<Saved> &saved) {
  std::vector<TensorView> tensors;
  for (const Saved &s : saved) {
    std::string id = std::to_string(s.allocation.id);
    tensors.push_back({id + "/before", s.before.data(), s.before.size()});
    tensors.push_back({id + "/after", s.after.data(), s.after.size()});
  }
  write_tensors(numbered("launch", Counters::launches()), tensors);
}

// Runs `start` (the launch itself) with the memory it reaches copied before and after it.
template <class Start>
void record(const Site &site, const Configuration &c, const std::vector<Argument> &arguments, Start start) {
  if (!capturing() || in_graph(c.stream)) {
    start();
    return;
  }
  std::lock_guard<std::mutex> hold(EventLog::get().lock());
  cudaError_t pending = cudaPeekAtLastError();
  std::vector<Reached> reached = reachable(arguments);
  std::vector<Saved> saved = distinct(reached);
  size_t bytes = 0;
  for (const Saved &s : saved) bytes += 2 * s.allocation.bytes;
  bool whole = pending == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess && fits(bytes);
  for (Saved &s : saved) whole = whole && copy_back(s.allocation, s.before);
  start();
  cudaError_t status = cudaPeekAtLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  for (Saved &s : saved) whole = whole && status == cudaSuccess && copy_back(s.allocation, s.after);
  if (whole) write_launch(saved);
  if (status != cudaSuccess) error_event(site.callee, status);
  EventLog::get().write(launch_json(site, c, arguments, reached, !whole));
  ++Counters::launches();
}

template <class... Parameters>
struct Signature {
  static constexpr size_t count = sizeof...(Parameters);
  template <class... Arguments>
  static std::tuple<std::decay_t<Parameters>...> convert(Arguments &&...arguments) {
    return std::tuple<std::decay_t<Parameters>...>(static_cast<Parameters>(arguments)...);
  }
};

struct Tag {};

template <class Result, class... Parameters>
Signature<Parameters...> signature(Result (*)(Parameters...), Tag) {
  return {};
}

template <class Tuple, class Call>
void record_call(const Site &site, const Configuration &c, Tuple &stored, Call &call) {
  std::vector<Argument> arguments;
  std::apply([&arguments](auto &...each) { (arguments.push_back(describe(each)), ...); }, stored);
  record(site, c, arguments, [&] { std::apply([&](auto &...each) { call(c, each...); }, stored); });
}

// `Lookup` yields the kernel's Signature when the callee names one function. For a template or an overload set it
// cannot be called: then the arguments keep their own types, and the launch deduces.
template <class Lookup, class Call>
struct Launcher {
  Site site;
  Configuration configuration;
  Lookup lookup;
  Call call;

  template <class... Arguments>
  void operator()(Arguments &&...arguments) {
    if constexpr (knows_signature<sizeof...(Arguments)>()) {
      auto stored = decltype(lookup(Tag{}))::convert(std::forward<Arguments>(arguments)...);
      record_call(site, configuration, stored, call);
    } else {
      auto stored = std::tuple<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...);
      record_call(site, configuration, stored, call);
    }
  }

  template <size_t given>
  static constexpr bool knows_signature() {
    if constexpr (std::is_invocable_v<Lookup, Tag>) {
      return std::invoke_result_t<Lookup, Tag>::count == given;
    } else {
      return false;
    }
  }
};

template <class Lookup, class Call>
Launcher<Lookup, Call> launcher(Site site, Configuration configuration, Lookup lookup, Call call) {
  return {site, configuration, lookup, call};
}

}  // namespace porter_capture

#define PORTER_CAPTURE_NAME(...) #__VA_ARGS__

// The callee is named three times: for its name, for its parameter types, and for the launch.
#define PORTER_CAPTURE_LAUNCH(porter_launch, ...)                                                            \
  ::porter_capture::launcher(                                                                                \
      ::porter_capture::Site{PORTER_CAPTURE_NAME(__VA_ARGS__), __FILE__, __LINE__, false}, porter_launch,    \
      [&](auto porter_tag) -> decltype(::porter_capture::signature(__VA_ARGS__, porter_tag)) { return {}; }, \
      [&](const ::porter_capture::Configuration &porter_c, auto &...porter_arguments) {                      \
        __VA_ARGS__<<<porter_c.grid, porter_c.block, porter_c.shared_bytes, porter_c.stream>>>(porter_arguments...); \
      })
