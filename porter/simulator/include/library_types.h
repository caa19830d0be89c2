// The types of elements as CUDA's libraries name them.
#pragma once
#pragma GCC system_header

#ifndef __LIBRARY_TYPES_H__
#define __LIBRARY_TYPES_H__
#endif

typedef enum cudaDataType_t {
#define PORTER_DATA_TYPE(name, value) CUDA_##name = value,
#include "porter_sim/libraries/data_types.h"
#undef PORTER_DATA_TYPE
} cudaDataType;

typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
