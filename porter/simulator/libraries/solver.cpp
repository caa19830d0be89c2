// cuSOLVER and hipSOLVER for dense matrices over LAPACK: every function of solver_functions.h.
#ifdef PORTER_SIM_HIP
#include "hipsolver/hipsolver.h"
#define PORTER_SOLVER_CONSTANT(name) HIPSOLVER_##name
#define PORTER_SHAPE_CONSTANT(name) HIPBLAS_##name
#else
#include "cusolverDn.h"
#define PORTER_SOLVER_CONSTANT(name) CUSOLVER_##name
#define PORTER_SHAPE_CONSTANT(name) CUBLAS_##name
#endif

#include "grid.h"
#include "solver/factor.h"
#include "solver/spectrum.h"

namespace porter_sim::solver {

using Status = PORTER_SOLVER_STATUS;

Status status_of(Code code) {
  switch (code) {
    case Code::success: return PORTER_SOLVER_CONSTANT(STATUS_SUCCESS);
    case Code::not_initialized: return PORTER_SOLVER_CONSTANT(STATUS_NOT_INITIALIZED);
    case Code::not_supported: return PORTER_SOLVER_CONSTANT(STATUS_NOT_SUPPORTED);
    case Code::allocation_failed: return PORTER_SOLVER_CONSTANT(STATUS_ALLOC_FAILED);
    case Code::execution_failed: return PORTER_SOLVER_CONSTANT(STATUS_EXECUTION_FAILED);
    case Code::mapping_error: return PORTER_SOLVER_CONSTANT(STATUS_MAPPING_ERROR);
    case Code::internal_error: return PORTER_SOLVER_CONSTANT(STATUS_INTERNAL_ERROR);
    case Code::invalid_enum:
    case Code::invalid_value: break;
  }
  return PORTER_SOLVER_CONSTANT(STATUS_INVALID_VALUE);
}

// LAPACK's letters.
char as_core(PORTER_SOLVER_OPERATION value) {
  if (value == PORTER_SHAPE_CONSTANT(OP_N)) return 'N';
  if (value == PORTER_SHAPE_CONSTANT(OP_T)) return 'T';
  require(value == PORTER_SHAPE_CONSTANT(OP_C));
  return 'C';
}
char as_core(PORTER_SOLVER_FILL value) {
  if (value == PORTER_SHAPE_CONSTANT(FILL_MODE_UPPER)) return 'U';
  require(value == PORTER_SHAPE_CONSTANT(FILL_MODE_LOWER));
  return 'L';
}
char as_core(PORTER_SOLVER_SIDE value) {
  if (value == PORTER_SHAPE_CONSTANT(SIDE_LEFT)) return 'L';
  require(value == PORTER_SHAPE_CONSTANT(SIDE_RIGHT));
  return 'R';
}
Vectors as_core(PORTER_SOLVER_EIG_MODE value) {
  if (value == PORTER_SOLVER_CONSTANT(EIG_MODE_NOVECTOR)) return Vectors::none;
  require(value == PORTER_SOLVER_CONSTANT(EIG_MODE_VECTOR));
  return Vectors::all;
}
using ::porter_sim::as_core;

template <class Core, class... A>
Status invoke(const char *name, const void *return_address, Core core, A... arguments) {
  if (sticky_error()) return status_of(Code::execution_failed);
  try {
    core(Call(name, return_address, false), as_core(arguments)...);
  } catch (const Refusal &refusal) {
    return status_of(refusal.code);
  }
  return status_of(Code::success);
}

}  // namespace porter_sim::solver

#define PORTER_TEXT_(name) #name
#define PORTER_TEXT(name) PORTER_TEXT_(name)
#define PORTER_SOLVER_FUNCTION(name, core, parameters, ...)                                           \
  extern "C" PORTER_SOLVER_STATUS name parameters {                                                   \
    using porter_sim::Call;                                                                           \
    return porter_sim::solver::invoke(                                                                \
        PORTER_TEXT(name), __builtin_return_address(0),                                               \
        [](const Call &call, auto... a) { porter_sim::solver::core(call, a...); }, __VA_ARGS__);      \
  }
#include "porter_sim/libraries/solver_functions.h"
