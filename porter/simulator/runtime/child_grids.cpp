#include "child_grids.h"

#include <pthread.h>

#include <vector>

#include "block.h"
#include "errors.h"
#include "grid.h"
#include "status.h"

namespace porter_sim {

namespace {

constexpr int deepest = 24;  // levels of nesting, as the hardware has it

// A thread that runs child grids for a parent that waits. It has a worker of its own, so the parent's block stays as
// it is; it is kept for the next child.
struct Runner {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  const LaunchRequest *request = nullptr;
  int depth = 0;
};

pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
std::vector<Runner *> idle;
std::vector<Work> tail_launches;
PORTER_TLS int depth;
PORTER_TLS bool draining;
PORTER_TLS bool doing_issued;

void *run_children(void *argument) {
  auto &runner = *static_cast<Runner *>(argument);
  pthread_mutex_lock(&runner.lock);
  while (true) {
    while (!runner.request) pthread_cond_wait(&runner.changed, &runner.lock);
    depth = runner.depth;
    run_grid_here(*runner.request, program_schedule_seed());
    runner.request = nullptr;
    pthread_cond_signal(&runner.changed);
  }
}

Runner *new_runner() {
  auto *runner = new Runner;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run_children, runner) != 0) fatal("no thread for a grid launched by a kernel");
  pthread_detach(thread);
  return runner;
}

Runner *take_runner() {
  pthread_mutex_lock(&idle_lock);
  Runner *runner = idle.empty() ? nullptr : idle.back();
  if (runner) idle.pop_back();
  pthread_mutex_unlock(&idle_lock);
  return runner ? runner : new_runner();
}

void run_elsewhere(const LaunchRequest &request) {
  Runner *runner = take_runner();
  pthread_mutex_lock(&runner->lock);
  runner->request = &request;
  runner->depth = depth + 1;
  pthread_cond_signal(&runner->changed);
  while (runner->request) pthread_cond_wait(&runner->changed, &runner->lock);
  pthread_mutex_unlock(&runner->lock);
  pthread_mutex_lock(&idle_lock);
  idle.push_back(runner);
  pthread_mutex_unlock(&idle_lock);
}

// Does what is kept, in its order; a failure is the last error of the device code that asks.
void do_kept(std::vector<Work> &kept) {
  std::vector<Work> now;
  now.swap(kept);
  for (Work &work : now) set_last_error(work());
}

}  // namespace

int launch_child(const LaunchRequest &request) {
  if (depth + 1 > deepest) return set_last_error(status_launch_max_depth);
  if (int status = validate_launch(request)) return status;
  if (in_kernel() || doing_issued) {
    run_elsewhere(request);
    if (running_status() && in_kernel()) abort_block();
  } else {
    run_grid_here(request, program_schedule_seed());
  }
  return running_status();
}

int issue_child(const LaunchRequest &request, Work work) {
  if (depth + 1 > deepest) return set_last_error(status_launch_max_depth);
  if (int status = validate_launch(request)) return status;
  return issue_work(std::move(work));
}

int issue_work(Work work) {
  if (program_schedule_seed()) return work();
  running_block->issued.push_back(std::move(work));
  return status_success;
}

void run_issued(Block &block) {
  doing_issued = true;
  while (!block.issued.empty() && !running_status()) do_kept(block.issued);
  doing_issued = false;
}

void wait_for_issued() {
  do_kept(running_block->issued);
}

bool doing_issued_work() { return doing_issued; }

void keep_tail_launch(Work work) {
  pthread_mutex_lock(&idle_lock);
  tail_launches.push_back(std::move(work));
  pthread_mutex_unlock(&idle_lock);
}

void run_tail_launches() {
  draining = true;
  while (!tail_launches.empty() && !running_status()) do_kept(tail_launches);
  tail_launches.clear();
  draining = false;
}

bool running_tail_launches() { return draining; }

}  // namespace porter_sim
