// From an instruction to its source line, out of the program's own DWARF line table (versions 2 to 4).
#pragma once

namespace porter_sim {

struct SourceLine {
  const char *file;  // null when unknown; otherwise kept for good
  int line;
};

// The user's line of `instruction`. Where that lies in the simulator's or the system's own code, the nearest user
// line before it, or that of the first return address on `stack` (up to `stack_end`) which has one.
SourceLine source_line(const void *instruction, const void *stack, const void *stack_end);

// The user's line of the call that returns to `return_address`; when it lies in other code, that of the nearest
// caller by the frame pointers from `frame` (of the function that was called) on.
SourceLine line_of_call(const void *return_address, const void *frame);

// The return addresses from a frame on, kept until somebody asks for their line.
struct CallChain {
  const void *callers[8];
};
CallChain callers_of(const void *frame);
// The innermost line that is the user's.
SourceLine line_of(const CallChain &chain);

}  // namespace porter_sim
