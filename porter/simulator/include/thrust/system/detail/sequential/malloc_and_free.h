// `thrust::malloc` and `thrust::device_malloc`: memory of the simulator.
#pragma once
#pragma GCC system_header

// As with the back end for GPUs, whoever has device memory has its errors and the standard streams too.
#ifndef PORTER_SIM_HIP
#include <thrust/system/cuda/error.h>
#endif
#include <thrust/system_error.h>

#include <iostream>

#include <thrust/detail/config.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include "porter_sim/thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system::detail::sequential {

template <typename Policy>
void *malloc(execution_policy<Policy> &, std::size_t bytes) {
  return ::porter_sim::thrust_allocate(bytes, false);
}
template <typename Policy, typename Pointer>
void free(sequential::execution_policy<Policy> &, Pointer address) {
  ::porter_sim::thrust_free(thrust::raw_pointer_cast(address));
}

}  // namespace system::detail::sequential
THRUST_NAMESPACE_END
