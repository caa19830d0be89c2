// What the interface before the generic one says of a matrix; some functions of other libraries still take it.
#pragma once

typedef enum {
  PORTER_SPARSE_CONSTANT(MATRIX_TYPE_GENERAL) = 0,
  PORTER_SPARSE_CONSTANT(MATRIX_TYPE_SYMMETRIC) = 1,
  PORTER_SPARSE_CONSTANT(MATRIX_TYPE_HERMITIAN) = 2,
  PORTER_SPARSE_CONSTANT(MATRIX_TYPE_TRIANGULAR) = 3,
} PORTER_SPARSE(MatrixType_t);

struct PORTER_SPARSE(MatDescr) {
  PORTER_SPARSE(MatrixType_t) type;
  PORTER_SPARSE(FillMode_t) fill;
  PORTER_SPARSE(DiagType_t) diagonal;
  PORTER_SPARSE(IndexBase_t) base;
};
typedef PORTER_SPARSE(MatDescr) * PORTER_SPARSE(MatDescr_t);

inline PORTER_SPARSE(Status_t) PORTER_SPARSE(CreateMatDescr)(PORTER_SPARSE(MatDescr_t) * out) {
  if (!out) return PORTER_SPARSE_CONSTANT(STATUS_INVALID_VALUE);
  *out = new PORTER_SPARSE(MatDescr){};
  return PORTER_SPARSE_CONSTANT(STATUS_SUCCESS);
}
inline PORTER_SPARSE(Status_t) PORTER_SPARSE(DestroyMatDescr)(PORTER_SPARSE(MatDescr_t) description) {
  delete description;
  return PORTER_SPARSE_CONSTANT(STATUS_SUCCESS);
}

#define PORTER_DESCRIPTION_FIELD(Set, Get, Type, field, last)                                 \
  inline PORTER_SPARSE(Status_t) Set(PORTER_SPARSE(MatDescr_t) description, Type value) {     \
    if (!description || int(value) < 0 || int(value) > last) {                                \
      return PORTER_SPARSE_CONSTANT(STATUS_INVALID_VALUE);                                    \
    }                                                                                         \
    description->field = value;                                                               \
    return PORTER_SPARSE_CONSTANT(STATUS_SUCCESS);                                            \
  }                                                                                           \
  inline Type Get(const PORTER_SPARSE(MatDescr) * description) { return description->field; }
PORTER_DESCRIPTION_FIELD(PORTER_SPARSE(SetMatType), PORTER_SPARSE(GetMatType), PORTER_SPARSE(MatrixType_t), type, 3)
PORTER_DESCRIPTION_FIELD(PORTER_SPARSE(SetMatFillMode), PORTER_SPARSE(GetMatFillMode), PORTER_SPARSE(FillMode_t), fill, 1)
PORTER_DESCRIPTION_FIELD(PORTER_SPARSE(SetMatDiagType), PORTER_SPARSE(GetMatDiagType), PORTER_SPARSE(DiagType_t), diagonal, 1)
PORTER_DESCRIPTION_FIELD(PORTER_SPARSE(SetMatIndexBase), PORTER_SPARSE(GetMatIndexBase), PORTER_SPARSE(IndexBase_t), base, 1)
#undef PORTER_DESCRIPTION_FIELD
