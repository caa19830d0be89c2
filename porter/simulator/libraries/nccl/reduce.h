// Reductions over the ranks' buffers, in the order of ranks, rounded to the element's type after every step.
#pragma once

#include <vector>

#include "porter_sim/small_float.h"

namespace porter_sim::nccl {

struct Half {
  unsigned short bits;
  operator float() const { return HalfFormat::unpack(bits); }
  Half(float value = 0) : bits(HalfFormat::pack(value)) {}
};
struct Bfloat {
  unsigned short bits;
  operator float() const { return BfloatFormat::unpack(bits); }
  Bfloat(float value = 0) : bits(BfloatFormat::pack(value)) {}
};

inline size_t element_bytes(ncclDataType_t type) {
  constexpr size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, sizeof(float), 8, 2};
  return bytes[int(type)];
}

template <class T>
T combine(T a, T b, ncclRedOp_t op) {
  switch (op) {
    case ncclProd: return T(a * b);
    case ncclMax: return a < b ? b : a;
    case ncclMin: return b < a ? b : a;
    default: return T(a + b);
  }
}

// An average of reals is the sum of the parts already divided, one of integers the divided sum.
template <class T>
void reduce_as(const std::vector<const void *> &in, size_t first, size_t count, ncclRedOp_t op, char *out) {
  constexpr bool integer = std::is_integral_v<T>;
  size_t ranks = in.size();
  T *result = reinterpret_cast<T *>(out);
  auto part = [&](size_t rank, size_t i) {
    T value = static_cast<const T *>(in[rank])[first + i];
    return op == ncclAvg && !integer ? T(value * T(1.0f / float(ranks))) : value;
  };
  for (size_t i = 0; i < count; ++i) {
    T value = part(0, i);
    for (size_t rank = 1; rank < ranks; ++rank) value = combine<T>(value, part(rank, i), op);
    if constexpr (integer) {
      if (op == ncclAvg) value = T(value / T(ranks));
    }
    result[i] = value;
  }
}

// `count` results from element `first` on.
inline std::vector<char> reduced(const std::vector<const void *> &in, size_t first, size_t count, ncclDataType_t type,
                                 ncclRedOp_t op) {
  std::vector<char> out(count * element_bytes(type));
  switch (type) {
    case ncclInt8: reduce_as<signed char>(in, first, count, op, out.data()); break;
    case ncclUint8: reduce_as<unsigned char>(in, first, count, op, out.data()); break;
    case ncclInt32: reduce_as<int>(in, first, count, op, out.data()); break;
    case ncclUint32: reduce_as<unsigned>(in, first, count, op, out.data()); break;
    case ncclInt64: reduce_as<long long>(in, first, count, op, out.data()); break;
    case ncclUint64: reduce_as<unsigned long long>(in, first, count, op, out.data()); break;
    case ncclFloat16: reduce_as<Half>(in, first, count, op, out.data()); break;
    case ncclBfloat16: reduce_as<Bfloat>(in, first, count, op, out.data()); break;
    case ncclFloat32: reduce_as<float>(in, first, count, op, out.data()); break;
    default: reduce_as<double>(in, first, count, op, out.data()); break;
  }
  return out;
}

}  // namespace porter_sim::nccl
