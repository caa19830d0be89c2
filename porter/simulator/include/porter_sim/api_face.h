// The runtime API under the face's prefix: PORTER_API(Malloc) is cudaMalloc or hipMalloc. Included by the faces,
// which define PORTER_API, PORTER_ERROR (the type of the status) and PORTER_PROPERTIES (the properties' type).
#include "porter_sim/api_core.h"

typedef struct PORTER_API(Stream) * PORTER_API(Stream_t);
typedef struct PORTER_API(Event) * PORTER_API(Event_t);
typedef void (*PORTER_API(HostFn_t))(void *);
typedef void (*PORTER_API(StreamCallback_t))(PORTER_API(Stream_t), PORTER_ERROR, void *);

enum PORTER_API(MemcpyKind) {
  PORTER_API(MemcpyHostToHost) = 0,
  PORTER_API(MemcpyHostToDevice) = 1,
  PORTER_API(MemcpyDeviceToHost) = 2,
  PORTER_API(MemcpyDeviceToDevice) = 3,
  PORTER_API(MemcpyDefault) = 4,
};

#define PORTER_WRAP(expression) return PORTER_ERROR(::porter_sim::api::fail(expression))

inline PORTER_ERROR PORTER_API(GetLastError)() { return PORTER_ERROR(::porter_sim::api::get_last_error()); }
inline PORTER_ERROR PORTER_API(PeekAtLastError)() { return PORTER_ERROR(::porter_sim::api::peek_last_error()); }
inline const char *PORTER_API(GetErrorString)(PORTER_ERROR status) { return ::porter_sim::api::error_text(int(status)); }

// Memory.
inline PORTER_ERROR PORTER_API(Malloc)(void **out, size_t bytes) { PORTER_WRAP(::porter_sim::api::malloc_device(out, bytes, 0)); }
template <class T>
PORTER_ERROR PORTER_API(Malloc)(T **out, size_t bytes) {
  return PORTER_API(Malloc)((void **)(void *)out, bytes);
}
template <class T>
PORTER_ERROR PORTER_API(MallocManaged)(T **out, size_t bytes, unsigned = 1) {
  PORTER_WRAP(::porter_sim::api::malloc_device((void **)(void *)out, bytes, 1));
}
template <class T>
PORTER_ERROR PORTER_API(MallocHost)(T **out, size_t bytes, unsigned = 0) {
  PORTER_WRAP(::porter_sim::api::malloc_device((void **)(void *)out, bytes, 2));
}
template <class T>
PORTER_ERROR PORTER_API(HostAlloc)(T **out, size_t bytes, unsigned = 0) {
  return PORTER_API(MallocHost)(out, bytes);
}
template <class T>
PORTER_ERROR PORTER_API(HostGetDevicePointer)(T **out, void *host, unsigned = 0) {
  *out = (T *)host;
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(HostRegister)(void *address, size_t bytes, unsigned = 0) {
  PORTER_WRAP(::porter_sim::api::register_host(address, bytes));
}
inline PORTER_ERROR PORTER_API(HostUnregister)(void *address) { PORTER_WRAP(::porter_sim::api::unregister_host(address)); }
template <class T>
PORTER_ERROR PORTER_API(MallocPitch)(T **out, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return PORTER_API(Malloc)((void **)(void *)out, *pitch * height);
}
inline PORTER_ERROR PORTER_API(Free)(void *address) { PORTER_WRAP(::porter_sim::api::free_device(address)); }
inline PORTER_ERROR PORTER_API(FreeHost)(void *address) { PORTER_WRAP(::porter_sim::api::free_host(address)); }

inline PORTER_ERROR PORTER_API(Memcpy)(void *to, const void *from, size_t bytes, PORTER_API(MemcpyKind) direction) {
  PORTER_WRAP(::porter_sim::api::copy(to, from, bytes, int(direction)));
}
inline PORTER_ERROR PORTER_API(MemcpyAsync)(void *to, const void *from, size_t bytes, PORTER_API(MemcpyKind) direction,
                                            PORTER_API(Stream_t) stream = 0) {
  auto work = [=] { return ::porter_sim::api::copy(to, from, bytes, int(direction)); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
inline PORTER_ERROR PORTER_API(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                         size_t height, PORTER_API(MemcpyKind) direction) {
  PORTER_WRAP(::porter_sim::api::copy_2d(to, to_pitch, from, from_pitch, width, height, int(direction)));
}
inline PORTER_ERROR PORTER_API(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                              size_t width, size_t height, PORTER_API(MemcpyKind) direction,
                                              PORTER_API(Stream_t) stream = 0) {
  auto work = [=] {
    return ::porter_sim::api::copy_2d(to, to_pitch, from, from_pitch, width, height, int(direction));
  };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
inline PORTER_ERROR PORTER_API(MemcpyPeer)(void *to, int, const void *from, int, size_t bytes) {
  return PORTER_API(Memcpy)(to, from, bytes, PORTER_API(MemcpyDeviceToDevice));
}
inline PORTER_ERROR PORTER_API(MemcpyPeerAsync)(void *to, int, const void *from, int, size_t bytes,
                                                PORTER_API(Stream_t) stream = 0) {
  return PORTER_API(MemcpyAsync)(to, from, bytes, PORTER_API(MemcpyDeviceToDevice), stream);
}
inline PORTER_ERROR PORTER_API(Memset)(void *to, int value, size_t bytes) {
  PORTER_WRAP(::porter_sim::api::fill(to, value, bytes));
}
inline PORTER_ERROR PORTER_API(MemsetAsync)(void *to, int value, size_t bytes, PORTER_API(Stream_t) stream = 0) {
  auto work = [=] { return ::porter_sim::api::fill(to, value, bytes); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memset, work));
}
inline PORTER_ERROR PORTER_API(Memset2D)(void *to, size_t pitch, int value, size_t width, size_t height) {
  PORTER_WRAP(::porter_sim::api::fill_2d(to, pitch, value, width, height));
}
inline PORTER_ERROR PORTER_API(Memset2DAsync)(void *to, size_t pitch, int value, size_t width, size_t height,
                                              PORTER_API(Stream_t) stream = 0) {
  auto work = [=] { return ::porter_sim::api::fill_2d(to, pitch, value, width, height); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memset, work));
}
inline PORTER_ERROR PORTER_API(MemGetInfo)(size_t *free_bytes, size_t *total_bytes) {
  PORTER_WRAP(::porter_sim::api::memory_info(free_bytes, total_bytes));
}
template <class... Hints>
PORTER_ERROR PORTER_API(MemPrefetchAsync)(const void *, size_t, Hints...) {
  return PORTER_ERROR(0);
}
template <class... Hints>
PORTER_ERROR PORTER_API(MemAdvise)(const void *, size_t, Hints...) {
  return PORTER_ERROR(0);
}

#include "porter_sim/array_face.h"
#include "porter_sim/texture_face.h"

// Symbols: a variable, or its address.
namespace porter_sim {
template <class T>
void *symbol_of(const T &symbol) {
  return (void *)&symbol;
}
inline void *symbol_of(const void *const &symbol) { return (void *)symbol; }
}  // namespace porter_sim

template <class T>
PORTER_ERROR PORTER_API(MemcpyToSymbol)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                        PORTER_API(MemcpyKind) direction = PORTER_API(MemcpyHostToDevice)) {
  PORTER_WRAP(::porter_sim::api::copy_to_symbol(::porter_sim::symbol_of(symbol), from, bytes, offset, int(direction)));
}
template <class T>
PORTER_ERROR PORTER_API(MemcpyToSymbolAsync)(const T &symbol, const void *from, size_t bytes, size_t offset,
                                             PORTER_API(MemcpyKind) direction, PORTER_API(Stream_t) stream = 0) {
  void *to = ::porter_sim::symbol_of(symbol);
  auto work = [=] { return ::porter_sim::api::copy_to_symbol(to, from, bytes, offset, int(direction)); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
template <class T>
PORTER_ERROR PORTER_API(MemcpyFromSymbol)(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                          PORTER_API(MemcpyKind) direction = PORTER_API(MemcpyDeviceToHost)) {
  PORTER_WRAP(::porter_sim::api::copy_from_symbol(to, ::porter_sim::symbol_of(symbol), bytes, offset, int(direction)));
}
template <class T>
PORTER_ERROR PORTER_API(MemcpyFromSymbolAsync)(void *to, const T &symbol, size_t bytes, size_t offset,
                                               PORTER_API(MemcpyKind) direction, PORTER_API(Stream_t) stream = 0) {
  void *from = ::porter_sim::symbol_of(symbol);
  auto work = [=] { return ::porter_sim::api::copy_from_symbol(to, from, bytes, offset, int(direction)); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
template <class P, class T>
PORTER_ERROR PORTER_API(GetSymbolAddress)(P **out, const T &symbol) {
  PORTER_WRAP(::porter_sim::api::symbol_address((void **)(void *)out, ::porter_sim::symbol_of(symbol)));
}
template <class T>
PORTER_ERROR PORTER_API(GetSymbolSize)(size_t *bytes, const T &) {
  *bytes = sizeof(T);
  return PORTER_ERROR(0);
}

#include "porter_sim/stream_face.h"

// Devices.
inline PORTER_ERROR PORTER_API(DeviceSynchronize)() { PORTER_WRAP(::porter_sim::api::synchronise()); }
inline PORTER_ERROR PORTER_API(DeviceReset)() { PORTER_WRAP(::porter_sim::api::reset()); }
inline PORTER_ERROR PORTER_API(GetDeviceCount)(int *count) {
  *count = ::porter_sim::api::device_count();
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(SetDevice)(int device) { PORTER_WRAP(::porter_sim::api::select_device(device)); }
inline PORTER_ERROR PORTER_API(GetDevice)(int *device) {
  *device = ::porter_sim::api::current_device();
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(SetDeviceFlags)(unsigned) { return PORTER_ERROR(0); }
inline PORTER_ERROR PORTER_API(DeviceSetCacheConfig)(int) { return PORTER_ERROR(0); }
inline PORTER_ERROR PORTER_API(DeviceCanAccessPeer)(int *can, int device, int peer) {
  if (!::porter_sim::api::has_device(device) || !::porter_sim::api::has_device(peer)) {
    PORTER_WRAP(::porter_sim::api::invalid_device());
  }
  *can = device != peer;
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(DeviceEnablePeerAccess)(int peer, unsigned) {
  bool other = ::porter_sim::api::has_device(peer) && peer != ::porter_sim::api::current_device();
  PORTER_WRAP(other ? 0 : ::porter_sim::api::invalid_device());
}
inline PORTER_ERROR PORTER_API(DeviceDisablePeerAccess)(int) { return PORTER_ERROR(0); }
inline PORTER_ERROR PORTER_API(DriverGetVersion)(int *version) {
  *version = PORTER_RUNTIME_VERSION;
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(RuntimeGetVersion)(int *version) { return PORTER_API(DriverGetVersion)(version); }

// Kernels.
template <class K>
PORTER_ERROR PORTER_API(FuncSetCacheConfig)(K, int) {
  return PORTER_ERROR(0);
}
template <class K>
PORTER_ERROR PORTER_API(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, K, int block_size, size_t shared_bytes) {
  PORTER_WRAP(::porter_sim::api::occupancy(blocks, block_size, shared_bytes));
}
template <class K>
PORTER_ERROR PORTER_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *blocks, K kernel, int block_size,
                                                                            size_t shared_bytes, unsigned) {
  return PORTER_API(OccupancyMaxActiveBlocksPerMultiprocessor)(blocks, kernel, block_size, shared_bytes);
}
template <class K>
PORTER_ERROR PORTER_API(OccupancyMaxPotentialBlockSize)(int *grid, int *block, K, size_t = 0, int limit = 0) {
  ::porter_sim::DeviceFigures figures;
  ::porter_sim::device_figures(figures);
  *block = limit > 0 && limit < figures.threads_per_block ? limit : figures.threads_per_block;
  *grid = figures.multiprocessors * (figures.threads_per_multiprocessor / *block);
  return PORTER_ERROR(0);
}
#include "porter_sim/launch_face.h"
#include "porter_sim/graph_face.h"
#include "porter_sim/pool_face.h"
