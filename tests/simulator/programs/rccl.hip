// RCCL: a sum over two ranks on one device.
#include <cstdio>

#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

int main() {
  ncclComm_t comms[2];
  int devices[] = {0, 0};
  float *values[2], result = 0;
  if (ncclCommInitAll(comms, 2, devices) != ncclSuccess) return 1;
  ncclGroupStart();
  for (int r = 0; r < 2; ++r) {
    float mine = 1.5f + r;
    hipMalloc(&values[r], sizeof(float));
    hipMemcpy(values[r], &mine, sizeof mine, hipMemcpyHostToDevice);
    ncclAllReduce(values[r], values[r], 1, ncclFloat, ncclSum, comms[r], nullptr);
  }
  if (ncclGroupEnd() != ncclSuccess) return 2;
  hipMemcpy(&result, values[1], sizeof result, hipMemcpyDeviceToHost);
  printf("%g\n", result);
  for (ncclComm_t comm : comms) ncclCommDestroy(comm);
  return 0;
}
