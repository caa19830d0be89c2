#pragma once
#include "porter_libc.h"
