// The dense solver's functions under the names of the face that includes this. PORTER_SOLVER_FUNCTION(name, core,
// (parameters), arguments ...) is declared by the faces and defined by the library.
#define PORTER_SOLVER_FUNCTION(name, core, parameters, ...) extern "C" PORTER_SOLVER_STATUS name parameters;
#include "porter_sim/libraries/solver_functions.h"
#undef PORTER_SOLVER_FUNCTION
