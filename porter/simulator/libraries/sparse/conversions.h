// Between sparse and dense matrices.
#pragma once

#include "sparse/products.h"

namespace porter_sim::sparse {

template <class Algorithm>
void to_dense(const SparseCall &call, Handle *, const SparseMatrix *A, DenseMatrix *B, Algorithm, void *) {
  require(A && B && A->rows == B->rows && A->columns == B->columns && A->type == B->type);
  with_compute(compute_type(A->type), [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> out(size_t(B->rows * B->columns), W(0));
    for (const Entry<W> &e : read_entries<W>(call, *A)) out[size_t(e.row + e.column * B->rows)] = e.value;
    write_dense(call, *B, out);
  });
}
template <class Algorithm>
void to_dense_size(const SparseCall &, Handle *, const SparseMatrix *A, DenseMatrix *B, Algorithm, size_t *bytes) {
  require(A && B);
  no_buffer(bytes);
}

// Row by row, or column by column where columns are compressed.
template <class Visit>
void visit_in_order(const SparseMatrix &B, Visit visit) {
  const bool by_column = B.form == Form::csc;
  const int64_t major = by_column ? B.columns : B.rows, minor = by_column ? B.rows : B.columns;
  for (int64_t outer = 0; outer < major; ++outer) {
    for (int64_t inner = 0; inner < minor; ++inner) visit(outer, inner, by_column ? inner + outer * B.rows : outer + inner * B.rows);
  }
}

// Counts, and fills the offsets; the program then allocates the rest and sets the pointers.
template <class Algorithm>
void to_sparse_count(const SparseCall &call, Handle *, const DenseMatrix *A, SparseMatrix *B, Algorithm, void *) {
  require(A && B && A->rows == B->rows && A->columns == B->columns && A->type == B->type);
  with_compute(compute_type(A->type), [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> values = read_dense<W>(call, *A);
    const int64_t major = B->form == Form::csc ? B->columns : B->rows;
    std::vector<int64_t> offsets(size_t(major) + 1, 0);
    visit_in_order(*B, [&](int64_t outer, int64_t, int64_t at) { offsets[size_t(outer) + 1] += values[size_t(at)] != W(0); });
    for (int64_t i = 0; i < major; ++i) offsets[size_t(i) + 1] += offsets[size_t(i)];
    B->nnz = offsets.back();
    if (B->form == Form::coo) return;
    reach_indices(call, B->offset, B->offsets, major + 1);
    for (int64_t i = 0; i <= major; ++i) write_index(B->offset, B->offsets, i, offsets[size_t(i)] + B->base);
  });
}
template <class Algorithm>
void to_sparse(const SparseCall &call, Handle *, const DenseMatrix *A, SparseMatrix *B, Algorithm, void *) {
  require(A && B && A->rows == B->rows && A->columns == B->columns && A->type == B->type);
  with_compute(compute_type(A->type), [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> values = read_dense<W>(call, *A), kept;
    reach_indices(call, B->index, B->indices, B->nnz);
    if (B->form == Form::coo) reach_indices(call, B->offset, B->offsets, B->nnz);
    visit_in_order(*B, [&](int64_t outer, int64_t inner, int64_t at) {
      if (values[size_t(at)] == W(0)) return;
      int64_t place = inside(int64_t(kept.size()), B->nnz);
      write_index(B->index, B->indices, place, inner + B->base);
      if (B->form == Form::coo) write_index(B->offset, B->offsets, place, outer + B->base);
      kept.push_back(values[size_t(at)]);
    });
    write_values(call, B->type, B->values, kept);
  });
}
template <class Algorithm>
void to_sparse_size(const SparseCall &, Handle *, const DenseMatrix *A, SparseMatrix *B, Algorithm, size_t *bytes) {
  require(A && B);
  no_buffer(bytes);
}

}  // namespace porter_sim::sparse
