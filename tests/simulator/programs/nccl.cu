// NCCL with the ranks of one process: in groups of one thread, and a thread for each rank.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <nccl.h>

static int failures;
template <class T>
void check(const char *what, const T *made, std::vector<T> expected) {
  std::vector<T> host(expected.size());
  cudaMemcpy(host.data(), made, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < host.size(); ++i) {
    if (host[i] == expected[i]) continue;
    ++failures, printf("%s: [%zu] is %g, not %g\n", what, i, double(float(host[i])), double(float(expected[i])));
    return;
  }
}
static void expect(const char *what, long made, long wanted) {
  if (made != wanted) ++failures, printf("%s: %ld, not %ld\n", what, made, wanted);
}

constexpr int ranks = 3, n = 4;

template <class T>
T *on_device(int rank, std::vector<T> values) {
  cudaSetDevice(rank);
  T *p;
  cudaMalloc(&p, values.size() * sizeof(T));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

template <class T>
void all_reduce(ncclComm_t *comms, ncclDataType_t type, ncclRedOp_t op, const char *what, std::vector<T> expected) {
  T *buffers[ranks];
  for (int r = 0; r < ranks; ++r) buffers[r] = on_device<T>(r, {T(r + 1), T(2 * r + 1), T(5 - r), T(3)});
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) ncclAllReduce(buffers[r], buffers[r], n, type, op, comms[r], 0);
  expect(what, ncclGroupEnd(), ncclSuccess);
  for (int r = 0; r < ranks; ++r) check(what, buffers[r], expected);
}

int main(int argc, char **argv) {
  int devices, peer;
  cudaGetDeviceCount(&devices);
  expect("devices", devices, ranks);
  expect("peer of itself", (cudaDeviceCanAccessPeer(&peer, 0, 0), peer), 0);
  expect("peer", (cudaDeviceCanAccessPeer(&peer, 0, 2), peer), 1);
  expect("a device that is not there", cudaSetDevice(ranks), cudaErrorInvalidDevice);
  cudaGetLastError();
  ncclComm_t comms[ranks];
  expect("ncclCommInitAll", ncclCommInitAll(comms, ranks, nullptr), ncclSuccess);
  int value;
  expect("rank", (ncclCommUserRank(comms[2], &value), value), 2);
  expect("device", (ncclCommCuDevice(comms[1], &value), value), 1);
  expect("count", (ncclCommCount(comms[0], &value), value), ranks);

  all_reduce<float>(comms, ncclFloat, ncclSum, "float sum", {6, 9, 12, 9});
  all_reduce<float>(comms, ncclFloat, ncclMax, "float max", {3, 5, 5, 3});
  all_reduce<double>(comms, ncclDouble, ncclProd, "double product", {6, 15, 60, 27});
  all_reduce<double>(comms, ncclDouble, ncclMin, "double min", {1, 1, 3, 3});
  all_reduce<int>(comms, ncclInt, ncclAvg, "int average", {2, 3, 4, 3});
  all_reduce<signed char>(comms, ncclInt8, ncclProd, "int8 product", {6, 15, 60, 27});
  all_reduce<unsigned long long>(comms, ncclUint64, ncclSum, "uint64 sum", {6, 9, 12, 9});
  all_reduce<__half>(comms, ncclHalf, ncclSum, "half sum", {__half(6.f), __half(9.f), __half(12.f), __half(9.f)});
  all_reduce<__nv_bfloat16>(comms, ncclBfloat16, ncclMax, "bfloat16 max",
                            {__nv_bfloat16(3.f), __nv_bfloat16(5.f), __nv_bfloat16(5.f), __nv_bfloat16(3.f)});

  int *in[ranks], *out[ranks];
  for (int r = 0; r < ranks; ++r) {
    in[r] = on_device<int>(r, {10 * r, 10 * r + 1, 10 * r + 2});
    out[r] = on_device<int>(r, std::vector<int>(9, -1));
  }
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) ncclAllGather(in[r], out[r], 3, ncclInt, comms[r], 0);
  ncclGroupEnd();
  check("all gather", out[1], {0, 1, 2, 10, 11, 12, 20, 21, 22});
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) ncclReduceScatter(in[r], out[r], 1, ncclInt, ncclSum, comms[r], 0);
  ncclGroupEnd();
  for (int r = 0; r < ranks; ++r) check("reduce scatter", out[r], {30 + 3 * r});
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) ncclBroadcast(in[2], out[r], 3, ncclInt, 2, comms[r], 0);
  for (int r = 0; r < ranks; ++r) ncclReduce(in[r], out[r] + 3, 3, ncclInt, ncclMax, 1, comms[r], 0);
  ncclGroupEnd();
  for (int r = 0; r < ranks; ++r) check("broadcast", out[r], {20, 21, 22});
  check("reduce", out[1] + 3, {20, 21, 22});
  check("reduce elsewhere", out[0] + 3, {10, 11, 12});
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) {
    ncclSend(in[r], 3, ncclInt, (r + 1) % ranks, comms[r], 0);
    ncclRecv(out[r], 3, ncclInt, (r + 2) % ranks, comms[r], 0);
  }
  expect("ring", ncclGroupEnd(), ncclSuccess);
  check("ring", out[0], {20, 21, 22}), check("ring", out[2], {10, 11, 12});

  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      cudaSetDevice(r);
      ncclComm_t comm;
      ncclCommInitRank(&comm, ranks, id, r);
      for (int round = 0; round < 5; ++round) ncclAllReduce(in[r], in[r], 3, ncclInt, ncclSum, comm, 0);
      ncclCommDestroy(comm);
    });
  }
  for (auto &thread : threads) thread.join();
  check("threads", in[0], {30 * 81, 33 * 81, 36 * 81});

  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) ncclAllReduce(in[r], in[r], r ? 3 : 2, ncclInt, ncclSum, comms[r], 0);
  expect("counts that differ", ncclGroupEnd(), ncclInvalidArgument);
  expect("a root that is not there", ncclReduce(in[0], in[0], 1, ncclInt, ncclSum, 7, comms[0], 0), ncclInvalidArgument);
  if (!failures) printf("all passed\n");
  fflush(stdout);
  expect("past the end", ncclAllReduce(in[0], in[0], 99, ncclInt, ncclSum, comms[0], 0), ncclUnhandledCudaError);  // past
  for (ncclComm_t comm : comms) ncclCommDestroy(comm);
  return failures;
}
