// Waiting for what other threads do: a thread that cannot go on steps aside and looks again once the others of its
// block have run. Barriers over a part of a block, barrier objects and locks are built on it.
#pragma once

#include "porter_sim/execution.h"

namespace porter_sim {

// Who can bring about what a thread waits for. With `block`, a round of looking in vain is a deadlock.
enum class Until : int { block, world };

// Steps aside. `again` says that the thread has looked in vain since it was last let go on.
void pause(Until until, bool again, const char *file, int line);

// Tells the checker of races that the running thread has seen what others did before. It takes that for the whole
// block, so that it may miss a race but reports none that is not there.
void note_order();

template <class Condition>
void wait_until(Until until, Condition condition, const char *file, int line) {
  for (bool again = false; !condition(); again = true) pause(until, again, file, line);
  note_order();
}

// Threads [first, first + count) of the block, where those that ended do not count.
void partial_barrier(unsigned first, unsigned count, const char *file, int line);
// `bar.sync id, count` and, without waiting, `bar.arrive id, count`.
void named_barrier(unsigned id, unsigned count, bool waits, const char *file, int line);

// By thread of the block: what it shows to the others between two barriers.
const void *&shown(unsigned thread);

}  // namespace porter_sim
