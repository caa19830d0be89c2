// cuBLAS and hipBLAS over OpenBLAS: every function of blas_functions.h, defined as a call of porter's own.
#ifdef PORTER_SIM_HIP
#include "hipblas/hipblas.h"
#define PORTER_BLAS_CONSTANT(name) HIPBLAS_##name
#else
#include "cublas_v2.h"
#define PORTER_BLAS_CONSTANT(name) CUBLAS_##name
#endif

#include "blas/handle.h"
#include "blas/level1.h"
#include "grid.h"

namespace porter_sim::blas {

using Status = PORTER_BLAS(Status_t);

Status status_of(Code code) {
  switch (code) {
    case Code::success: return PORTER_BLAS_CONSTANT(STATUS_SUCCESS);
    case Code::not_initialized: return PORTER_BLAS_CONSTANT(STATUS_NOT_INITIALIZED);
    case Code::not_supported: return PORTER_BLAS_CONSTANT(STATUS_NOT_SUPPORTED);
    case Code::allocation_failed: return PORTER_BLAS_CONSTANT(STATUS_ALLOC_FAILED);
    case Code::execution_failed: return PORTER_BLAS_CONSTANT(STATUS_EXECUTION_FAILED);
    case Code::mapping_error: return PORTER_BLAS_CONSTANT(STATUS_MAPPING_ERROR);
    case Code::internal_error: return PORTER_BLAS_CONSTANT(STATUS_INTERNAL_ERROR);
#ifdef PORTER_SIM_HIP
    case Code::invalid_enum: return HIPBLAS_STATUS_INVALID_ENUM;
#else
    case Code::invalid_enum:
#endif
    case Code::invalid_value: break;
  }
  return PORTER_BLAS_CONSTANT(STATUS_INVALID_VALUE);
}

template <class Body>
Status answer(Body body) {
  if (sticky_error()) return status_of(Code::execution_failed);
  try {
    body();
  } catch (const Refusal &refusal) {
    return status_of(refusal.code);
  }
  return status_of(Code::success);
}

// A call through a handle, and the one that makes it.
template <class Core, class... A>
Status invoke(PORTER_BLAS(Handle_t) handle, const char *name, const void *return_address, Core core, A... arguments) {
  if (!handle) return status_of(Code::not_initialized);
  return answer([&] {
    core(BlasCall(name, return_address, reinterpret_cast<Handle *>(handle)), as_core(arguments)...);
  });
}
template <class Core, class... A>
Status invoke(PORTER_BLAS(Handle_t) * handle, const char *name, const void *return_address, Core core, A...) {
  return answer([&] { core(BlasCall(name, return_address, nullptr), reinterpret_cast<void **>(handle)); });
}

}  // namespace porter_sim::blas

#define PORTER_TEXT_(name) #name
#define PORTER_TEXT(name) PORTER_TEXT_(name)
#define PORTER_BLAS_FUNCTION(name, core, parameters, ...)                                                      \
  extern "C" PORTER_BLAS(Status_t) name parameters {                                                           \
    using namespace porter_sim::blas;                                                                          \
    return invoke(                                                                                             \
        handle, PORTER_TEXT(name), __builtin_return_address(0),                                                \
        [](const BlasCall &call, auto... a) { porter_sim::blas::core(call, a...); }, __VA_ARGS__);             \
  }
#include "porter_sim/libraries/blas_functions.h"
