#include "checks.h"

#include <stdlib.h>
#include <string.h>

namespace porter_sim {

unsigned chosen_checks() {
  static const unsigned chosen = [] {
    const char *text = getenv("PORTER_SIM_CHECKS");
    unsigned found = 0;
    const char *names[] = {"memory", "race", "init", "alignment", "api", "leaks", "shift"};
    for (unsigned i = 0; text && i < 7; ++i) {
      if (strstr(text, names[i])) found |= 1u << i;
    }
    return found;
  }();
  return chosen;
}

}  // namespace porter_sim
