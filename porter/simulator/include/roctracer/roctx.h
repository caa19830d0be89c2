// rocTX: names for profilers. There is none here, so a range is nothing but its nesting level.
#pragma once
#pragma GCC system_header

#include <stdint.h>

typedef uint64_t roctx_range_id_t;

static __thread int porter_range_level;
static inline int roctxRangePushA(const char *name) { return (void)name, porter_range_level++; }
static inline int roctxRangePop(void) { return porter_range_level > 0 ? --porter_range_level : -1; }
static inline roctx_range_id_t roctxRangeStartA(const char *name) { return (void)name, 1; }
static inline void roctxRangeStop(roctx_range_id_t id) { (void)id; }
static inline void roctxMarkA(const char *name) { (void)name; }
#define roctxRangePush roctxRangePushA
#define roctxRangeStart roctxRangeStartA
#define roctxMark roctxMarkA
