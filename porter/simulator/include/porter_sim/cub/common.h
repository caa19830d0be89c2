// What every part of CUB uses: operators, pairs, raw temporary storage, algorithm names. All of CUB is in the namespace
// PORTER_CUB, which is cub or hipcub. Parameters, overloads and results are those of CUB's documentation.
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/shared.h"

namespace PORTER_CUB {

struct NullType {
  template <class T>
  NullType &operator=(const T &) {
    return *this;
  }
  bool operator==(const NullType &) const { return true; }
  bool operator!=(const NullType &) const { return false; }
};

template <class Key, class Value>
struct KeyValuePair {
  typedef Key KeyT;
  typedef Value ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  KeyValuePair(Key const &k, Value const &v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair &other) const { return value != other.value || key != other.key; }
  bool operator==(const KeyValuePair &other) const { return value == other.value && key == other.key; }
};

#define PORTER_CUB_BINARY(name, expression)       \
  struct name {                                   \
    template <class T, class U>                   \
    auto operator()(const T &a, const U &b) const { \
      return expression;                          \
    }                                             \
  };
PORTER_CUB_BINARY(Sum, a + b)
PORTER_CUB_BINARY(Difference, a - b)
PORTER_CUB_BINARY(Division, a / b)
PORTER_CUB_BINARY(Equality, a == b)
PORTER_CUB_BINARY(Inequality, a != b)
#undef PORTER_CUB_BINARY

struct Max {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T &a, const U &b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T &a, const U &b) const {
    return b < a ? b : a;
  }
};
// Of equal values the one with the smaller key.
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class T>
struct CastOp {
  template <class U>
  T operator()(U &&value) const {
    return static_cast<T>(std::forward<U>(value));
  }
};
template <class Equal>
struct InequalityWrapper {
  Equal op;
  template <class T, class U>
  bool operator()(T &&a, U &&b) {
    return !op(a, b);
  }
};

// Storage without constructors, so that it may be part of a union.
template <class T>
struct alignas(T) Uninitialized {
  unsigned char bytes[sizeof(T)];
  T &Alias() { return *reinterpret_cast<T *>(bytes); }
};

struct Empty {};

// The shared storage of a collective: the caller's, or the block's own for each kind of collective.
template <class Layout>
class Collective {
 public:
  using TempStorage = Uninitialized<Layout>;

 protected:
  Collective() : storage_(own().Alias()) {}
  explicit Collective(TempStorage &storage) : storage_(storage.Alias()) {}
  Layout &storage_;

 private:
  static TempStorage &own() {
    PORTER_SHARED(TempStorage, collective_storage);
    return collective_storage;
  }
};

template <int X, int Y, int Z>
struct BlockShape {
  static constexpr int threads = X * Y * Z;
  static int thread() { return int((threadIdx.z * Y + threadIdx.y) * X + threadIdx.x); }
};

inline unsigned LaneId() { return ::porter_sim::lane_id(); }
inline unsigned WarpId() { return ::porter_sim::linear_thread() / ::porter_sim::lanes; }
inline int RowMajorTid(int x, int y, int) { return int((threadIdx.z * y + threadIdx.y) * x + threadIdx.x); }
#define CUB_WARP_THREADS(...) ::porter_sim::lanes
#define CUB_PTX_WARP_THREADS ::porter_sim::lanes
#define CUB_PTX_LOG_WARP_THREADS (::porter_sim::lanes == 64 ? 6 : 5)

// CUB's algorithms for one result differ in speed only.
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier, class Iterator>
auto ThreadLoad(Iterator from) {
  return *from;
}
template <CacheStoreModifier, class Iterator, class T>
void ThreadStore(Iterator to, T value) {
  *to = value;
}

template <class T, int N, class Op>
T ThreadReduce(const T (&items)[N], Op op) {
  T result = items[0];
  for (int i = 1; i < N; ++i) result = op(result, items[i]);
  return result;
}
template <class T, int N, class Op>
T ThreadReduce(const T (&items)[N], Op op, T prefix) {
  for (int i = 0; i < N; ++i) prefix = op(prefix, items[i]);
  return prefix;
}

}  // namespace PORTER_CUB
