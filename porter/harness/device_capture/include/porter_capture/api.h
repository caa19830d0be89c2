// The runtime calls that the rewriting redirects here: those that hand out memory, and those that copy to the host.
#pragma once

#include "porter_capture/launch.h"

namespace porter_capture {

inline bool is_host(const void *address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return true;
  }
  return attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged;
}

// One copy to the host, after it was made: `from` tells the allocation, `to` has the bytes.
inline void observe_transfer(const void *to, const void *from, size_t bytes) {
  std::lock_guard<std::mutex> hold(EventLog::get().lock());
  if (!fits(bytes)) return;
  Allocation a;
  bool known = Memory::get().find(from, a);
  Reached target{0, 0, a, known ? size_t(static_cast<const char *>(from) - a.start) : 0};
  std::string name = numbered("transfer", Counters::transfers());
  write_tensors(name, {{"data", static_cast<const char *>(to), bytes}});
  EventLog::get().write("{\"event\":\"transfer\",\"index\":" + std::to_string(Counters::transfers()) +
                        ",\"direction\":\"device_to_host\"," + target_json(known ? &target : nullptr) + ",\"bytes\":" +
                        std::to_string(bytes) + ",\"after_launch\":" + std::to_string(Counters::launches() - 1) +
                        ",\"tensors\":" + json_string(name) + "}");
  ++Counters::transfers();
}

inline bool to_host(const void *to, const void *from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost) return true;
  return kind == cudaMemcpyDefault && is_host(to) && !is_host(from);
}

inline cudaError_t entered(cudaError_t status, void *start, size_t bytes, const char *kind) {
  if (status == cudaSuccess) Memory::get().enter(start, bytes, kind);
  return status;
}

template <class T>
cudaError_t cudaMalloc(T **out, size_t bytes) {
  cudaError_t status = ::cudaMalloc(reinterpret_cast<void **>(out), bytes);
  return entered(status, status == cudaSuccess ? (void *)*out : nullptr, bytes, "device");
}
template <class T>
cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t stream) {
  cudaError_t status = ::cudaMallocAsync(reinterpret_cast<void **>(out), bytes, stream);
  return entered(status, status == cudaSuccess ? (void *)*out : nullptr, bytes, "device");
}
template <class T>
cudaError_t cudaMallocManaged(T **out, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  cudaError_t status = ::cudaMallocManaged(reinterpret_cast<void **>(out), bytes, flags);
  return entered(status, status == cudaSuccess ? (void *)*out : nullptr, bytes, "managed");
}
template <class T>
cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned flags = 0) {
  cudaError_t status = ::cudaHostAlloc(reinterpret_cast<void **>(out), bytes, flags);
  return entered(status, status == cudaSuccess ? (void *)*out : nullptr, bytes, "pinned");
}
template <class T>
cudaError_t cudaHostAlloc(T **out, size_t bytes, unsigned flags) {
  return porter_capture::cudaMallocHost(out, bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T **out, size_t *pitch, size_t width, size_t height) {
  cudaError_t status = ::cudaMallocPitch(reinterpret_cast<void **>(out), pitch, width, height);
  return entered(status, status == cudaSuccess ? (void *)*out : nullptr, *pitch * height, "device");
}

inline cudaError_t cudaFree(void *address) {
  Memory::get().leave(address);
  return ::cudaFree(address);
}
inline cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  Memory::get().leave(address);
  return ::cudaFreeAsync(address, stream);
}
inline cudaError_t cudaFreeHost(void *address) {
  Memory::get().leave(address);
  return ::cudaFreeHost(address);
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  cudaError_t status = ::cudaMemcpy(to, from, bytes, kind);
  if (status == cudaSuccess && bytes && capturing() && to_host(to, from, kind)) observe_transfer(to, from, bytes);
  return status;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
  cudaError_t status = ::cudaMemcpyAsync(to, from, bytes, kind, stream);
  if (status != cudaSuccess || !bytes || !capturing() || in_graph(stream) || !to_host(to, from, kind)) return status;
  status = ::cudaStreamSynchronize(stream);
  if (status == cudaSuccess) observe_transfer(to, from, bytes);
  return status;
}
inline void observe_rows(const void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height) {
  for (size_t row = 0; width && row < height; ++row) {
    observe_transfer(static_cast<const char *>(to) + row * to_pitch, static_cast<const char *>(from) + row * from_pitch,
                     width);
  }
}
inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  cudaError_t status = ::cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
  if (status == cudaSuccess && capturing() && to_host(to, from, kind)) {
    observe_rows(to, to_pitch, from, from_pitch, width, height);
  }
  return status;
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  if (!capturing() || in_graph(stream) || !to_host(to, from, kind)) {
    return ::cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
  }
  cudaError_t status = ::cudaStreamSynchronize(stream);
  return status == cudaSuccess ? porter_capture::cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind) : status;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  cudaError_t status = ::cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
  if (status != cudaSuccess || !bytes || !capturing()) return status;
  void *start = nullptr;
  Memory::get().symbols();
  if (::cudaGetSymbolAddress(&start, symbol) == cudaSuccess && to_host(to, start, kind)) {
    observe_transfer(to, static_cast<char *>(start) + offset, bytes);
  }
  return status;
}

// The arguments come as an array of addresses; their types are the kernel's.
template <class... Parameters, size_t... index>
std::vector<Argument> described(void **addresses, std::index_sequence<index...>) {
  return {describe(*static_cast<const std::decay_t<Parameters> *>(addresses[index]))...};
}

template <class... Parameters>
cudaError_t launch_array(Site site, void (*kernel)(Parameters...), const Configuration &c, void **addresses) {
  cudaError_t status = cudaSuccess;
  record(site, c, described<Parameters...>(addresses, std::index_sequence_for<Parameters...>{}), [&] {
    status = site.cooperative
                 ? ::cudaLaunchCooperativeKernel(kernel, c.grid, c.block, addresses, c.shared_bytes, c.stream)
                 : ::cudaLaunchKernel(kernel, c.grid, c.block, addresses, c.shared_bytes, c.stream);
  });
  return status;
}

struct ArrayLaunch {
  Site site;
  template <class... Parameters>
  cudaError_t operator()(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **addresses,
                         size_t shared_bytes = 0, cudaStream_t stream = nullptr) const {
    return launch_array(site, kernel, {grid, block, shared_bytes, stream}, addresses);
  }
};

}  // namespace porter_capture

#define PORTER_CAPTURE_ARRAY_LAUNCH(cooperative, kernel) \
  ::porter_capture::ArrayLaunch{::porter_capture::Site{kernel, __FILE__, __LINE__, cooperative}}
