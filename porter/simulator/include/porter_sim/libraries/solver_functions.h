// Every function of the dense solver, once for each of the four types.
#define PORTER_SOLVER_HANDLE PORTER_SOLVER(Handle_t) handle

PORTER_SOLVER_FUNCTION(PORTER_SOLVER(Create), create, (PORTER_SOLVER(Handle_t) * handle), (void **)handle)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER(Destroy), destroy, (PORTER_SOLVER_HANDLE), (void *)handle)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER(SetStream), set_stream, (PORTER_SOLVER_HANDLE, PORTER_RUNTIME(Stream_t) stream),
                       (void *)handle, (void *)stream)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER(GetStream), get_stream, (PORTER_SOLVER_HANDLE, PORTER_RUNTIME(Stream_t) * stream),
                       (void *)handle, (void **)stream)

#define PORTER_T ::porter_sim::single
#define PORTER_R ::porter_sim::single
#define PORTER_SOLVER_TYPED(name, complex_name) PORTER_SOLVER(S##name)
#include "porter_sim/libraries/solver_typed.h"
#define PORTER_T double
#define PORTER_R double
#define PORTER_SOLVER_TYPED(name, complex_name) PORTER_SOLVER(D##name)
#include "porter_sim/libraries/solver_typed.h"
#define PORTER_T ::porter_sim::single2
#define PORTER_R ::porter_sim::single
#define PORTER_SOLVER_TYPED(name, complex_name) PORTER_SOLVER(C##complex_name)
#include "porter_sim/libraries/solver_typed.h"
#define PORTER_T double2
#define PORTER_R double
#define PORTER_SOLVER_TYPED(name, complex_name) PORTER_SOLVER(Z##complex_name)
#include "porter_sim/libraries/solver_typed.h"
