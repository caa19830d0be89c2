#pragma once
#include "hip/hip_bf16.h"
struct hip_bfloat16 : __hip_bfloat16 {
  using __hip_bfloat16::__hip_bfloat16;
};
