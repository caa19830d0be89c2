// Where Thrust's back end in plain C++ has its device memory from: the simulator, so that kernels and copies know it.
#pragma once
#pragma GCC system_header

#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

#include "porter_sim/thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system::cpp {
namespace detail {

template <bool Managed>
class simulated_resource final : public thrust::mr::memory_resource<> {
 public:
  void *do_allocate(std::size_t bytes, std::size_t) override { return ::porter_sim::thrust_allocate(bytes, Managed); }
  void do_deallocate(void *address, std::size_t, std::size_t) override { ::porter_sim::thrust_free(address); }
};

using native_resource = thrust::mr::fancy_pointer_resource<simulated_resource<false>, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<simulated_resource<true>, thrust::cpp::universal_pointer<void>>;

}  // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;

}  // namespace system::cpp
THRUST_NAMESPACE_END
