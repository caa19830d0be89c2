// Sparse and dense vectors and matrices as the library keeps them. They hold the program's pointers, not its data.
#pragma once

#include <algorithm>
#include <vector>

#include "elements.h"

namespace porter_sim::sparse {

enum class Index : int { bits16 = 1, bits32 = 2, bits64 = 3 };
enum class Form { csr, csc, coo };

struct Handle {
  void *stream = nullptr;
  int pointer_mode = 0;
};

struct SparseVector {
  int64_t size, nnz;
  void *indices;
  void *values;
  Index index;
  int base;
  Element type;
};
struct DenseVector {
  int64_t size;
  void *values;
  Element type;
};
struct DenseMatrix {
  int64_t rows, columns, stride;
  void *values;
  Element type;
  bool row_major;

  int64_t at(int64_t i, int64_t j) const { return row_major ? i * stride + j : i + j * stride; }
  size_t reach() const { return rows && columns ? size_t(at(rows - 1, columns - 1)) + 1 : 0; }
};
// `offsets` begin each row (or column); in coordinate form they are the rows.
struct SparseMatrix {
  Form form;
  int64_t rows, columns, nnz;
  void *offsets, *indices, *values;
  Index offset, index;
  int base;
  Element type;
  int fill = 0, diagonal = 0;
};

struct SparseCall : Call {
  SparseCall(const char *function, const void *return_address, Handle *h)
      : Call(function, return_address, h && h->pointer_mode == 1), handle(h) {}
  Handle *handle;
};

inline Index checked(Index type) {
  require(type == Index::bits32 || type == Index::bits64, Code::not_supported);
  return type;
}
inline int checked_base(int base) {
  require(base == 0 || base == 1);
  return base;
}
inline Element checked(Element type) {
  element_bytes(type);
  return type;
}

inline int64_t read_index(Index type, const void *data, int64_t at) {
  return type == Index::bits32 ? static_cast<const int32_t *>(data)[at] : static_cast<const int64_t *>(data)[at];
}
inline void write_index(Index type, void *data, int64_t at, int64_t value) {
  if (type == Index::bits32) {
    static_cast<int32_t *>(data)[at] = int32_t(value);
  } else {
    static_cast<int64_t *>(data)[at] = value;
  }
}
inline void reach_indices(const Call &call, Index type, const void *data, int64_t count) {
  call.reach_bytes(data, size_t(count) * (type == Index::bits32 ? 4 : 8));
}
// An index outside of the matrix would be an access outside of the vector.
inline int64_t inside(int64_t index, int64_t size) {
  require(index >= 0 && index < size, Code::execution_failed);
  return index;
}

inline void create(const SparseCall &, Handle **out) {
  require(out != nullptr);
  *out = new Handle;
}
inline void destroy(const SparseCall &call, Handle *) { delete call.handle; }
inline void set_stream(const SparseCall &call, Handle *, void *stream) { call.handle->stream = stream; }
inline void get_stream(const SparseCall &call, Handle *, void **out) {
  require(out != nullptr);
  *out = call.handle->stream;
}
template <class Mode>
void set_pointer_mode(const SparseCall &call, Handle *, Mode mode) {
  require(int(mode) == 0 || int(mode) == 1);
  call.handle->pointer_mode = int(mode);
}
template <class Mode>
void get_pointer_mode(const SparseCall &call, Handle *, Mode *out) {
  require(out != nullptr);
  *out = Mode(call.handle->pointer_mode);
}

inline void create_sparse_vector(const SparseCall &, SparseVector **out, int64_t size, int64_t nnz, void *indices,
                                 void *values, Index index, int base, Element type) {
  require(out && size >= 0 && nnz >= 0 && nnz <= size);
  *out = new SparseVector{size, nnz, indices, values, checked(index), checked_base(base), checked(type)};
}
inline void create_dense_vector(const SparseCall &, DenseVector **out, int64_t size, void *values, Element type) {
  require(out && size >= 0);
  *out = new DenseVector{size, values, checked(type)};
}
inline void create_dense_matrix(const SparseCall &, DenseMatrix **out, int64_t rows, int64_t columns, int64_t stride,
                                void *values, Element type, bool row_major) {
  require(out && rows >= 0 && columns >= 0 && stride >= (row_major ? columns : rows));
  *out = new DenseMatrix{rows, columns, stride, values, checked(type), row_major};
}
inline void create_compressed(SparseMatrix **out, Form form, int64_t rows, int64_t columns, int64_t nnz, void *offsets,
                              void *indices, void *values, Index offset, Index index, int base, Element type) {
  require(out && rows >= 0 && columns >= 0 && nnz >= 0);
  *out = new SparseMatrix{form, rows, columns, nnz, offsets, indices, values, checked(offset), checked(index),
                          checked_base(base), checked(type)};
}
inline void create_csr(const SparseCall &, SparseMatrix **out, int64_t rows, int64_t columns, int64_t nnz, void *offsets,
                       void *indices, void *values, Index offset, Index index, int base, Element type) {
  create_compressed(out, Form::csr, rows, columns, nnz, offsets, indices, values, offset, index, base, type);
}
inline void create_csc(const SparseCall &, SparseMatrix **out, int64_t rows, int64_t columns, int64_t nnz, void *offsets,
                       void *indices, void *values, Index offset, Index index, int base, Element type) {
  create_compressed(out, Form::csc, rows, columns, nnz, offsets, indices, values, offset, index, base, type);
}
inline void create_coo(const SparseCall &, SparseMatrix **out, int64_t rows, int64_t columns, int64_t nnz, void *row_indices,
                       void *indices, void *values, Index index, int base, Element type) {
  create_compressed(out, Form::coo, rows, columns, nnz, row_indices, indices, values, index, index, base, type);
}

inline void destroy_sparse_vector(const SparseCall &, const SparseVector *x) { delete x; }
inline void destroy_dense_vector(const SparseCall &, const DenseVector *x) { delete x; }
inline void destroy_sparse_matrix(const SparseCall &, const SparseMatrix *x) { delete x; }
inline void destroy_dense_matrix(const SparseCall &, const DenseMatrix *x) { delete x; }

template <class D>
void get_values(const SparseCall &, D *descriptor, void **out) {
  require(descriptor && out);
  *out = descriptor->values;
}
template <class D>
void set_values(const SparseCall &, D *descriptor, void *values) {
  require(descriptor != nullptr);
  descriptor->values = values;
}
inline void set_pointers(const SparseCall &, SparseMatrix *A, void *offsets, void *indices, void *values) {
  require(A != nullptr);
  A->offsets = offsets, A->indices = indices, A->values = values;
}
inline void get_size(const SparseCall &, const SparseMatrix *A, int64_t *rows, int64_t *columns, int64_t *nnz) {
  require(A && rows && columns && nnz);
  *rows = A->rows, *columns = A->columns, *nnz = A->nnz;
}
template <class Attribute>
void set_attribute(const SparseCall &, SparseMatrix *A, Attribute attribute, const void *value, size_t bytes) {
  require(A && value && bytes == sizeof(int) && (int(attribute) == 0 || int(attribute) == 1));
  memcpy(int(attribute) == 0 ? &A->fill : &A->diagonal, value, bytes);
}

}  // namespace porter_sim::sparse
