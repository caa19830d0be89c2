#pragma once
#include "porter_cub.h"
