// The sparse library under the names of the face that includes this.
#include "porter_sim/libraries/sparse_types.h"
#include "porter_sim/libraries/sparse_matrix_description.h"
#include "porter_sim/libraries/single.h"
#define PORTER_SPARSE_FUNCTION(name, core, parameters, ...) extern "C" PORTER_SPARSE(Status_t) name parameters;
#include "porter_sim/libraries/sparse_functions.h"
#undef PORTER_SPARSE_FUNCTION

inline const char *PORTER_SPARSE(GetErrorName)(PORTER_SPARSE(Status_t) status) {
#define PORTER_TEXT_(name) #name
#define PORTER_TEXT(name) PORTER_TEXT_(name)
#define PORTER_CASE(name) \
  case PORTER_SPARSE_CONSTANT(name): return PORTER_TEXT(PORTER_SPARSE_CONSTANT(name));
  switch (status) {
    PORTER_CASE(STATUS_SUCCESS)
    PORTER_CASE(STATUS_NOT_INITIALIZED)
    PORTER_CASE(STATUS_ALLOC_FAILED)
    PORTER_CASE(STATUS_INVALID_VALUE)
    PORTER_CASE(STATUS_ARCH_MISMATCH)
    PORTER_CASE(STATUS_MAPPING_ERROR)
    PORTER_CASE(STATUS_EXECUTION_FAILED)
    PORTER_CASE(STATUS_INTERNAL_ERROR)
    PORTER_CASE(STATUS_MATRIX_TYPE_NOT_SUPPORTED)
    PORTER_CASE(STATUS_ZERO_PIVOT)
    PORTER_CASE(STATUS_NOT_SUPPORTED)
    PORTER_CASE(STATUS_INSUFFICIENT_RESOURCES)
  }
#undef PORTER_CASE
#undef PORTER_TEXT
#undef PORTER_TEXT_
  return "unrecognized error code";
}
inline const char *PORTER_SPARSE(GetErrorString)(PORTER_SPARSE(Status_t) status) {
  return PORTER_SPARSE(GetErrorName)(status);
}
