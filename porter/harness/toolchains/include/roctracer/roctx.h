// porter's own roctracer/roctx.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/roctx.toml. It is searched after every real header.
#pragma once

#include <stdint.h>
#define ROCTX_H_

typedef uint64_t roctx_range_id_t;
#define roctxMark roctxMarkA
#define roctxRangePush roctxRangePushA
#define roctxRangeStart roctxRangeStartA

extern "C" {
void roctxMarkA(const char*);
int roctxRangePushA(const char*);
int roctxRangePop();
roctx_range_id_t roctxRangeStartA(const char*);
void roctxRangeStop(roctx_range_id_t);
}
