// Every function of the BLAS library, as PORTER_BLAS_FUNCTION(name, core, (parameters), arguments ...): the faces
// declare it so, and the library defines it as a call of porter's own function `core` with the arguments.
// PORTER_BLAS(name) is the name with the face's prefix, PORTER_BLAS_LETTERED(letter, name) with a type's letter.
#define PORTER_BLAS_HANDLE PORTER_BLAS(Handle_t) handle

PORTER_BLAS_FUNCTION(PORTER_BLAS(Create), create, (PORTER_BLAS(Handle_t) * handle), handle)
PORTER_BLAS_FUNCTION(PORTER_BLAS(Destroy), destroy, (PORTER_BLAS_HANDLE), handle)
PORTER_BLAS_FUNCTION(PORTER_BLAS(SetStream), set_stream, (PORTER_BLAS_HANDLE, PORTER_RUNTIME(Stream_t) stream), stream)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GetStream), get_stream, (PORTER_BLAS_HANDLE, PORTER_RUNTIME(Stream_t) * stream),
                     (void **)stream)
PORTER_BLAS_FUNCTION(PORTER_BLAS(SetPointerMode), set_pointer_mode,
                     (PORTER_BLAS_HANDLE, PORTER_BLAS(PointerMode_t) mode), mode)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GetPointerMode), get_pointer_mode,
                     (PORTER_BLAS_HANDLE, PORTER_BLAS(PointerMode_t) * mode), mode)
PORTER_BLAS_FUNCTION(PORTER_BLAS(SetAtomicsMode), set_atomics_mode,
                     (PORTER_BLAS_HANDLE, PORTER_BLAS(AtomicsMode_t) mode), mode)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GetAtomicsMode), get_atomics_mode,
                     (PORTER_BLAS_HANDLE, PORTER_BLAS(AtomicsMode_t) * mode), mode)
PORTER_BLAS_FUNCTION(PORTER_BLAS(SetMathMode), set_math_mode, (PORTER_BLAS_HANDLE, PORTER_BLAS(Math_t) mode), mode)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GetMathMode), get_math_mode, (PORTER_BLAS_HANDLE, PORTER_BLAS(Math_t) * mode), mode)

#define PORTER_BLAS_T ::porter_sim::single
#define PORTER_BLAS_R ::porter_sim::single
#define PORTER_BLAS_TYPED(name) PORTER_BLAS_LETTERED(S, name)
#define PORTER_BLAS_REAL_RESULT(name) PORTER_BLAS_LETTERED(S, name)
#define PORTER_BLAS_INDEX(name) PORTER_BLAS_LETTERED(Is, name)
#include "porter_sim/libraries/blas_typed.h"
#include "porter_sim/libraries/blas_real.h"
#include "porter_sim/libraries/blas_untype.h"

#define PORTER_BLAS_T double
#define PORTER_BLAS_R double
#define PORTER_BLAS_TYPED(name) PORTER_BLAS_LETTERED(D, name)
#define PORTER_BLAS_REAL_RESULT(name) PORTER_BLAS_LETTERED(D, name)
#define PORTER_BLAS_INDEX(name) PORTER_BLAS_LETTERED(Id, name)
#include "porter_sim/libraries/blas_typed.h"
#include "porter_sim/libraries/blas_real.h"
#include "porter_sim/libraries/blas_untype.h"

#define PORTER_BLAS_T ::porter_sim::single2
#define PORTER_BLAS_R ::porter_sim::single
#define PORTER_BLAS_TYPED(name) PORTER_BLAS_LETTERED(C, name)
#define PORTER_BLAS_BY_REAL(name) PORTER_BLAS_LETTERED(Cs, name)
#define PORTER_BLAS_REAL_RESULT(name) PORTER_BLAS_LETTERED(Sc, name)
#define PORTER_BLAS_INDEX(name) PORTER_BLAS_LETTERED(Ic, name)
#include "porter_sim/libraries/blas_typed.h"
#include "porter_sim/libraries/blas_complex.h"
#include "porter_sim/libraries/blas_untype.h"

#define PORTER_BLAS_T double2
#define PORTER_BLAS_R double
#define PORTER_BLAS_TYPED(name) PORTER_BLAS_LETTERED(Z, name)
#define PORTER_BLAS_BY_REAL(name) PORTER_BLAS_LETTERED(Zd, name)
#define PORTER_BLAS_REAL_RESULT(name) PORTER_BLAS_LETTERED(Dz, name)
#define PORTER_BLAS_INDEX(name) PORTER_BLAS_LETTERED(Iz, name)
#include "porter_sim/libraries/blas_typed.h"
#include "porter_sim/libraries/blas_complex.h"
#include "porter_sim/libraries/blas_untype.h"

#include "porter_sim/libraries/blas_ex.h"
