// porter's own hipsparse.h.
#pragma once
#include <hipsparse/hipsparse.h>
