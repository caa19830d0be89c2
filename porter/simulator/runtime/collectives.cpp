// Completing warp collectives: which lanes form a group, and what each of them gets.
#include "block.h"
#include "check_hooks.h"
#include "errors.h"

namespace porter_sim {

namespace {

constexpr lane_mask all_lanes = ~lane_mask(0) >> (64 - lanes);

template <class Visit>
void for_each_lane(lane_mask group, Visit visit) {
  while (group) {
    unsigned lane = unsigned(__builtin_ctzll(group));
    group &= group - 1;
    visit(lane);
  }
}

// Lane that `lane` reads from, or -1 where a shuffle leaves the lane's own value.
int source_lane(const Collective &call, unsigned lane) {
  int width = call.width;
  int position = int(lane) % width;
  int base = int(lane) - position;
  switch (call.op) {
    case Op::shuffle_index:
      return base + (call.argument & (width - 1));
    case Op::shuffle_up:
      return position - call.argument < 0 ? -1 : int(lane) - call.argument;
    case Op::shuffle_down:
      return position + call.argument >= width ? -1 : int(lane) + call.argument;
    default: {
      int source = int(lane) ^ call.argument;
      return source >= base + width ? -1 : source;
    }
  }
}

void copy_value(void *to, const void *from, unsigned size) {
  if (size == 4) {
    __builtin_memcpy(to, from, 4);
  } else if (size == 8) {
    __builtin_memcpy(to, from, 8);
  } else {
    __builtin_memcpy(to, from, size);
  }
}

// What a lane gets that reads from one that takes no part: CUDA leaves it undefined, AMD's permute yields zero.
void absent_value(const Collective &call) {
  if (call.mask_kind == Mask::named) {
    poison(call.output, call.size);
  } else {
    __builtin_memset(call.output, 0, call.size);
  }
}

void do_shuffle(Warp &warp, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) {
    Collective &call = *warp.calls[lane];
    int source = source_lane(call, lane);
    if (source < 0) source = int(lane);
    if (source < lanes && (group >> source & 1)) {
      copy_value(call.output, warp.calls[source]->input, call.size);
    } else {
      absent_value(call);
    }
  });
}

void do_vote(Warp &warp, lane_mask group, Op op) {
  lane_mask votes = 0;
  for_each_lane(group, [&](unsigned lane) { votes |= lane_mask(warp.calls[lane]->argument) << lane; });
  lane_mask result = op == Op::all      ? votes == group
                     : op == Op::any    ? votes != 0
                     : op == Op::active ? group
                                        : votes;
  for_each_lane(group, [&](unsigned lane) { warp.calls[lane]->result = result; });
}

bool same_value(const Collective &left, const Collective &right) {
  return __builtin_memcmp(left.input, right.input, left.size) == 0;
}

void do_match(Warp &warp, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) {
    Collective &call = *warp.calls[lane];
    lane_mask equal = 0;
    for_each_lane(group, [&](unsigned other) {
      if (same_value(call, *warp.calls[other])) equal |= lane_mask(1) << other;
    });
    call.result = call.op == Op::match_any ? equal : (equal == group ? group : 0);
  });
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
    __builtin_memcpy(&value, warp.calls[lane]->input, sizeof(T));
    total = first ? value : combine(op, total, value);
    first = false;
  });
  for_each_lane(group, [&](unsigned lane) { __builtin_memcpy(warp.calls[lane]->output, &total, sizeof(T)); });
}

void do_reduce(Warp &warp, lane_mask group, const Collective &call) {
  bool wide = call.size == 8;
  switch (Number(call.number)) {
    case Number::real:
      return wide ? do_reduce_as<double>(warp, group, call.op) : do_reduce_as<float>(warp, group, call.op);
    case Number::signed_integer:
      return wide ? do_reduce_as<long long>(warp, group, call.op) : do_reduce_as<int>(warp, group, call.op);
    case Number::unsigned_integer:
      return wide ? do_reduce_as<unsigned long long>(warp, group, call.op)
                  : do_reduce_as<unsigned>(warp, group, call.op);
  }
}

// HIP's _sync functions: among the lanes that handed in the same mask, the mask must equal those lanes.
void check_masks(Warp &warp, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) {
    Collective &call = *warp.calls[lane];
    lane_mask same = 0;
    for_each_lane(group, [&](unsigned other) {
      if (warp.calls[other]->mask == call.mask) same |= lane_mask(1) << other;
    });
    if (call.mask != same) report_wrong_mask(call, call.mask, same);
  });
}

void complete(Block &block, Warp &warp, lane_mask group) {
  Collective &first = *warp.calls[__builtin_ctzll(group)];
  if (first.mask_kind == Mask::checked) check_masks(warp, group);
  switch (first.op) {
    case Op::shuffle_index:
    case Op::shuffle_up:
    case Op::shuffle_down:
    case Op::shuffle_xor:
      do_shuffle(warp, group);
      break;
    case Op::ballot:
    case Op::all:
    case Op::any:
    case Op::active:
    case Op::synchronise:
      do_vote(warp, group, first.op);
      break;
    case Op::match_any:
    case Op::match_all:
      do_match(warp, group);
      break;
    default:
      do_reduce(warp, group, first);
  }
  warp.grouped &= ~group;
  check_warp_synchronised(block, unsigned(&warp - block.warps), group);
  make_ready(block, warp, group);
}

bool same_place(const Collective &left, const Collective &right) {
  return left.op == right.op && left.line == right.line && left.file == right.file;
}

// Lanes of the waiting set that are in the same collective as `call`.
lane_mask partners(const Warp &warp, const Collective &call) {
  lane_mask same = 0;
  for_each_lane(warp.grouped, [&](unsigned lane) {
    const Collective &other = *warp.calls[lane];
    bool joined = call.mask_kind == Mask::named ? other.op == call.op && other.mask == call.mask &&
                                                      (call.op == Op::synchronise || other.line == call.line)
                                                : same_place(call, other);
    if (joined) same |= lane_mask(1) << lane;
  });
  return same;
}

// Lanes that have to be there before the collective of `call` can complete at once.
lane_mask needed(const Warp &warp, const Collective &call) {
  lane_mask living = warp.present & ~warp.ended;
  return call.mask_kind == Mask::named ? call.mask & living : living;
}

bool try_group_of(Block &block, Warp &warp, unsigned lane) {
  const Collective &call = *warp.calls[lane];
  lane_mask wanted = needed(warp, call);
  if ((warp.grouped & wanted) != wanted) return false;
  lane_mask group = partners(warp, call);
  if ((group & wanted) != wanted) return false;
  complete(block, warp, call.mask_kind == Mask::named ? group & wanted : group);
  return true;
}

// Among the places that lanes without a mask wait at, the first in the source: lanes still inside a branch or a
// loop catch up with those that are past it.
bool complete_first_place(Block &block, Warp &warp) {
  const Collective *first = nullptr;
  for_each_lane(warp.grouped, [&](unsigned lane) {
    const Collective &call = *warp.calls[lane];
    if (call.mask_kind == Mask::named) return;
    if (!first || call.line < first->line) first = &call;
  });
  if (!first) return false;
  complete(block, warp, partners(warp, *first));
  return true;
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

void collective(Collective &call) {
  if (!in_kernel()) fatal("a warp function was called outside a kernel");
  Block &block = *worker->block;
  if (!block.slow) enter_slow(block);
  unsigned lane = lane_id();
  Warp &warp = block.warps[warp_of(cursor.index)];
  if (call.width < 0 || call.width > lanes || (call.width & (call.width - 1))) report_bad_width(call);
  if (call.mask_kind == Mask::named) {
    call.mask &= all_lanes;
    if (!(call.mask >> lane & 1)) report_lane_not_named(call, lane);
  }
  warp.calls[lane] = &call;
  warp.grouped |= lane_mask(1) << lane;
  lane_mask wanted = needed(warp, call);
  if ((warp.grouped & wanted) == wanted) try_group_of(block, warp, lane);
  suspend_current();
}

}  // namespace porter_sim
