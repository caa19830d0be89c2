// Launches by function call under the face's prefix. `Kernel` is a kernel or its address. Included by api_face.h.

template <class Kernel>
PORTER_ERROR PORTER_API(LaunchKernel)(Kernel kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                                      PORTER_STREAM stream = 0, PORTER_HERE) {
  PORTER_WRAP(::porter_sim::launch_array(kernel, {grid, block, shared_bytes, stream}, arguments, false, porter_file,
                                         porter_line));
}
template <class Kernel>
PORTER_ERROR PORTER_API(LaunchCooperativeKernel)(Kernel kernel, dim3 grid, dim3 block, void **arguments,
                                                 size_t shared_bytes = 0, PORTER_STREAM stream = 0, PORTER_HERE) {
  PORTER_WRAP(::porter_sim::launch_array(kernel, {grid, block, shared_bytes, stream}, arguments, true, porter_file,
                                         porter_line));
}

struct PORTER_API(KernelNodeParams) {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
};
