#pragma once
#include "porter_sim/ranges.h"
