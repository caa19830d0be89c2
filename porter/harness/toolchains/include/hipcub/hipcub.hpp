// porter's own minimal hipcub.hpp: hipCUB's warp and block primitives, written plainly so that they compile for AMD
// GPUs, and declarations of its device-wide functions. It is searched after every real header, and a build that used it
// says so; the registers and LDS of such a build are not those of hipCUB's own code.
#pragma once

#include <hip/hip_runtime.h>

#include <hipcub/porter_operators.hpp>
#include <hipcub/porter_warp.hpp>
#include <hipcub/porter_block.hpp>
#include <hipcub/porter_device.hpp>
