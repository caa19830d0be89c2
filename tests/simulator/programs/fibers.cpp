// A fiber that starts, waits, goes on and leaves; and a function that suspends its caller, or does not.
#include "fiber.h"

#include <cstdio>

using namespace porter_sim;

static void *home, *waiting;

static void leave() {
  puts("leaves");
  leave_fiber(home);
}

static void entry(void *context) {
  double kept = 1.5 * *static_cast<int *>(context);
  puts("starts");
  switch_fiber(&waiting, home);
  printf("goes on with %g\n", kept);
}

extern "C" Switch decide(int turn, const char *name) {
  printf("turn %d of %s\n", turn, name);
  return turn == 1 ? Switch{} : Switch{waiting, &home};
}
extern "C" void take_turn(int turn, const char *name);
PORTER_SUSPENDING(take_turn, decide, (int turn, const char *name), (turn, name));

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  int context = 42;
  Fiber *fiber = new_fiber(0);
  switch_fiber(&home, prepare_fiber(*fiber, entry, &context, leave));
  take_turn(1, "main");
  take_turn(2, "main");
  puts("home");
}
