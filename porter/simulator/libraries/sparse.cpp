// cuSPARSE's and hipSPARSE's generic interface: every function of sparse_functions.h, as plain loops.
#ifdef PORTER_SIM_HIP
#include "hipsparse/hipsparse.h"
#else
#include "cusparse.h"
#endif

#include "grid.h"
#include "sparse/conversions.h"
#include "sparse/triangular.h"

namespace porter_sim::sparse {

using Status = PORTER_SPARSE(Status_t);

Status status_of(Code code) {
  switch (code) {
    case Code::success: return PORTER_SPARSE_CONSTANT(STATUS_SUCCESS);
    case Code::not_initialized: return PORTER_SPARSE_CONSTANT(STATUS_NOT_INITIALIZED);
    case Code::not_supported: return PORTER_SPARSE_CONSTANT(STATUS_NOT_SUPPORTED);
    case Code::allocation_failed: return PORTER_SPARSE_CONSTANT(STATUS_ALLOC_FAILED);
    case Code::execution_failed: return PORTER_SPARSE_CONSTANT(STATUS_EXECUTION_FAILED);
    case Code::mapping_error: return PORTER_SPARSE_CONSTANT(STATUS_MAPPING_ERROR);
    case Code::zero_pivot: return PORTER_SPARSE_CONSTANT(STATUS_ZERO_PIVOT);
    case Code::internal_error: return PORTER_SPARSE_CONSTANT(STATUS_INTERNAL_ERROR);
    case Code::invalid_enum:
    case Code::invalid_value: break;
  }
  return PORTER_SPARSE_CONSTANT(STATUS_INVALID_VALUE);
}

Operation as_core(PORTER_SPARSE(Operation_t) value) {
  require(int(value) >= 0 && int(value) <= 2);
  return Operation(int(value));
}
Index as_core(PORTER_SPARSE(IndexType_t) value) { return Index(int(value)); }
int as_core(PORTER_SPARSE(IndexBase_t) value) { return int(value); }
Element as_core(PORTER_SPARSE_DATA_TYPE value) { return Element(int(value)); }
bool as_core(PORTER_SPARSE(Order_t) value) { return value == PORTER_SPARSE_CONSTANT(ORDER_ROW); }
#ifdef PORTER_SIM_HIP
void *as_core(hipStream_t stream) { return stream; }
void **as_core(hipStream_t *stream) { return reinterpret_cast<void **>(stream); }
#else
void *as_core(cudaStream_t stream) { return stream; }
void **as_core(cudaStream_t *stream) { return reinterpret_cast<void **>(stream); }
#endif
#define PORTER_AS_DESCRIPTOR(Face, Core)                                                                    \
  Core *as_core(PORTER_SPARSE(Face) * p) { return reinterpret_cast<Core *>(p); }                            \
  const Core *as_core(const PORTER_SPARSE(Face) * p) { return reinterpret_cast<const Core *>(p); }          \
  Core **as_core(PORTER_SPARSE(Face) * *p) { return reinterpret_cast<Core **>(p); }
PORTER_AS_DESCRIPTOR(Context, Handle)
PORTER_AS_DESCRIPTOR(SpVecDescr, SparseVector)
PORTER_AS_DESCRIPTOR(DnVecDescr, DenseVector)
PORTER_AS_DESCRIPTOR(SpMatDescr, SparseMatrix)
PORTER_AS_DESCRIPTOR(DnMatDescr, DenseMatrix)
PORTER_AS_DESCRIPTOR(SpSVDescr, VectorSolve)
PORTER_AS_DESCRIPTOR(SpSMDescr, MatrixSolve)
#undef PORTER_AS_DESCRIPTOR
Factorisation *as_core(csrilu02Info_t p) { return reinterpret_cast<Factorisation *>(p); }
Factorisation **as_core(csrilu02Info_t *p) { return reinterpret_cast<Factorisation **>(p); }
using ::porter_sim::as_core;

// The first argument is a handle, which must be one, or anything else.
inline Handle *handle_in(Handle *handle) {
  require(handle != nullptr, Code::not_initialized);
  return handle;
}
template <class T>
Handle *handle_in(T) {
  return nullptr;
}

template <class Core, class First, class... A>
Status invoke(const char *name, const void *return_address, Core core, First first, A... rest) {
  if (sticky_error()) return status_of(Code::execution_failed);
  try {
    core(SparseCall(name, return_address, handle_in(as_core(first))), as_core(first), as_core(rest)...);
  } catch (const Refusal &refusal) {
    return status_of(refusal.code);
  }
  return status_of(Code::success);
}

}  // namespace porter_sim::sparse

#define PORTER_TEXT_(name) #name
#define PORTER_TEXT(name) PORTER_TEXT_(name)
#define PORTER_SPARSE_FUNCTION(name, core, parameters, ...)                                              \
  extern "C" PORTER_SPARSE(Status_t) name parameters {                                                   \
    using namespace porter_sim::sparse;                                                                  \
    return invoke(                                                                                       \
        PORTER_TEXT(name), __builtin_return_address(0),                                                  \
        [](const SparseCall &call, auto... a) { porter_sim::sparse::core(call, a...); }, __VA_ARGS__);   \
  }
#include "porter_sim/libraries/sparse_functions.h"
