// The protocol of device-wide calls: without temporary storage they say how much they want, with it they run. They are
// plain loops over the device's memory, done when they return.
#pragma once

#include <iterator>

#include "porter_sim/cub/common.h"

namespace PORTER_CUB {

template <class Body>
PORTER_ERROR device_call(void *temporary, size_t &bytes, Body body) {
  constexpr size_t wanted = 1;
  if (!temporary) {
    bytes = wanted;
    return PORTER_ERROR(0);
  }
  if (bytes < wanted) return PORTER_ERROR(1);
  if (int status = ::porter_sim::api::synchronise()) return PORTER_ERROR(status);
  const ::porter_sim::DeviceWork here;
  body();
  return PORTER_ERROR(0);
}

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;
// What an output iterator holds; `Otherwise` when it does not say.
template <class Iterator, class Otherwise>
using OutputOf = std::conditional_t<std::is_void_v<ValueOf<Iterator>>, Otherwise, ValueOf<Iterator>>;

template <class T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace PORTER_CUB
