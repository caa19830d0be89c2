#include "grid.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "block.h"
#include "capture.h"
#include "check_access.h"
#include "child_grids.h"
#include "device.h"
#include "launch_order.h"
#include "memory.h"
#include "overrun.h"
#include "status.h"

namespace porter_sim {

namespace {

constexpr unsigned long long most_fibers = 16384;

struct Job {
  const LaunchRequest *request;
  std::atomic<unsigned long long> next_block;
  unsigned long long blocks;
  unsigned long long chunk;
  const unsigned *thread_order;
  unsigned long long seed;
};

struct Pool {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  Job *job = nullptr;
  unsigned long long generation = 0;
  unsigned size = 0;  // helpers started
  unsigned busy = 0;
};

Pool pool;
pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> launch_status{0};
std::atomic<int> sticky{0};
char kernel_name[256] = "";
Place launch_place{"", 0};
PORTER_TLS int last_error;
PORTER_TLS bool status_returned;
PORTER_TLS Block *own_block;

unsigned worker_count() {
  static const unsigned count = [] {
    const char *text = getenv("PORTER_SIM_THREADS");
    long wanted = text && *text ? atol(text) : sysconf(_SC_NPROCESSORS_ONLN);
    return unsigned(std::clamp(wanted, 1l, 64l));
  }();
  return count;
}

void ensure_worker() {
  if (worker) return;
  worker = make_worker();
  own_block = make_block();
  give_signal_stack();
}

uint3 block_index(unsigned long long linear) {
  unsigned long long row = linear / gridDim.x;
  return {unsigned(linear % gridDim.x), unsigned(row % gridDim.y), unsigned(row / gridDim.y)};
}

bool goes_on() { return launch_status.load(std::memory_order_relaxed) == 0; }

// Blocks of one worker that are alive at once and take turns.
class Turns {
 public:
  explicit Turns(Job &job) : job_(job) {}
  bool empty() const { return blocks_.empty(); }
  // No more blocks than the system maps stacks for.
  bool full() const { return (blocks_.size() + 1) * threads_of(job_) > most_fibers / 2; }
  void add(Block *block) { blocks_.push_back({block, false}); }
  // Gives each block one turn, and opens the grid barrier when all that are left wait there.
  void take() {
    bool moved = false;
    for (Turn &turn : blocks_) {
      if (turn.at_grid) continue;
      Yield yield = run_block(*turn.block);
      settle_shared_writes();
      run_issued(*turn.block);
      turn.at_grid = yield == Yield::at_grid_barrier;
      moved = moved || yield != Yield::paused || has_moved(*turn.block);
      if (yield == Yield::finished) delete_block(std::exchange(turn.block, nullptr));
      if (!goes_on()) return;
    }
    worker->block = own_block;
    blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(), [](const Turn &turn) { return !turn.block; }),
                  blocks_.end());
    release_when_all_wait();
    if (!moved) sched_yield();
  }
  void abandon() {
    for (Turn &turn : blocks_) {
      if (!turn.block) continue;
      forget_threads(*turn.block);
      delete_block(turn.block);
    }
    blocks_.clear();
  }

 private:
  struct Turn {
    Block *block;
    bool at_grid;
  };
  static unsigned long long threads_of(const Job &job) {
    const dim3 &b = job.request->configuration.block;
    return 1ull * b.x * b.y * b.z;
  }
  void release_when_all_wait() {
    for (const Turn &turn : blocks_) {
      if (!turn.at_grid) return;
    }
    for (Turn &turn : blocks_) {
      release_grid_barrier(*turn.block);
      turn.at_grid = false;
    }
  }

  Job &job_;
  std::vector<Turn> blocks_;
};

// A block that waits for another one, which may not have started yet, is set aside for a while.
void run_blocks(Job &job) {
  Turns set_aside(job);
  bool some_left = true;
  while (goes_on() && (some_left || !set_aside.empty())) {
    if (!set_aside.empty()) set_aside.take();
    if (!some_left || set_aside.full() || !goes_on()) continue;
    unsigned long long first = job.next_block.fetch_add(job.chunk);
    some_left = first < job.blocks;
    for (unsigned long long at = first; at < std::min(first + job.chunk, job.blocks) && goes_on(); ++at) {
      begin_block(*own_block, block_index(permuted_block(job.blocks, job.seed, at)), *job.request, job.thread_order);
      Yield yield = run_block(*own_block);
      settle_shared_writes();
      run_issued(*own_block);
      if (yield == Yield::finished) continue;
      set_aside.add(std::exchange(own_block, make_block()));
    }
  }
  set_aside.abandon();
}

// All blocks are alive at once and take turns at the grid barrier.
void run_cooperative(Job &job) {
  Turns turns(job);
  for (unsigned long long at = 0; at < job.blocks; ++at) {
    Block *block = make_block();
    begin_block(*block, block_index(at), *job.request, job.thread_order);
    turns.add(block);
  }
  while (goes_on() && !turns.empty()) turns.take();
  turns.abandon();
}

void work(Job &job) {
  ensure_worker();
  blockDim = job.request->configuration.block;
  gridDim = job.request->configuration.grid;
  worker->random = 0x9e3779b97f4a7c15ull ^ (job.seed * 0x2545f4914f6cdd1dull);
  if (sigsetjmp(worker->abort_point, 1) == 0) {
    job.request->cooperative ? run_cooperative(job) : run_blocks(job);
  } else {
    report_pending_fault();
    if (launch_status == 0) launch_status = status_launch_failure;
  }
}

void *helper(void *) {
  unsigned long long seen = 0;
  pthread_mutex_lock(&pool.lock);
  while (true) {
    while (pool.generation == seen || !pool.job) pthread_cond_wait(&pool.wake, &pool.lock);
    seen = pool.generation;
    Job *job = pool.job;
    ++pool.busy;
    pthread_mutex_unlock(&pool.lock);
    work(*job);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0) pthread_cond_signal(&pool.done);
  }
}

void start_helpers() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  while (pool.size + 1 < worker_count()) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, helper, nullptr) != 0) break;
    ++pool.size;
  }
  pthread_attr_destroy(&attributes);
}

void run_shared(Job &job) {
  pthread_mutex_lock(&pool.lock);
  start_helpers();
  pool.job = &job;
  ++pool.generation;
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
  work(job);
  pthread_mutex_lock(&pool.lock);
  pool.job = nullptr;
  while (pool.busy) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

bool is_small(const Job &job, unsigned threads) { return job.blocks == 1 || job.blocks * threads < 1024; }

void copy_kernel_name(const char *written) {
  snprintf(kernel_name, sizeof kernel_name, "%s", plain_kernel_name(written).c_str());
}

// What the GPU holds, and no more fibers than the system maps stacks for.
unsigned long long resident_threads() {
  return std::min(1ull * device().multiprocessors * device().threads_per_multiprocessor, most_fibers);
}

int refuse(int status, const LaunchRequest &request, const char *reason) {
  report_refusal(plain_kernel_name(request.kernel).c_str(), {request.file, request.line}, status_returned, reason);
  return set_last_error(status);
}

}  // namespace

const char *running_kernel() { return kernel_name; }
Place running_launch_place() { return launch_place; }

StatusReturned::StatusReturned() { status_returned = true; }
StatusReturned::~StatusReturned() { status_returned = false; }

void set_launch_status(int status) {
  int none = 0;
  launch_status.compare_exchange_strong(none, status);
}

int set_last_error(int status) {
  if (status) last_error = status;
  return status;
}
int peek_last_error() { return sticky ? sticky.load() : last_error; }
int take_last_error() {
  int status = peek_last_error();
  last_error = 0;
  return status;
}
int sticky_error() { return sticky; }
void set_sticky_error(int status) {
  sticky = status;
  set_last_error(status);
}

void forget_workers() {
  pool = Pool{};
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  launch_lock = fresh;
}

unsigned long long program_schedule_seed() {
  static const unsigned long long seed = [] {
    const char *text = getenv("PORTER_SIM_SCHEDULE");
    return text && *text ? strtoull(text, nullptr, 10) : 0ull;
  }();
  return seed;
}

namespace {

void describe_job(Job &job, const LaunchRequest &request, const ThreadOrder &order, unsigned long long seed) {
  const dim3 &g = request.configuration.grid;
  job.request = &request;
  job.blocks = 1ull * g.x * g.y * g.z;
  job.chunk = std::clamp(job.blocks / (worker_count() * 16ull), 1ull, 64ull);
  job.thread_order = order.data();
  job.seed = seed;
}

}  // namespace

void run_grid_here(const LaunchRequest &request, unsigned long long seed) {
  const ThreadOrder order = thread_order(request, seed);
  Job job{};
  describe_job(job, request, order, seed);
  work(job);
}

namespace {

int run_job(const LaunchRequest &request, unsigned long long seed, void (*ready)(), bool alone) {
  const dim3 &b = request.configuration.block;
  unsigned threads = b.x * b.y * b.z;
  const ThreadOrder order = thread_order(request, seed);
  Job job{};
  describe_job(job, request, order, seed);
  launch_status = 0;
  check_launch_begins(request);
  install_fault_handler();
  ready();
  if (alone || request.cooperative || worker_count() == 1 || is_small(job, threads)) {
    work(job);
  } else {
    run_shared(job);
  }
  run_tail_launches();
  return launch_status;
}

}  // namespace

int run_grid(const LaunchRequest &request, unsigned long long seed) {
  return run_job(request, seed, [] {}, false);
}

void run_alone(const LaunchRequest &request, unsigned long long seed, void (*ready)()) {
  run_job(request, seed, ready, true);
}

int running_status() { return launch_status; }

int validate_launch(const LaunchRequest &request) {
  const dim3 &g = request.configuration.grid, &b = request.configuration.block;
  unsigned long long threads = 1ull * b.x * b.y * b.z;
  if (!g.x || !g.y || !g.z || !threads) {
    return refuse(status_invalid_configuration, request, "a dimension of the grid or block is zero");
  }
  if (threads > unsigned(device().threads_per_block) || b.z > (PORTER_SIM_LANES == 64 ? 1024u : 64u)) {
    return refuse(status_invalid_configuration, request, "too many threads in a block");
  }
  if (g.x > 2147483647u || g.y > 65535u * (PORTER_SIM_LANES == 64 ? 32768u : 1u) || g.z > 65535u * (PORTER_SIM_LANES == 64 ? 32768u : 1u)) {
    return refuse(status_invalid_configuration, request, "the grid is too large");
  }
#ifdef PORTER_SIM_HIP
  if (1ull * g.x * b.x >= 1ull << 32 || 1ull * g.y * b.y >= 1ull << 32 || 1ull * g.z * b.z >= 1ull << 32) {
    return refuse(status_invalid_configuration, request, "grid times block reaches 2^32 threads in a dimension");
  }
#endif
  if (request.cooperative && 1ull * g.x * g.y * g.z * threads > resident_threads()) {
    return refuse(status_cooperative_too_large, request, "more threads than are resident at once");
  }
  if (request.configuration.shared_bytes > dynamic_shared_limit(request)) {
    return refuse(status_invalid_value, request, "more dynamic shared memory than the kernel may use");
  }
  return 0;
}

int launch(const LaunchRequest &request) {
  if (in_kernel() || doing_issued_work() || running_tail_launches()) return launch_child(request);
  if (sticky_error()) return set_last_error(sticky_error());
  pthread_mutex_lock(&launch_lock);
  int status = validate_launch(request);
  if (!status) {
    copy_kernel_name(request.kernel);
    launch_place = {request.file, request.line};
    status = observe_launch(request);
    report_overruns(request);
    if (status) set_sticky_error(status);
  }
  pthread_mutex_unlock(&launch_lock);
  return status;
}

}  // namespace porter_sim
