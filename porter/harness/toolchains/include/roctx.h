// porter's own roctx.h.
#pragma once
#include <roctracer/roctx.h>
