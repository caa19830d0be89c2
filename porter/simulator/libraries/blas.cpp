// cuBLAS and hipBLAS over OpenBLAS: every function of blas_functions.h, defined as a call of porter's own.
#include "blas/batched_factors.h"
#include "blas/face.h"
#include "blas/mixed_vectors.h"
#include "blas/transfer.h"

namespace porter_sim::blas {

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

#define PORTER_BLAS_FUNCTION(name, core, parameters, ...)                                                      \
  extern "C" PORTER_BLAS(Status_t) name parameters {                                                           \
    using namespace porter_sim::blas;                                                                          \
    return invoke(                                                                                             \
        handle, PORTER_TEXT(name), __builtin_return_address(0),                                                \
        [](const BlasCall &call, auto... a) { porter_sim::blas::core(call, a...); }, __VA_ARGS__);             \
  }
#define PORTER_BLAS_PLAIN(name, core, parameters, ...)                    \
  extern "C" PORTER_BLAS(Status_t) name parameters {                      \
    using namespace porter_sim::blas;                                     \
    return answer([&] { porter_sim::blas::core(__VA_ARGS__); });          \
  }
#include "porter_sim/libraries/blas_functions.h"
