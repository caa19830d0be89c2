// The types of elements as HIP's libraries name them.
#pragma once
#pragma GCC system_header

typedef enum hipDataType {
#define PORTER_DATA_TYPE(name, value) HIP_##name = value,
#include "porter_sim/libraries/data_types.h"
#undef PORTER_DATA_TYPE
} hipDataType;

typedef enum hipLibraryPropertyType {
  HIP_LIBRARY_MAJOR_VERSION,
  HIP_LIBRARY_MINOR_VERSION,
  HIP_LIBRARY_PATCH_LEVEL
} hipLibraryPropertyType;
