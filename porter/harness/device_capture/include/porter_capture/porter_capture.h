// Included before the first line of every file of a program that is captured on an NVIDIA GPU.
#pragma once

#include "porter_capture/api.h"
