// Running a launch: validation, the workers, and what the launch left behind.
#pragma once

#include "errors.h"
#include "porter_sim/launch.h"

namespace porter_sim {

const char *running_kernel();
Place running_launch_place();
// What the running launch, and from then on the program, answers.
void set_launch_status(int status);
// Runs the blocks and returns the launch's status; neither validates nor captures.
int run_grid(const LaunchRequest &request, unsigned long long schedule_seed);
// Runs all blocks on the calling thread, as part of the launch that is running.
void run_grid_here(const LaunchRequest &request, unsigned long long schedule_seed);
// The status of the running launch so far.
int running_status();
// The same on the calling thread alone; `ready` is called right before the first block.
void run_alone(const LaunchRequest &request, unsigned long long schedule_seed, void (*ready)());
// Zero, or the status with which the launch is refused; says why.
int validate_launch(const LaunchRequest &request);
unsigned long long program_schedule_seed();
// In a forked child: the workers of the parent are not here.
void forget_workers();

// Last error of the calling thread, and the one that no later call clears.
int take_last_error();
int peek_last_error();
int set_last_error(int status);
// While there is one, a refused launch's status is what the program's call returns.
struct StatusReturned {
  StatusReturned();
  ~StatusReturned();
};
int sticky_error();
// From now on every call answers `status`, as after a kernel that failed.
void set_sticky_error(int status);

}  // namespace porter_sim
