// `k<<<grid, block, shared, stream>>>(arguments)`: what the rewriting turns it into.
#pragma once

#include "porter_sim/execution.h"
#include "porter_sim/graph_core.h"

#define PORTER_NAME(...) PORTER_NAME_(__VA_ARGS__)
#define PORTER_NAME_(...) #__VA_ARGS__

struct __hip_texture;
struct __hip_surface;

namespace porter_sim {

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  void *stream;
};

template <class Stream = void *>
Configuration configuration(dim3 grid, dim3 block, size_t shared_bytes = 0, Stream stream = {}) {
  return {grid, block, shared_bytes, (void *)stream};
}

enum class ArgumentKind : int { scalar, pointer, structure };

// An argument as capture and replay see it. `bytes` is the launch's own copy.
struct Argument {
  ArgumentKind kind;
  bool pointee_const;
  const char *type;
  size_t type_length;
  void *bytes;
  size_t size;
};

struct LaunchRequest {
  const char *kernel;  // as written at the launch
  const void *function;  // null where the callee is a template whose arguments are deduced, or an overload set
  const char *file;
  int line;
  Configuration configuration;
  bool cooperative;
  const Argument *arguments;
  size_t argument_count;
  void (*threads)(void *);  // runs threads of a block until none is left to start
  void *context;
};

int launch(const LaunchRequest &request);
void note_source(const void *function, const char *name);

// The name of T as the compiler spells it: the text between `T = ` and the end of the function's signature.
template <class T>
struct TypeName {
  static constexpr const char *text() { return __PRETTY_FUNCTION__; }
};

struct TypeSpelling {
  const char *text;
  size_t length;
};

TypeSpelling type_spelling(const char *pretty);

// The element type of a variable: `float` for `__constant__ float w[3][3]`.
template <class T>
TypeSpelling element_spelling(const volatile T &) {
  return type_spelling(TypeName<std::remove_cv_t<std::remove_all_extents_t<T>>>::text());
}

// Handles of the host's objects are no addresses of memory, although HIP has them as pointers.
template <class T>
constexpr bool is_handle = std::is_same_v<T, __hip_texture *> || std::is_same_v<T, __hip_surface *>;

template <class T>
Argument describe(T &value) {
  using Plain = std::remove_cv_t<T>;
  static const TypeSpelling spelling = type_spelling(TypeName<Plain>::text());
  constexpr bool is_pointer = std::is_pointer_v<Plain> && !is_handle<Plain>;
  constexpr auto kind = is_pointer                     ? ArgumentKind::pointer
                        : std::is_class_v<Plain> ? ArgumentKind::structure
                                                       : ArgumentKind::scalar;
  return {kind,           is_pointer && std::is_const_v<std::remove_pointer_t<Plain>>,
          spelling.text,  spelling.length,
          (void *)&value, sizeof(T)};
}

// As a call converts it; a zero that was written for a null pointer has become an integer on the way here.
template <class Parameter, class Given>
std::decay_t<Parameter> converted(Given &&given) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_integral_v<std::remove_reference_t<Given>>) {
    return reinterpret_cast<Parameter>(uintptr_t(given));
  } else {
    return static_cast<Parameter>(given);
  }
}

template <class... Parameters>
struct Signature {
  static constexpr size_t count = sizeof...(Parameters);
  const void *function;
  template <class... Arguments>
  static auto convert(Arguments &&...arguments) {
    return std::tuple<std::decay_t<Parameters>...>(converted<Parameters>(arguments)...);
  }
};

struct Tag {};

template <class Result, class... Parameters>
Signature<Parameters...> signature(Result (*function)(Parameters...), Tag) {
  return {reinterpret_cast<const void *>(function)};
}

template <class Tuple, class Call>
int run_launch(LaunchRequest request, Tuple &stored, Call &call) {
  auto body = [&stored, &call]() __attribute__((always_inline)) { std::apply(call, stored); };
  request.threads = &run_threads<decltype(body)>;
  request.context = &body;
  return std::apply(
      [&request](auto &...each) {
        const Argument arguments[sizeof...(each) + 1] = {describe(each)..., Argument{}};
        request.arguments = arguments;
        request.argument_count = sizeof...(each);
        return launch(request);
      },
      stored);
}

// A launch into this stream, in device code, waits for the end of its own grid.
constexpr uintptr_t tail_stream = 3;
void keep_tail_launch(Work work);
// A launch by the running block: its status.
int issue_child(const LaunchRequest &request, Work work);

// Runs the launch now, or keeps it for the graph that its stream is captured to.
template <class Tuple, class Call>
int issue_launch(LaunchRequest request, Tuple &&arguments, Call call) {
  void *stream = request.configuration.stream;
  if (in_kernel() || api::recording(stream)) {
    auto work = [request, stored = std::move(arguments), call]() mutable { return run_launch(request, stored, call); };
    if (in_kernel() && uintptr_t(stream) == tail_stream) return keep_tail_launch(std::move(work)), 0;
    if (in_kernel()) return issue_child(request, std::move(work));
    return api::record(stream, NodeKind::kernel, std::move(work));
  }
  auto stored = std::move(arguments);
  return run_launch(request, stored, call);
}

// `Lookup` yields the kernel's Signature when the callee names one function, and is not callable when it names a
// template or an overload set: then the arguments keep their own types, and the call deduces.
template <class Lookup, class Call>
struct Launcher {
  LaunchRequest request;
  Lookup lookup;
  Call call;

  template <class... Arguments>
  int operator()(Arguments &&...arguments) {
    if constexpr (knows_signature<sizeof...(Arguments)>()) {
      auto known = lookup(Tag{});
      request.function = known.function;
      return issue_launch(request, known.convert(std::forward<Arguments>(arguments)...), call);
    } else {
      return issue_launch(request, std::tuple<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...), call);
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
Launcher<Lookup, Call> launcher(const char *kernel, Configuration configuration, Lookup lookup, Call call, PORTER_HERE) {
  LaunchRequest request{kernel, nullptr, porter_file, porter_line, configuration, false, nullptr, 0, nullptr, nullptr};
  return {request, lookup, call};
}

// cudaLaunchKernel and its kin: the arguments come as an array of addresses.
template <class... Parameters, size_t... index>
Work bound(LaunchRequest request, void (*kernel)(Parameters...), void **addresses, std::index_sequence<index...>) {
  std::tuple<std::decay_t<Parameters>...> stored(*static_cast<std::decay_t<Parameters> *>(addresses[index])...);
  auto call = [kernel](auto &...each) __attribute__((always_inline)) { kernel(each...); };
  return [request, stored, call]() mutable { return run_launch(request, stored, call); };
}

// What can be done with a kernel of which only the address is known. Every place that turns a kernel into an address
// registers it: see kernel_handle.
struct KernelEntry {
  const void *address;
  const char *name;
  Work (*bind)(LaunchRequest request, const void *kernel, void **addresses);
};

void register_kernel(const KernelEntry &entry);
// Null for an address that is no registered kernel's.
const KernelEntry *find_kernel(const void *address);

template <class... Parameters>
KernelEntry kernel_entry(void (*kernel)(Parameters...), const char *name) {
  auto bind = [](LaunchRequest request, const void *address, void **addresses) {
    return bound(request, (void (*)(Parameters...))(address), addresses, std::index_sequence_for<Parameters...>{});
  };
  return {(const void *)kernel, name, bind};
}

// `(void *)k` in the program: the address, and from then on known by it.
template <class... Parameters>
const void *kernel_handle(void (*kernel)(Parameters...), const char *name) {
  register_kernel(kernel_entry(kernel, name));
  return (const void *)kernel;
}

// A launch with copies of the arguments at `addresses`, to be done once or more often; an unknown address is refused.
Work bind_address(const void *kernel, Configuration configuration, void **addresses, bool cooperative, const char *file,
                  int line);
int launch_address(const void *kernel, Configuration configuration, void **addresses, bool cooperative, const char *file,
                   int line);

template <class... Parameters>
int launch_array(void (*kernel)(Parameters...), Configuration configuration, void **addresses, bool cooperative,
                 const char *file, int line) {
  if (!find_kernel((const void *)kernel)) register_kernel(kernel_entry(kernel, "kernel"));
  return launch_address((const void *)kernel, configuration, addresses, cooperative, file, line);
}
inline int launch_array(const void *kernel, Configuration configuration, void **addresses, bool cooperative,
                        const char *file, int line) {
  return launch_address(kernel, configuration, addresses, cooperative, file, line);
}

}  // namespace porter_sim

// The callee is named three times: for its name, for its parameter types, and for the call.
#define PORTER_LAUNCHER(configuration, ...)                                                  \
  ::porter_sim::launcher(                                                                    \
      PORTER_NAME(__VA_ARGS__), configuration,                                               \
      [&](auto porter_tag) -> decltype(::porter_sim::signature(__VA_ARGS__, porter_tag)) {   \
        return ::porter_sim::signature(__VA_ARGS__, porter_tag);                             \
      },                                                                                     \
      [=](auto &...porter_arguments) __attribute__((always_inline)) { __VA_ARGS__(porter_arguments...); })
