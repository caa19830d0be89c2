// The BLAS library's functions under the names of the face that includes this.
#define PORTER_BLAS_FUNCTION(name, core, parameters, ...) extern "C" PORTER_BLAS(Status_t) name parameters;
#define PORTER_BLAS_PLAIN(name, core, parameters, ...) extern "C" PORTER_BLAS(Status_t) name parameters;
#include "porter_sim/libraries/blas_functions.h"
#undef PORTER_BLAS_FUNCTION
#undef PORTER_BLAS_PLAIN
