// What suspends threads, as one unit: a lane that waits in a collective switches away without a call.
#include "block.cpp"
#include "collectives.cpp"
#include "waiting.cpp"
