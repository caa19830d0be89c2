// The ranks of one communicator. Whoever is the last to hand in its part of an operation does all of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "nccl/reduce.h"

namespace porter_sim::nccl {

enum class Kind { all_reduce, reduce, broadcast, reduce_scatter, all_gather, send, receive };

// One rank's part of an operation.
struct Part {
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;  // of a collective, or the peer
  bool arrived = false;
};

// An operation that ranks wait for.
struct Round {
  std::vector<Part> parts;
  int arrived = 0;
  bool done = false;
  ncclResult_t result = ncclSuccess;
};

class Clique {
 public:
  explicit Clique(int ranks) : next_round_(size_t(ranks)), ranks_(ranks) {}
  int ranks() const { return ranks_; }

  // Hands in a rank's part. What it returns is done once all parts are there.
  std::shared_ptr<Round> post(int rank, const Part &part) {
    std::lock_guard<std::mutex> hold(lock_);
    return part.kind == Kind::send || part.kind == Kind::receive ? post_message(rank, part) : post_collective(rank, part);
  }

  // Ranks of one thread that are not in one group wait for each other for ever: this ends it.
  ncclResult_t wait(const std::shared_ptr<Round> &round) {
    std::unique_lock<std::mutex> hold(lock_);
    if (changed_.wait_for(hold, std::chrono::seconds(patience_seconds), [&] { return round->done; })) return round->result;
    fprintf(stderr,
            "porter: a rank waited %d s for the others of its communicator; calls for several ranks by one thread belong "
            "between ncclGroupStart and ncclGroupEnd\n",
            patience_seconds);
    return ncclInternalError;
  }

 private:
  static constexpr int patience_seconds = 20;

  std::shared_ptr<Round> post_collective(int rank, const Part &part) {
    size_t number = next_round_[size_t(rank)]++;
    auto &round = rounds_[number];
    if (!round) {
      round = std::make_shared<Round>();
      round->parts.resize(size_t(ranks_));
    }
    auto mine = round;
    mine->parts[size_t(rank)] = part;
    if (++mine->arrived == ranks_) {
      mine->result = agree(mine->parts) ? ncclSuccess : ncclInvalidArgument;
      if (mine->result == ncclSuccess) run(mine->parts);
      finish(*mine);
      rounds_.erase(number);
    }
    return mine;
  }

  // A message is there when both its ends are; messages between two ranks keep their order.
  std::shared_ptr<Round> post_message(int rank, const Part &part) {
    bool sends = part.kind == Kind::send;
    auto key = sends ? std::make_pair(rank, part.root) : std::make_pair(part.root, rank);
    auto &queue = messages_[key];
    for (auto &round : queue) {
      Part &other = round->parts[0];
      if (other.kind == part.kind) continue;
      auto mine = round;
      const Part &from = sends ? part : other, &to = sends ? other : part;
      bool fits = from.count * element_bytes(from.type) <= to.count * element_bytes(to.type);
      if (fits) memmove(to.receive, from.send, from.count * element_bytes(from.type));
      mine->result = fits ? ncclSuccess : ncclInvalidArgument;
      finish(*mine);
      queue.erase(std::find(queue.begin(), queue.end(), mine));
      return mine;
    }
    queue.push_back(std::make_shared<Round>());
    queue.back()->parts = {part};
    return queue.back();
  }

  void finish(Round &round) {
    round.done = true;
    changed_.notify_all();
  }

  static bool agree(const std::vector<Part> &parts) {
    const Part &first = parts[0];
    for (const Part &p : parts) {
      if (p.kind != first.kind || p.count != first.count || p.type != first.type || p.op != first.op || p.root != first.root) {
        fprintf(stderr, "porter: the ranks of a communicator call different operations\n");
        return false;
      }
    }
    return true;
  }

  // Results are complete before any is written: buffers may be the inputs.
  void run(std::vector<Part> &parts) {
    const Part first = parts[0];
    size_t bytes = first.count * element_bytes(first.type), ranks = parts.size();
    std::vector<const void *> in;
    for (const Part &p : parts) in.push_back(p.send);
    if (first.kind == Kind::all_reduce || first.kind == Kind::reduce) {
      std::vector<char> result = reduced(in, 0, first.count, first.type, first.op);
      for (size_t r = 0; r < ranks; ++r) {
        if (first.kind == Kind::all_reduce || int(r) == first.root) memcpy(parts[r].receive, result.data(), bytes);
      }
    } else if (first.kind == Kind::broadcast) {
      for (Part &p : parts) memmove(p.receive, in[size_t(first.root)], bytes);
    } else if (first.kind == Kind::reduce_scatter) {
      std::vector<std::vector<char>> results;
      for (size_t r = 0; r < ranks; ++r) results.push_back(reduced(in, r * first.count, first.count, first.type, first.op));
      for (size_t r = 0; r < ranks; ++r) memcpy(parts[r].receive, results[r].data(), bytes);
    } else {
      std::vector<char> all(bytes * ranks);
      for (size_t r = 0; r < ranks; ++r) memcpy(all.data() + r * bytes, in[r], bytes);
      for (Part &p : parts) memcpy(p.receive, all.data(), all.size());
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<size_t> next_round_;
  std::map<size_t, std::shared_ptr<Round>> rounds_;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Round>>> messages_;
  int ranks_;
};

}  // namespace porter_sim::nccl
