// NCCL's functions: communicators, groups, and each operation as a part handed in to the clique.
#pragma once

#include "nccl/clique.h"

struct ncclComm {
  std::shared_ptr<porter_sim::nccl::Clique> clique;
  int rank;
  int device;
};

namespace porter_sim::nccl {

namespace {

struct Waiting {
  std::shared_ptr<Clique> clique;
  std::shared_ptr<Round> round;
};
// What this thread has posted since its outermost ncclGroupStart.
thread_local int group_depth;
thread_local std::vector<Waiting> group;

std::mutex cliques_lock;
std::map<unsigned long long, std::shared_ptr<Clique>> cliques;
unsigned long long next_clique = 1;

std::shared_ptr<Clique> clique_of(const ncclUniqueId &id, int ranks) {
  unsigned long long number;
  memcpy(&number, id.internal, sizeof number);
  std::lock_guard<std::mutex> hold(cliques_lock);
  auto &found = cliques[number];
  if (!found) found = std::make_shared<Clique>(ranks);
  return found;
}

ncclResult_t post(ncclComm_t comm, const Part &part, size_t send_bytes, size_t receive_bytes, const char *function,
                  const void *return_address) {
  if (!comm || int(part.type) < 0 || part.type >= ncclNumTypes || part.op >= ncclNumOps) return ncclInvalidArgument;
  if (part.root < 0 || part.root >= comm->clique->ranks()) return ncclInvalidArgument;
  if (sticky_error()) return ncclUnhandledCudaError;
  LibraryCall call{function, return_address};
  if (!reach_device_memory(call, part.send, send_bytes) || !reach_device_memory(call, part.receive, receive_bytes)) {
    return ncclUnhandledCudaError;
  }
  auto round = comm->clique->post(comm->rank, part);
  if (group_depth == 0) return comm->clique->wait(round);
  group.push_back({comm->clique, round});
  return ncclSuccess;
}

int ranks_of(ncclComm_t comm) { return comm ? comm->clique->ranks() : 0; }
bool is_rank(ncclComm_t comm, int rank) { return comm && comm->rank == rank; }

}  // namespace
}  // namespace porter_sim::nccl

using porter_sim::nccl::Kind;
using porter_sim::nccl::Part;
using porter_sim::nccl::element_bytes;
using porter_sim::nccl::is_rank;
using porter_sim::nccl::post;
using porter_sim::nccl::ranks_of;

#define PORTER_NCCL_BYTES (type >= 0 && type < ncclNumTypes ? count * element_bytes(type) : 0)
#define PORTER_NCCL_POST(part, send_bytes, receive_bytes) \
  post(comm, part, send_bytes, receive_bytes, __func__, __builtin_return_address(0))

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::all_reduce, send, receive, count, type, op, 0}), bytes, bytes);
}
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::reduce, send, receive, count, type, op, root}), bytes, is_rank(comm, root) ? bytes : 0);
}
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::broadcast, send, receive, count, type, ncclSum, root}), is_rank(comm, root) ? bytes : 0,
                          bytes);
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::broadcast, buffer, buffer, count, type, ncclSum, root}), bytes, bytes);
}
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::reduce_scatter, send, receive, count, type, op, 0}), bytes * size_t(ranks_of(comm)), bytes);
}
ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
                           porter_nccl_stream) {
  size_t bytes = PORTER_NCCL_BYTES;
  return PORTER_NCCL_POST((Part{Kind::all_gather, send, receive, count, type, ncclSum, 0}), bytes, bytes * size_t(ranks_of(comm)));
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, porter_nccl_stream) {
  return PORTER_NCCL_POST((Part{Kind::send, send, nullptr, count, type, ncclSum, peer}), PORTER_NCCL_BYTES, 0);
}
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, porter_nccl_stream) {
  return PORTER_NCCL_POST((Part{Kind::receive, nullptr, receive, count, type, ncclSum, peer}), 0, PORTER_NCCL_BYTES);
}
#undef PORTER_NCCL_BYTES
#undef PORTER_NCCL_POST

ncclResult_t ncclGroupStart() {
  ++porter_sim::nccl::group_depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (porter_sim::nccl::group_depth == 0) return ncclInvalidUsage;
  if (--porter_sim::nccl::group_depth) return ncclSuccess;
  ncclResult_t result = ncclSuccess;
  for (auto &each : porter_sim::nccl::group) {
    ncclResult_t one = each.clique->wait(each.round);
    if (one != ncclSuccess) result = one;
  }
  porter_sim::nccl::group.clear();
  return result;
}

ncclResult_t ncclGetVersion(int *version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::lock_guard<std::mutex> hold(porter_sim::nccl::cliques_lock);
  *id = {};
  unsigned long long number = porter_sim::nccl::next_clique++;
  memcpy(id->internal, &number, sizeof number);
  return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  auto clique = porter_sim::nccl::clique_of(id, ranks);
  if (clique->ranks() != ranks) return ncclInvalidArgument;
  *comm = new ncclComm{clique, rank, porter_sim::api::current_device()};
  return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t *) {
  return ncclCommInitRank(comm, ranks, id, rank);
}
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  if (!comms || count < 1) return ncclInvalidArgument;
  for (int i = 0; i < count; ++i) {
    int device = devices ? devices[i] : i;
    if (device < 0 || device >= porter_sim::api::device_count()) return ncclInvalidArgument;
  }
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  for (int i = 0; i < count; ++i) {
    ncclCommInitRank(&comms[i], count, id, i);
    comms[i]->device = devices ? devices[i] : i;
  }
  return ncclSuccess;
}
ncclResult_t ncclCommFinalize(ncclComm_t comm) { return comm ? ncclSuccess : ncclInvalidArgument; }
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm) return ncclSuccess;
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }
const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError: return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}
const char *ncclGetLastError(ncclComm_t) { return ""; }
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result) {
  *result = ncclSuccess;
  return comm ? ncclSuccess : ncclInvalidArgument;
}
ncclResult_t ncclCommCount(ncclComm_t comm, int *count) {
  if (!comm || !count) return ncclInvalidArgument;
  *count = comm->clique->ranks();
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device) {
  if (!comm || !device) return ncclInvalidArgument;
  *device = comm->device;
  return ncclSuccess;
}
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank) {
  if (!comm || !rank) return ncclInvalidArgument;
  *rank = comm->rank;
  return ncclSuccess;
}
ncclResult_t ncclMemAlloc(void **out, size_t bytes) {
  return porter_sim::api::malloc_device(out, bytes, 0) ? ncclUnhandledCudaError : ncclSuccess;
}
ncclResult_t ncclMemFree(void *address) {
  return porter_sim::api::free_device(address) ? ncclUnhandledCudaError : ncclSuccess;
}
