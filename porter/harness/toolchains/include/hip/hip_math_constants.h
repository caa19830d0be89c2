// porter's own minimal hip_math_constants.h: the constants that the name tables map to. It is searched after every real
// header, and a build that used it says so.
#pragma once

#define HIP_INF __builtin_huge_val()
#define HIP_INF_F __builtin_huge_valf()
#define HIP_L2E 1.4426950408889634
#define HIP_L2E_F 1.442695f
#define HIP_LN2 0.6931471805599453
#define HIP_LN2_F 0.6931472f
#define HIP_MAX_NORMAL_F 3.402823466385288598e38f
#define HIP_MIN_DENORM_F 1.401298464324817071e-45f
#define HIP_NAN __builtin_nan("")
#define HIP_NAN_F __builtin_nanf("")
#define HIP_NEG_ZERO_F -0.0f
#define HIP_ONE_F 1.0f
#define HIP_PI 3.141592653589793
#define HIP_PIO2 1.5707963267948966
#define HIP_PIO2_F 1.5707964f
#define HIP_PIO4 0.7853981633974483
#define HIP_PIO4_F 0.7853982f
#define HIP_PI_F 3.1415927f
#define HIP_SQRT_HALF_F 0.70710677f
#define HIP_SQRT_TWO_F 1.4142135f
#define HIP_ZERO_F 0.0f
