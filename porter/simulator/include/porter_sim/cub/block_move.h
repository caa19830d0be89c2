// Moving a block's items: loads, stores, exchanges between arrangements, neighbours.
//
// Blocked: thread t has items t*N to t*N + N-1. Striped: thread t has items t, t + threads, ...
#pragma once

#include "porter_sim/cub/common.h"

namespace PORTER_CUB {

template <class Iterator, class T, int N>
void LoadDirectBlocked(int thread, Iterator from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[thread * N + i];
}
template <class Iterator, class T, int N>
void LoadDirectBlocked(int thread, Iterator from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread * N + i < valid) items[i] = from[thread * N + i];
  }
}
template <class Iterator, class T, int N, class Default>
void LoadDirectBlocked(int thread, Iterator from, T (&items)[N], int valid, Default otherwise) {
  for (int i = 0; i < N; ++i) items[i] = thread * N + i < valid ? T(from[thread * N + i]) : T(otherwise);
}
template <class T, int N>
void LoadDirectBlockedVectorized(int thread, T *from, T (&items)[N]) {
  LoadDirectBlocked(thread, from, items);
}
template <int Threads, class Iterator, class T, int N>
void LoadDirectStriped(int thread, Iterator from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[thread + i * Threads];
}
template <int Threads, class Iterator, class T, int N>
void LoadDirectStriped(int thread, Iterator from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread + i * Threads < valid) items[i] = from[thread + i * Threads];
  }
}
template <int Threads, class Iterator, class T, int N, class Default>
void LoadDirectStriped(int thread, Iterator from, T (&items)[N], int valid, Default otherwise) {
  for (int i = 0; i < N; ++i) items[i] = thread + i * Threads < valid ? T(from[thread + i * Threads]) : T(otherwise);
}
template <class Iterator, class T, int N>
void StoreDirectBlocked(int thread, Iterator to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i) {
    if (thread * N + i < valid) to[thread * N + i] = items[i];
  }
}
template <class T, int N>
void StoreDirectBlockedVectorized(int thread, T *to, T (&items)[N]) {
  StoreDirectBlocked(thread, to, items);
}
template <int Threads, class Iterator, class T, int N>
void StoreDirectStriped(int thread, Iterator to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i) {
    if (thread + i * Threads < valid) to[thread + i * Threads] = items[i];
  }
}

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad : Collective<Empty> {
  using Shape = BlockShape<X, Y, Z>;
  static constexpr bool striped = Algorithm == BLOCK_LOAD_STRIPED;

 public:
  using Collective<Empty>::TempStorage;
  BlockLoad() = default;
  BlockLoad(TempStorage &storage) : Collective<Empty>(storage) {}
  template <class Iterator, class... Limits>
  void Load(Iterator from, T (&items)[N], Limits... limits) {
    if constexpr (striped) LoadDirectStriped<Shape::threads>(Shape::thread(), from, items, limits...);
    else LoadDirectBlocked(Shape::thread(), from, items, limits...);
  }
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore : Collective<Empty> {
  using Shape = BlockShape<X, Y, Z>;
  static constexpr bool striped = Algorithm == BLOCK_STORE_STRIPED;

 public:
  using Collective<Empty>::TempStorage;
  BlockStore() = default;
  BlockStore(TempStorage &storage) : Collective<Empty>(storage) {}
  template <class Iterator, class... Limits>
  void Store(Iterator to, T (&items)[N], Limits... limits) {
    if constexpr (striped) StoreDirectStriped<Shape::threads>(Shape::thread(), to, items, limits...);
    else StoreDirectBlocked(Shape::thread(), to, items, limits...);
  }
};

template <class T, int Count>
struct ItemStorage {
  T of[Count];
};

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange : Collective<ItemStorage<T, X * Y * Z * N>> {
  using Base = Collective<ItemStorage<T, X * Y * Z * N>>;
  using Shape = BlockShape<X, Y, Z>;
  static constexpr int warp = Shape::threads < ::porter_sim::lanes ? Shape::threads : ::porter_sim::lanes;

  static int blocked(int i) { return Shape::thread() * N + i; }
  static int striped(int i) { return Shape::thread() + i * Shape::threads; }
  static int warp_striped(int i) {
    int thread = Shape::thread();
    return thread / warp * warp * N + thread % warp + i * warp;
  }
  template <class Out, class From, class To>
  void move(const T (&input)[N], Out (&output)[N], From from, To to) {
    T copy[N];
    for (int i = 0; i < N; ++i) copy[i] = input[i];
    for (int i = 0; i < N; ++i) {
      if (from(i) >= 0) this->storage_.of[from(i)] = copy[i];
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) output[i] = this->storage_.of[to(i)];
  }

 public:
  using typename Base::TempStorage;
  BlockExchange() = default;
  BlockExchange(TempStorage &storage) : Base(storage) {}

#define PORTER_CUB_MOVE(name, from, to)                    \
  template <class Out>                                     \
  void name(const T (&input)[N], Out (&output)[N]) {       \
    move(input, output, from, to);                         \
  }                                                        \
  void name(T (&items)[N]) { move(items, items, from, to); }
  PORTER_CUB_MOVE(StripedToBlocked, striped, blocked)
  PORTER_CUB_MOVE(BlockedToStriped, blocked, striped)
  PORTER_CUB_MOVE(WarpStripedToBlocked, warp_striped, blocked)
  PORTER_CUB_MOVE(BlockedToWarpStriped, blocked, warp_striped)
#undef PORTER_CUB_MOVE

  template <class Out, class Offset>
  void ScatterToBlocked(const T (&input)[N], Out (&output)[N], Offset (&ranks)[N]) {
    move(input, output, [&](int i) { return int(ranks[i]); }, blocked);
  }
  template <class Offset>
  void ScatterToBlocked(T (&items)[N], Offset (&ranks)[N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Out, class Offset>
  void ScatterToStriped(const T (&input)[N], Out (&output)[N], Offset (&ranks)[N]) {
    move(input, output, [&](int i) { return int(ranks[i]); }, striped);
  }
  template <class Offset>
  void ScatterToStriped(T (&items)[N], Offset (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }
  // Items of negative rank are left out.
  template <class Out, class Offset>
  void ScatterToStripedGuarded(const T (&input)[N], Out (&output)[N], Offset (&ranks)[N]) {
    ScatterToStriped(input, output, ranks);
  }
  template <class Out, class Offset, class Flag>
  void ScatterToStripedFlagged(const T (&input)[N], Out (&output)[N], Offset (&ranks)[N], Flag (&valid)[N]) {
    move(input, output, [&](int i) { return valid[i] ? int(ranks[i]) : -1; }, striped);
  }
};

template <class T, int Threads>
struct EdgeStorage {
  T first[Threads], last[Threads];
};

// The neighbours of a block's items. `Body` gets an item, its neighbour and its index; or no neighbour at an end.
template <class T, int X, int Y, int Z>
class Neighbours : protected Collective<EdgeStorage<T, X * Y * Z>> {
  using Base = Collective<EdgeStorage<T, X * Y * Z>>;

 protected:
  using Shape = BlockShape<X, Y, Z>;
  Neighbours() = default;
  explicit Neighbours(typename Base::TempStorage &storage) : Base(storage) {}

  template <int N>
  void share(T (&items)[N]) {
    int thread = Shape::thread();
    this->storage_.first[thread] = items[0];
    this->storage_.last[thread] = items[N - 1];
    __syncthreads();
  }
  template <int N, class Body>
  void each_left(T (&items)[N], const T *before_all, Body body) {
    int thread = Shape::thread();
    const T *left = thread > 0 ? &this->storage_.last[thread - 1] : before_all;
    for (int i = N - 1; i > 0; --i) body(i, items[i], &items[i - 1]);
    body(0, items[0], left);
  }
  template <int N, class Body>
  void each_right(T (&items)[N], const T *after_all, Body body) {
    int thread = Shape::thread();
    const T *right = thread + 1 < Shape::threads ? &this->storage_.first[thread + 1] : after_all;
    for (int i = 0; i + 1 < N; ++i) body(i, items[i], &items[i + 1]);
    body(N - 1, items[N - 1], right);
  }
};

// A flag operator may take the item's index as its third argument.
template <class T, class Op>
bool flagged(Op &op, const T &a, const T &b, int index) {
  if constexpr (std::is_invocable_v<Op, T, T, int>) return op(a, b, index);
  else return op(a, b);
}

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity : Neighbours<T, X, Y, Z> {
  using Base = Neighbours<T, X, Y, Z>;
  template <class Flag, int N, class Op>
  void heads(Flag (&flags)[N], T (&items)[N], Op op, const T *before_all) {
    int first = Base::Shape::thread() * N;
    this->each_left(items, before_all, [&](int i, const T &item, const T *left) {
      flags[i] = Flag(!left || flagged(op, *left, item, first + i));
    });
  }
  template <class Flag, int N, class Op>
  void tails(Flag (&flags)[N], T (&items)[N], Op op, const T *after_all) {
    int first = Base::Shape::thread() * N;
    this->each_right(items, after_all, [&](int i, const T &item, const T *right) {
      flags[i] = Flag(!right || flagged(op, item, *right, first + i + 1));
    });
  }

 public:
  using typename Base::TempStorage;
  BlockDiscontinuity() = default;
  BlockDiscontinuity(TempStorage &storage) : Base(storage) {}

  template <class Flag, int N, class Op>
  void FlagHeads(Flag (&flags)[N], T (&items)[N], Op op) {
    this->share(items);
    heads(flags, items, op, nullptr);
  }
  template <class Flag, int N, class Op>
  void FlagHeads(Flag (&flags)[N], T (&items)[N], Op op, T predecessor) {
    this->share(items);
    heads(flags, items, op, &predecessor);
  }
  template <class Flag, int N, class Op>
  void FlagTails(Flag (&flags)[N], T (&items)[N], Op op) {
    this->share(items);
    tails(flags, items, op, nullptr);
  }
  template <class Flag, int N, class Op>
  void FlagTails(Flag (&flags)[N], T (&items)[N], Op op, T successor) {
    this->share(items);
    tails(flags, items, op, &successor);
  }
  template <class Flag, int N, class Op>
  void FlagHeadsAndTails(Flag (&head_flags)[N], Flag (&tail_flags)[N], T (&items)[N], Op op) {
    this->share(items);
    heads(head_flags, items, op, nullptr);
    tails(tail_flags, items, op, nullptr);
  }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockAdjacentDifference : Neighbours<T, X, Y, Z> {
  using Base = Neighbours<T, X, Y, Z>;

  template <class Out, int N, class Op>
  void left(T (&input)[N], Out (&output)[N], Op op, const T *before_all) {
    this->share(input);
    this->each_left(input, before_all, [&](int i, T item, const T *other) { output[i] = other ? op(item, *other) : item; });
  }
  template <class Out, int N, class Op>
  void right(T (&input)[N], Out (&output)[N], Op op, const T *after_all) {
    this->share(input);
    this->each_right(input, after_all, [&](int i, T item, const T *other) { output[i] = other ? op(item, *other) : item; });
  }

 public:
  using typename Base::TempStorage;
  BlockAdjacentDifference() = default;
  BlockAdjacentDifference(TempStorage &storage) : Base(storage) {}
  template <int N, class Out, class Op>
  void SubtractLeft(T (&input)[N], Out (&output)[N], Op op) {
    left(input, output, op, nullptr);
  }
  template <int N, class Out, class Op>
  void SubtractLeft(T (&input)[N], Out (&output)[N], Op op, T predecessor) {
    left(input, output, op, &predecessor);
  }
  template <int N, class Out, class Op>
  void SubtractRight(T (&input)[N], Out (&output)[N], Op op) {
    right(input, output, op, nullptr);
  }
  template <int N, class Out, class Op>
  void SubtractRight(T (&input)[N], Out (&output)[N], Op op, T successor) {
    right(input, output, op, &successor);
  }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle : Collective<ItemStorage<T, X * Y * Z>> {
  using Base = Collective<ItemStorage<T, X * Y * Z>>;
  using Shape = BlockShape<X, Y, Z>;
  void share(T value) {
    this->storage_.of[Shape::thread()] = value;
    __syncthreads();
  }

 public:
  using typename Base::TempStorage;
  BlockShuffle() = default;
  BlockShuffle(TempStorage &storage) : Base(storage) {}
  void Offset(T input, T &output, int distance = 1) {
    share(input);
    int other = Shape::thread() + distance;
    if (other >= 0 && other < Shape::threads) output = this->storage_.of[other];
  }
  void Rotate(T input, T &output, unsigned distance = 1) {
    share(input);
    output = this->storage_.of[(unsigned(Shape::thread()) + distance) % Shape::threads];
  }
  template <int N>
  void Up(T (&input)[N], T (&previous)[N]) {
    share(input[N - 1]);
    for (int i = N - 1; i > 0; --i) previous[i] = input[i - 1];
    if (Shape::thread() > 0) previous[0] = this->storage_.of[Shape::thread() - 1];
  }
  template <int N>
  void Down(T (&input)[N], T (&next)[N]) {
    share(input[0]);
    for (int i = 0; i + 1 < N; ++i) next[i] = input[i + 1];
    if (Shape::thread() + 1 < Shape::threads) next[N - 1] = this->storage_.of[Shape::thread() + 1];
  }
};

}  // namespace PORTER_CUB
