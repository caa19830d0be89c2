// The runtime library's functions, spelled without a vendor. The faces give them their names.
#pragma once

#include "porter_sim/launch.h"

namespace porter_sim {

// Put before a runtime call whose status the program throws away, when that is checked.
struct Ignored {
  Ignored();
  ~Ignored();
};

namespace api {

int malloc_device(void **out, size_t bytes, int kind);
int free_device(void *address);
int free_host(void *address);
int register_host(void *address, size_t bytes);
int unregister_host(void *address);
int copy(void *to, const void *from, size_t bytes, int direction);
int copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int direction);
int fill(void *to, int value, size_t bytes);
int fill_2d(void *to, size_t pitch, int value, size_t width, size_t height);
int symbol_address(void **out, const void *symbol);
int copy_to_symbol(void *symbol, const void *from, size_t bytes, size_t offset, int direction);
int copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int direction);

int get_last_error();
int peek_last_error();
// Reports a call that the simulator does not do, and answers that it is not supported.
int refuse(const char *function, const char *reason, const char *file, int line);
int fail(int status);
const char *error_text(int status);
int synchronise();

int pool_create(void **out);
int pool_destroy(void *pool);
void *pool_of_device(bool standard);
int pool_select(void *pool);
int pool_allocate(void **out, size_t bytes, void *pool);
void pool_forget(const void *address);
int pool_set(void *pool, int attribute, const void *value);
int pool_get(void *pool, int attribute, void *value);

int memory_info(size_t *free_bytes, size_t *total_bytes);
int occupancy(int *blocks, int block_size, size_t shared_bytes);
void raise_shared_limit(int bytes);
int select_device(int device);
int device_count();
inline bool has_device(int device) { return device >= 0 && device < device_count(); }
int invalid_device();
int current_device();
int reset();
int pointer_kind(const void *address, void **start);

}  // namespace api

// What device properties are filled from; see runtime/device.h.
struct DeviceFigures {
  char name[256];
  char architecture[256];
  int major, minor, multiprocessors, threads_per_block, threads_per_multiprocessor, registers, clock_khz;
  int blocks_per_multiprocessor;
  size_t shared_per_block, shared_per_block_optin, shared_per_multiprocessor, memory, l2;
};
void device_figures(DeviceFigures &out);

struct SymbolRegistration {
  SymbolRegistration(const char *name, const volatile void *address, size_t bytes, bool managed,
                     TypeSpelling element);
};

}  // namespace porter_sim
