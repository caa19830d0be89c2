// Thrust's execution policies, with the GPU's own as the policy of the simulator's device.
#pragma GCC system_header
#include_next <thrust/execution_policy.h>

#ifndef PORTER_SIM_THRUST_POLICIES
#define PORTER_SIM_THRUST_POLICIES

THRUST_NAMESPACE_BEGIN
namespace porter_device {

// Streams are in order and algorithms finish before they return, so that a stream changes nothing.
struct policy : thrust::detail::device_t {
  template <class Stream>
  const policy &on(const Stream &) const {
    return *this;
  }
  template <class Allocator>
  const policy &operator()(Allocator &&) const {
    return *this;
  }
};
inline constexpr policy par{}, par_nosync{};

}  // namespace porter_device
namespace cuda {
using porter_device::par;
using porter_device::par_nosync;
template <class Policy>
using execution_policy = thrust::device_execution_policy<Policy>;
}  // namespace cuda
namespace hip {
using porter_device::par;
using porter_device::par_nosync;
}  // namespace hip
THRUST_NAMESPACE_END

#endif
