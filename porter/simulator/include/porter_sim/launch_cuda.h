// cudaLaunchKernelEx: launches with a list of attributes. Included by cuda_extra.h.
#pragma once

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  int priority;
  int programmaticStreamSerializationAllowed;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

namespace porter_sim {

struct Attributes {
  bool cooperative;
  bool supported;  // no cluster of several blocks is asked for
};

inline Attributes attributes_of(const cudaLaunchConfig_t &c) {
  Attributes found{false, true};
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    const auto &value = c.attrs[i].val;
    if (c.attrs[i].id == cudaLaunchAttributeCooperative) found.cooperative = value.cooperative != 0;
    if (c.attrs[i].id == cudaLaunchAttributeClusterDimension) {
      found.supported = value.clusterDim.x * value.clusterDim.y * value.clusterDim.z == 1;
    }
  }
  return found;
}

}  // namespace porter_sim

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel, void **arguments, PORTER_HERE) {
  const auto attributes = ::porter_sim::attributes_of(*c);
  if (!attributes.supported) PORTER_WRAP(cudaErrorNotSupported);
  PORTER_WRAP(::porter_sim::launch_address(kernel, {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream}, arguments,
                                           attributes.cooperative, porter_file, porter_line));
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(Parameters...), Arguments &&...arguments) {
  std::tuple<std::decay_t<Parameters>...> converted(std::forward<Arguments>(arguments)...);
  return std::apply(
      [&](auto &...each) {
        void *addresses[sizeof...(each) + 1] = {(void *)&each..., nullptr};
        ::porter_sim::kernel_handle(kernel, "kernel");
        return cudaLaunchKernelExC(c, (const void *)kernel, addresses);
      },
      converted);
}
