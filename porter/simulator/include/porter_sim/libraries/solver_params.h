// The parameters of the Jacobi methods. The solver here is exact to rounding, so tolerance and sweeps only have to be
// valid.
#pragma once

#define PORTER_SOLVER_PARAMETERS(Info, create, destroy, tolerance, sweeps, sort)  \
  inline PORTER_SOLVER_STATUS create(Info *out) {                                 \
    if (!out) return PORTER_SOLVER_STATUS(3);                                     \
    *out = reinterpret_cast<Info>(new char);                                      \
    return PORTER_SOLVER_STATUS(0);                                               \
  }                                                                               \
  inline PORTER_SOLVER_STATUS destroy(Info info) {                                \
    delete reinterpret_cast<char *>(info);                                        \
    return PORTER_SOLVER_STATUS(0);                                               \
  }                                                                               \
  inline PORTER_SOLVER_STATUS tolerance(Info info, double value) {                \
    return PORTER_SOLVER_STATUS(info && value >= 0 ? 0 : 3);                      \
  }                                                                               \
  inline PORTER_SOLVER_STATUS sweeps(Info info, int count) {                      \
    return PORTER_SOLVER_STATUS(info && count >= 0 ? 0 : 3);                      \
  }                                                                               \
  inline PORTER_SOLVER_STATUS sort(Info info, int) { return PORTER_SOLVER_STATUS(info ? 0 : 3); }

PORTER_SOLVER_PARAMETERS(PORTER_GESVDJ_INFO, PORTER_SOLVER(CreateGesvdjInfo), PORTER_SOLVER(DestroyGesvdjInfo),
                         PORTER_SOLVER(XgesvdjSetTolerance), PORTER_SOLVER(XgesvdjSetMaxSweeps),
                         PORTER_SOLVER(XgesvdjSetSortEig))
PORTER_SOLVER_PARAMETERS(PORTER_SYEVJ_INFO, PORTER_SOLVER(CreateSyevjInfo), PORTER_SOLVER(DestroySyevjInfo),
                         PORTER_SOLVER(XsyevjSetTolerance), PORTER_SOLVER(XsyevjSetMaxSweeps),
                         PORTER_SOLVER(XsyevjSetSortEig))
#undef PORTER_SOLVER_PARAMETERS
