// Products with sparse vectors and matrices: each sum is taken in the type of the computation, in the order in which
// the entries are stored, and rounded once.
#pragma once

#include "sparse/entries.h"

namespace porter_sim::sparse {

template <class W>
W scalar(const SparseCall &call, const void *address) {
  return call.scalar(static_cast<const W *>(address));
}
inline void no_buffer(size_t *bytes) {
  require(bytes != nullptr);
  *bytes = 0;
}

template <class W>
void scatter_into(const Call &call, std::vector<W> &dense, const SparseVector &x, bool add, W factor) {
  std::vector<W> values = read_values<W>(call, x.type, x.values, x.nnz);
  reach_indices(call, x.index, x.indices, x.nnz);
  for (int64_t i = 0; i < x.nnz; ++i) {
    W &at = dense[size_t(inside(read_index(x.index, x.indices, i) - x.base, int64_t(dense.size())))];
    at = (add ? at : W(0)) + factor * values[size_t(i)];
  }
}

// Vectors are computed in their own type; the narrow ones in single precision.
inline Element compute_type(Element type) {
  return type == Element::R_64F || is_complex(type) || type == Element::R_32I ? type : Element::R_32F;
}

inline void axpby(const SparseCall &call, Handle *, const void *alpha, const SparseVector *x, const void *beta,
                  DenseVector *y) {
  require(x && y && x->type == y->type && x->size == y->size);
  with_compute(compute_type(y->type), [&](auto is) {
    using W = typename decltype(is)::type;
    W a = scalar<W>(call, alpha), b = scalar<W>(call, beta);
    std::vector<W> out = read_values<W>(call, y->type, y->values, y->size);
    for (W &value : out) value = b == W(0) ? W(0) : b * value;
    scatter_into(call, out, *x, true, a);
    write_values(call, y->type, y->values, out);
  });
}

inline void gather(const SparseCall &call, Handle *, const DenseVector *y, SparseVector *x) {
  require(x && y && x->type == y->type && x->size == y->size);
  with_compute(compute_type(y->type), [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> from = read_values<W>(call, y->type, y->values, y->size), to;
    reach_indices(call, x->index, x->indices, x->nnz);
    for (int64_t i = 0; i < x->nnz; ++i) {
      to.push_back(from[size_t(inside(read_index(x->index, x->indices, i) - x->base, y->size))]);
    }
    write_values(call, x->type, x->values, to);
  });
}

inline void scatter(const SparseCall &call, Handle *, const SparseVector *x, DenseVector *y) {
  require(x && y && x->type == y->type && x->size == y->size);
  with_compute(compute_type(y->type), [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> out = read_values<W>(call, y->type, y->values, y->size);
    scatter_into(call, out, *x, false, W(1));
    write_values(call, y->type, y->values, out);
  });
}

inline void vector_product_size(const SparseCall &, Handle *, Operation, const SparseVector *x, const DenseVector *y, void *,
                                Element, size_t *bytes) {
  require(x && y && x->size == y->size);
  no_buffer(bytes);
}
inline void vector_product(const SparseCall &call, Handle *, Operation op, const SparseVector *x, const DenseVector *y,
                           void *result, Element compute, void *) {
  require(x && y && x->size == y->size);
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> sparse = read_values<W>(call, x->type, x->values, x->nnz);
    std::vector<W> dense = read_values<W>(call, y->type, y->values, y->size);
    reach_indices(call, x->index, x->indices, x->nnz);
    W sum = W(0);
    for (int64_t i = 0; i < x->nnz; ++i) {
      int64_t at = inside(read_index(x->index, x->indices, i) - x->base, y->size);
      sum += conjugated(op, sparse[size_t(i)]) * dense[size_t(at)];
    }
    call.result(static_cast<W *>(result), sum);
  });
}

template <class Algorithm>
void matrix_vector_check(const SparseCall &, Handle *, Operation op, const void *alpha, const SparseMatrix *A,
                         const DenseVector *x, const void *beta, DenseVector *y, Element, Algorithm, void *) {
  require(alpha && beta && A && x && y);
  bool plain = op == Operation::plain;
  require(x->size == (plain ? A->columns : A->rows) && y->size == (plain ? A->rows : A->columns));
}
template <class Algorithm>
void matrix_vector_size(const SparseCall &call, Handle *handle, Operation op, const void *alpha, const SparseMatrix *A,
                        const DenseVector *x, const void *beta, DenseVector *y, Element compute, Algorithm algorithm,
                        size_t *bytes) {
  matrix_vector_check(call, handle, op, alpha, A, x, beta, y, compute, algorithm, nullptr);
  no_buffer(bytes);
}
template <class Algorithm>
void matrix_vector(const SparseCall &call, Handle *handle, Operation op, const void *alpha, const SparseMatrix *A,
                   const DenseVector *x, const void *beta, DenseVector *y, Element compute, Algorithm algorithm, void *) {
  matrix_vector_check(call, handle, op, alpha, A, x, beta, y, compute, algorithm, nullptr);
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    W a = scalar<W>(call, alpha), b = scalar<W>(call, beta);
    std::vector<W> from = read_values<W>(call, x->type, x->values, x->size), sum(size_t(y->size), W(0));
    for (const Entry<W> &e : read_entries<W>(call, *A)) {
      bool plain = op == Operation::plain;
      sum[size_t(plain ? e.row : e.column)] += conjugated(op, e.value) * from[size_t(plain ? e.column : e.row)];
    }
    std::vector<W> old = b == W(0) ? std::vector<W>(sum.size(), W(0)) : read_values<W>(call, y->type, y->values, y->size);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] = b == W(0) ? a * sum[i] : a * sum[i] + b * old[i];
    write_values(call, y->type, y->values, sum);
  });
}

template <class Algorithm>
void matrix_matrix_check(const SparseCall &, Handle *, Operation op_a, Operation op_b, const void *alpha,
                         const SparseMatrix *A, const DenseMatrix *B, const void *beta, DenseMatrix *C, Element, Algorithm,
                         void *) {
  require(alpha && beta && A && B && C);
  bool plain = op_a == Operation::plain, straight = op_b == Operation::plain;
  require((plain ? A->rows : A->columns) == C->rows && (straight ? B->columns : B->rows) == C->columns);
  require((plain ? A->columns : A->rows) == (straight ? B->rows : B->columns));
}
template <class Algorithm>
void matrix_matrix_size(const SparseCall &call, Handle *handle, Operation op_a, Operation op_b, const void *alpha,
                        const SparseMatrix *A, const DenseMatrix *B, const void *beta, DenseMatrix *C, Element compute,
                        Algorithm algorithm, size_t *bytes) {
  matrix_matrix_check(call, handle, op_a, op_b, alpha, A, B, beta, C, compute, algorithm, nullptr);
  no_buffer(bytes);
}
template <class Algorithm>
void matrix_matrix(const SparseCall &call, Handle *handle, Operation op_a, Operation op_b, const void *alpha,
                   const SparseMatrix *A, const DenseMatrix *B, const void *beta, DenseMatrix *C, Element compute,
                   Algorithm algorithm, void *) {
  matrix_matrix_check(call, handle, op_a, op_b, alpha, A, B, beta, C, compute, algorithm, nullptr);
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    W a = scalar<W>(call, alpha), b = scalar<W>(call, beta);
    std::vector<W> from = read_dense<W>(call, *B), sum(size_t(C->rows * C->columns), W(0));
    const bool plain = op_a == Operation::plain, straight = op_b == Operation::plain;
    for (const Entry<W> &e : read_entries<W>(call, *A)) {
      int64_t row = plain ? e.row : e.column, inner = plain ? e.column : e.row;
      for (int64_t j = 0; j < C->columns; ++j) {
        W factor = conjugated(op_b, from[size_t(straight ? inner + j * B->rows : j + inner * B->rows)]);
        sum[size_t(row + j * C->rows)] += conjugated(op_a, e.value) * factor;
      }
    }
    std::vector<W> old = b == W(0) ? std::vector<W>(sum.size(), W(0)) : read_dense<W>(call, *C);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] = b == W(0) ? a * sum[i] : a * sum[i] + b * old[i];
    write_dense(call, *C, sum);
  });
}

}  // namespace porter_sim::sparse
