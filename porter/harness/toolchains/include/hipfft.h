// porter's own hipfft.h.
#pragma once
#include <hipfft/hipfft.h>
