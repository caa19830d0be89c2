#pragma once
#include "porter_libc.h"
#include "porter_math.h"
