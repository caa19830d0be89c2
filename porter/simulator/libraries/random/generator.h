// A host generator: which engine makes the next number of its output.
//
// cuRAND's default orders, as it documents or shows them: XORWOW takes its numbers in turn from 4096 engines one
// subsequence apart, MRG32k3a from 81920, Philox four at a time from 65536. A pair of normals comes from one engine. MT19937 and MTGP32 have
// one engine here, std::mt19937: the right distribution, not cuRAND's order.
#pragma once

#include <random>

#include "porter_sim/random/distributions.h"
#include "porter_sim/random/host.h"

namespace porter_sim::random {

struct Mersenne {
  std::mt19937 engine;
  int has_real32, has_real64;
  float real32;
  double real64;
};
inline unsigned next(Mersenne &s) { return unsigned(s.engine()); }
inline void initialise(Mersenne &s, Count seed, Count, Count) {
  s.engine.seed(std::mt19937::result_type(seed ^ seed >> 32));
  s.has_real32 = s.has_real64 = 0;
}
inline void jump(Mersenne &s, Count count, int) { s.engine.discard(count); }

// `engines` one subsequence apart take turns of `run` numbers.
template <class State>
class Interleaved {
 public:
  Interleaved(Count seed, Count offset, size_t engines, unsigned run) : states_(engines), run_(run) {
    Count row = engines * run, rows = offset / row, within = offset % row;
    at_ = size_t(within / run), used_ = unsigned(within % run);
    for (size_t i = 0; i < engines; ++i) {
      Count extra = i < at_ ? run : i == at_ ? used_ : 0;
      initialise(states_[i], seed, i, rows * run + extra);
    }
  }
  // The engine whose turn it is; the caller takes `count` numbers of it.
  State &take(unsigned count) {
    State &state = states_[at_];
    used_ += count;
    if (used_ >= run_) used_ = 0, at_ = at_ + 1 == states_.size() ? 0 : at_ + 1;
    return state;
  }
  unsigned one() { return next(take(1)); }

 private:
  std::vector<State> states_;
  size_t at_;
  unsigned run_, used_;
};

constexpr size_t engines_of_mrg = 81920;

struct Generator {
  Engine engine;
  bool on_host;
  bool started = false;
  Count seed = 0, offset = 0;
  unsigned dimensions = 1;
  Interleaved<Xorwow> *xorwow = nullptr;
  Interleaved<Mrg> *mrg = nullptr;
  Interleaved<Philox> *philox = nullptr;
  Interleaved<Mersenne> *mersenne = nullptr;

  Generator(Engine e, bool host) : engine(e), on_host(host) {}
  ~Generator() { forget(); }
  Generator(const Generator &) = delete;
  Generator &operator=(const Generator &) = delete;

  void forget() {
    delete xorwow, delete mrg, delete philox, delete mersenne;
    xorwow = nullptr, mrg = nullptr, philox = nullptr, mersenne = nullptr;
    started = false;
  }
  void start() {
    if (started) return;
    started = true;
    switch (engine) {
      case Engine::xorwow: xorwow = new Interleaved<Xorwow>(seed, offset, 4096, 1); break;
      case Engine::mrg: mrg = new Interleaved<Mrg>(seed, offset, engines_of_mrg, 1); break;
      case Engine::philox: philox = new Interleaved<Philox>(seed, offset, 65536, 4); break;
      default: mersenne = new Interleaved<Mersenne>(seed, offset, 1, 1); break;
    }
  }
  // Calls `body` with the engines.
  template <class Body>
  void visit(Body body) {
    start();
    if (xorwow) body(*xorwow);
    if (mrg) body(*mrg);
    if (philox) body(*philox);
    if (mersenne) body(*mersenne);
  }
};

}  // namespace porter_sim::random
