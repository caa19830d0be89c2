// Completing warp collectives: which lanes form a group, and what each of them gets.
#include "block.h"
#include "check_hooks.h"
#include "errors.h"

namespace porter_sim {

namespace {

template <class Visit>
void for_each_lane(lane_mask group, Visit visit) {
  while (group) {
    unsigned lane = unsigned(__builtin_ctzll(group));
    group &= group - 1;
    visit(lane);
  }
}

// Lane that `lane` reads from; its own where a shuffle leaves the value as it is. Arguments may lie outside the warp.
PORTER_INLINE int source_lane(Op op, int width, int argument, int lane) {
  int position = lane & (width - 1);
  int base = lane - position;
  switch (op) {
    case Op::shuffle_index:
      return base + (argument & (width - 1));
    case Op::shuffle_up:
      return position < argument ? lane : lane - argument;
    case Op::shuffle_down:
      return position + argument >= width ? lane : lane + argument;
    default: {
      int source = lane ^ argument;
      return source >= base + width ? lane : source;
    }
  }
}

// What a lane gets that reads from one that takes no part: CUDA leaves it undefined, AMD's permute yields zero.
void absent_value(const Collective &call, void *result, unsigned size) {
  if (call.kind.mask_kind() == Mask::named) {
    poison(result, size);
  } else {
    __builtin_memset(result, 0, size);
  }
}

bool is_present(lane_mask group, int lane) { return unsigned(lane) < unsigned(lanes) && (group >> lane & 1); }

template <Op op>
void shuffle_values(Warp &warp, lane_mask group, int width) {
  unsigned long long values[lanes];
  bool in_range = true;
  for (int lane = 0; lane < lanes; ++lane) {
    values[lane] = warp.calls[lane].value;
    in_range &= unsigned(warp.calls[lane].argument) < unsigned(lanes);
  }
  if (group == all_lanes && (in_range || op == Op::shuffle_index)) {
    for (int lane = 0; lane < lanes; ++lane) {
      warp.calls[lane].value = values[source_lane(op, width, warp.calls[lane].argument, lane)];
    }
    return;
  }
  for_each_lane(group, [&](unsigned lane) {
    Collective &call = warp.calls[lane];
    int source = source_lane(op, call.kind.width(), call.argument, int(lane));
    if (is_present(group, source)) {
      call.value = values[source];
    } else {
      absent_value(call, &call.value, call.kind.size());
    }
  });
}

// Values larger than a lane's record: all are read before any is written.
void shuffle_memory(Warp &warp, lane_mask group, CallKind kind) {
  unsigned size = kind.size();
  std::vector<char> values(size_t(lanes) * size);
  auto address = [&](unsigned lane) { return reinterpret_cast<char *>(warp.calls[lane].value); };
  for_each_lane(group, [&](unsigned lane) { __builtin_memcpy(&values[lane * size], address(lane), size); });
  for_each_lane(group, [&](unsigned lane) {
    const Collective &call = warp.calls[lane];
    int source = source_lane(kind.op(), call.kind.width(), call.argument, int(lane));
    if (is_present(group, source)) {
      __builtin_memcpy(address(lane), &values[unsigned(source) * size], size);
    } else {
      absent_value(call, address(lane), size);
    }
  });
}

void do_shuffle(Warp &warp, lane_mask group, CallKind kind) {
  if (kind.size() > sizeof(unsigned long long)) return shuffle_memory(warp, group, kind);
  switch (kind.op()) {
    case Op::shuffle_index:
      return shuffle_values<Op::shuffle_index>(warp, group, kind.width());
    case Op::shuffle_up:
      return shuffle_values<Op::shuffle_up>(warp, group, kind.width());
    case Op::shuffle_down:
      return shuffle_values<Op::shuffle_down>(warp, group, kind.width());
    default:
      return shuffle_values<Op::shuffle_xor>(warp, group, kind.width());
  }
}

void do_vote(Warp &warp, lane_mask group, Op op) {
  lane_mask votes = 0;
  for_each_lane(group, [&](unsigned lane) { votes |= lane_mask(warp.calls[lane].argument) << lane; });
  lane_mask result = op == Op::all      ? votes == group
                     : op == Op::any    ? votes != 0
                     : op == Op::active ? group
                                        : votes;
  for_each_lane(group, [&](unsigned lane) { warp.calls[lane].value = result; });
}

void do_match(Warp &warp, lane_mask group, Op op) {
  lane_mask results[lanes];
  for_each_lane(group, [&](unsigned lane) {
    lane_mask equal = 0;
    for_each_lane(group, [&](unsigned other) {
      if (warp.calls[lane].value == warp.calls[other].value) equal |= lane_mask(1) << other;
    });
    results[lane] = op == Op::match_any || equal == group ? equal : 0;
  });
  for_each_lane(group, [&](unsigned lane) { warp.calls[lane].value = results[lane]; });
}

template <class T>
T combine(Op op, T left, T right) {
  if constexpr (std::is_integral_v<T>) {
    if (op == Op::reduce_and) return left & right;
    if (op == Op::reduce_or) return left | right;
    if (op == Op::reduce_xor) return left ^ right;
  }
  if (op == Op::reduce_min) return right < left ? right : left;
  if (op == Op::reduce_max) return left < right ? right : left;
  return T(left + right);
}

template <class T>
void do_reduce_as(Warp &warp, lane_mask group, Op op) {
  bool first = true;
  T total{};
  for_each_lane(group, [&](unsigned lane) {
    T value;
    __builtin_memcpy(&value, &warp.calls[lane].value, sizeof(T));
    total = first ? value : combine(op, total, value);
    first = false;
  });
  for_each_lane(group, [&](unsigned lane) { __builtin_memcpy(&warp.calls[lane].value, &total, sizeof(T)); });
}

void do_reduce(Warp &warp, lane_mask group, CallKind kind) {
  bool wide = kind.size() == 8;
  switch (kind.number()) {
    case Number::real:
      return wide ? do_reduce_as<double>(warp, group, kind.op()) : do_reduce_as<float>(warp, group, kind.op());
    case Number::signed_integer:
      return wide ? do_reduce_as<long long>(warp, group, kind.op()) : do_reduce_as<int>(warp, group, kind.op());
    case Number::unsigned_integer:
      return wide ? do_reduce_as<unsigned long long>(warp, group, kind.op())
                  : do_reduce_as<unsigned>(warp, group, kind.op());
  }
}

// HIP's _sync functions: among the lanes that handed in the same mask, the mask must equal those lanes.
void check_masks(Warp &warp, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) {
    const Collective &call = warp.calls[lane];
    lane_mask same = 0;
    for_each_lane(group, [&](unsigned other) {
      if (warp.calls[other].mask == call.mask) same |= lane_mask(1) << other;
    });
    if (call.mask != same) report_wrong_mask(call, call.mask, same);
  });
}

// Each lane of `group` has its result in its record. `same_call`: all are in the same call.
void give_results(Warp &warp, lane_mask group, bool same_call) {
  const Collective &first = warp.calls[__builtin_ctzll(group)];
  CallKind kind = first.kind;
  bool agreed = same_call && first.mask == group;
  if (kind.mask_kind() == Mask::checked && !agreed) check_masks(warp, group);
  switch (kind.op()) {
    case Op::shuffle_index:
    case Op::shuffle_up:
    case Op::shuffle_down:
    case Op::shuffle_xor:
      do_shuffle(warp, group, kind);
      break;
    case Op::ballot:
    case Op::all:
    case Op::any:
    case Op::active:
    case Op::synchronise:
      do_vote(warp, group, kind.op());
      break;
    case Op::match_any:
    case Op::match_all:
      do_match(warp, group, kind.op());
      break;
    default:
      do_reduce(warp, group, kind);
  }
}

void complete(Block &block, Warp &warp, lane_mask group) {
  give_results(warp, group, warp.same_call);
  warp.grouped &= ~group;
  block.patience = 0;
  check_warp_synchronised(block, unsigned(&warp - block.warps), group);
  warp.same_call = false;
  make_ready(block, warp, group);
}

bool same_place(const Collective &left, const Collective &right) {
  return left.kind.op() == right.kind.op() && left.kind.line() == right.kind.line() && left.file == right.file;
}

// Whether lanes with a mask of their own are in the same collective.
bool same_named(const Collective &left, const Collective &right) {
  return left.kind.op() == right.kind.op() && left.mask == right.mask &&
         (left.kind.op() == Op::synchronise || left.kind.line() == right.kind.line());
}

// Lanes of the waiting set that are in the same collective as `call`.
lane_mask partners(const Warp &warp, const Collective &call) {
  if (warp.same_call) return warp.grouped;
  lane_mask same = 0;
  for_each_lane(warp.grouped, [&](unsigned lane) {
    const Collective &other = warp.calls[lane];
    bool joined = call.kind.mask_kind() == Mask::named ? same_named(call, other) : same_place(call, other);
    if (joined) same |= lane_mask(1) << lane;
  });
  return same;
}

// Lanes that have to be there before the collective of `call` can complete at once.
PORTER_INLINE lane_mask needed(const Warp &warp, const Collective &call) {
  lane_mask living = warp.present & ~warp.ended;
  return call.kind.mask_kind() == Mask::named ? call.mask & living : living;
}

bool try_group_of(Block &block, Warp &warp, unsigned lane) {
  const Collective &call = warp.calls[lane];
  lane_mask wanted = needed(warp, call);
  if ((warp.grouped & wanted) != wanted) return false;
  lane_mask group = partners(warp, call);
  if ((group & wanted) != wanted) return false;
  complete(block, warp, call.kind.mask_kind() == Mask::named ? group & wanted : group);
  return true;
}

// Among the places that lanes without a mask wait at, the first in the source: lanes still inside a branch or a
// loop catch up with those that are past it.
bool complete_first_place(Block &block, Warp &warp) {
  const Collective *first = nullptr;
  for_each_lane(warp.grouped, [&](unsigned lane) {
    const Collective &call = warp.calls[lane];
    if (call.kind.mask_kind() == Mask::named) return;
    if (!first || call.kind.line() < first->kind.line()) first = &call;
  });
  if (!first) return false;
  complete(block, warp, partners(warp, *first));
  return true;
}

// Takes a lane into the set that waits, and notes whether all of it is in one and the same call.
PORTER_INLINE void join(Warp &warp, unsigned lane, const Collective &call) {
  if (!warp.grouped) {
    warp.same_call = true;
  } else if (warp.same_call) {
    const Collective &other = warp.calls[__builtin_ctzll(warp.grouped)];
    warp.same_call = other.kind.bits == call.kind.bits && other.mask == call.mask && other.file == call.file;
  }
  warp.grouped |= lane_mask(1) << lane;
}

}  // namespace

bool try_complete(Block &block, Warp &warp) {
  lane_mask tried = 0;
  bool any = false;
  while (lane_mask left = warp.grouped & ~tried) {
    unsigned lane = unsigned(__builtin_ctzll(left));
    tried |= lane_mask(1) << lane;
    any = try_group_of(block, warp, lane) || any;
  }
  return any;
}

bool complete_stalled(Block &block) {
  bool any = false;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    if (block.warps[w].grouped) any = complete_first_place(block, block.warps[w]) || any;
  }
  return any;
}

void bad_shuffle_width(int width, const char *file, int line) {
  if (!in_kernel()) fatal("a warp function was called outside a kernel");
  report_bad_width(width, file, line);
}

namespace {

// Whether the running lane is one of those that its own call is for.
bool is_named(const Collective &call, unsigned self) {
  return call.kind.mask_kind() != Mask::named || (call.mask & lane_bit(self));
}

bool same_call(const Collective &left, const Collective &right) {
  return left.kind.bits == right.kind.bits && left.mask == right.mask && left.file == right.file;
}

// Whether a lane before the running one, which the sweep has left at the block barrier, belongs to the group as well.
bool left_behind(const Block &block, unsigned self, lane_mask wanted) {
  unsigned first = self - self % lanes;
  for (unsigned t = first; t < self; ++t) {
    if (block.fibers[t] && (wanted & lane_bit(t))) return true;
  }
  return false;
}

// Whether the running lane waits for the same as those that gather.
PORTER_INLINE bool joins_row(const Block &block, const Collective &call) {
  return block.gathering.end && same_call(call, block.calls[block.gathering.first]);
}

// In a sweep, whether the running lane can be the first of a row that gathers.
bool begins_row(Block &block, unsigned self, const Collective &call) {
  const lane_mask wanted = call.kind.mask_kind() == Mask::named ? call.mask : all_lanes;
  if (block.phase != Phase::sweep || block.gathering.end || left_behind(block, self, wanted)) return false;
  unsigned end = self - self % lanes + 64 - unsigned(__builtin_clzll(wanted));
  block.gathering = {self, std::min(end, block.threads)};
  return true;
}

void join_lane_sets(Block &block, unsigned self, const Collective &call) {
  if (block.phase != Phase::lane_sets) keep_lane_sets(block);
  unsigned lane = self % lanes;
  Warp &warp = block.warps[warp_of(self)];
  if (!is_named(call, self)) report_lane_not_named(call, lane);
  join(warp, lane, call);
  lane_mask wanted = needed(warp, call);
  if ((warp.grouped & wanted) == wanted) try_group_of(block, warp, lane);
}

__attribute__((noinline)) Switch collect_slowly(Block &block, unsigned self, const Collective &call) {
  if (block.phase == Phase::loop) start_sweeping(block);
  const bool is_row = is_named(call, self) && (joins_row(block, call) || begins_row(block, self, call));
  if (!is_row) join_lane_sets(block, self, call);
  return leave_current(block);
}

}  // namespace

unsigned complete_gathered(Block &block) {
  const Gathering row = std::exchange(block.gathering, {});
  unsigned index = warp_of(row.first);
  lane_mask group = 0;
  unsigned first = row.end;
  for (unsigned t = row.end; t-- > row.first;) {
    if (!block.fibers[t]) continue;
    group |= lane_bit(t);
    first = t;
  }
  give_results(block.warps[index], group, true);
  check_warp_synchronised(block, index, group);
  return first;
}

extern "C" Switch porter_sim_decide_collective(CallKind kind, lane_mask mask, const char *file, int argument,
                                               unsigned long long value) {
  if (!running_block) fatal("a warp function was called outside a kernel");
  Block &block = *running_block;
  unsigned self = cursor.index;
  Collective &call = block.calls[self];
  // One by one: as a whole they would be put together on the stack first, in parts that the copy has to wait for.
  call.kind = kind;
  call.mask = mask;
  call.file = file;
  call.value = value;
  call.argument = argument;
  // The last of a row has its results to be made, which is no quick step.
  if (self + 1 < block.gathering.end && joins_row(block, call) && is_named(call, self)) return step_aside(block);
  return collect_slowly(block, self, call);
}

PORTER_SUSPENDING(porter_sim_collective, porter_sim_decide_collective,
                  (porter_sim::CallKind kind, porter_sim::lane_mask mask, const char *file, int argument,
                   unsigned long long value),
                  (kind, mask, file, argument, value));

}  // namespace porter_sim
