#pragma once

#include "nccl.h"
