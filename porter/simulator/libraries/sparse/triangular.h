// Solving with a triangular matrix, and the incomplete LU factorisation that triangular solves come after.
//
// As in cuSPARSE the analysis takes the matrix as it is then; its values change only by an update. Entries outside of
// the triangle that the matrix's attributes name are left out.
#pragma once

#include <map>
#include <memory>

#include "sparse/products.h"

namespace porter_sim::sparse {

// What an analysis keeps. `values` are those of the matrix, in the order in which they were stored.
struct Analysis {
  int64_t size = -1, nnz = 0;
  Operation op = Operation::plain;
  bool lower = true, unit = false;
  Element type = Element::R_32F;
  std::vector<int64_t> rows, columns;
  std::vector<std::complex<double>> values;
};
struct VectorSolve : Analysis {};
struct MatrixSolve : Analysis {};
// Of the factorisation: the first row whose pivot is zero, or -1.
struct Factorisation {
  int64_t zero_pivot = -1;
};

template <class Plan>
void create_plan(const SparseCall &, Plan **out) {
  require(out != nullptr);
  *out = new Plan;
}
template <class Plan>
void destroy_plan(const SparseCall &, Plan *plan) {
  delete plan;
}

inline void analyse(const SparseCall &call, Analysis &plan, Operation op, const SparseMatrix &A, Element compute) {
  require(A.rows == A.columns && A.type == compute);
  require(A.form != Form::csc, Code::not_supported);
  plan = {};
  plan.size = A.rows, plan.nnz = A.nnz, plan.op = op, plan.type = compute;
  plan.lower = A.fill == 0, plan.unit = A.diagonal == 1;
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    for (const Entry<W> &e : read_entries<W>(call, A)) {
      plan.rows.push_back(e.row), plan.columns.push_back(e.column), plan.values.push_back(std::complex<double>(e.value));
    }
  });
}

template <class W>
W narrowed(std::complex<double> value) {
  if constexpr (std::is_arithmetic_v<W> || std::is_same_v<W, single>) {
    return W(value.real());
  } else {
    return W(typename W::value_type(value.real()), typename W::value_type(value.imag()));
  }
}

// Solves for one right-hand side in place. Rows are taken in the order that the triangle, or its transpose, allows.
template <class W>
void substitute(const Analysis &plan, W *x) {
  const bool plain = plan.op == Operation::plain;
  std::vector<std::vector<Entry<W>>> by_row(size_t(plan.size));
  std::vector<W> diagonal(size_t(plan.size), W(plan.unit ? 1 : 0));
  for (size_t i = 0; i < plan.values.size(); ++i) {
    int64_t row = plan.rows[i], column = plan.columns[i];
    W value = conjugated(plan.op, narrowed<W>(plan.values[i]));
    if (row == column) {
      if (!plan.unit) diagonal[size_t(row)] += value;
    } else if ((row > column) == plan.lower) {
      by_row[size_t(plain ? row : column)].push_back({row, plain ? column : row, value});
    }
  }
  const bool forward = plan.lower == plain;
  for (int64_t step = 0; step < plan.size; ++step) {
    const size_t row = size_t(forward ? step : plan.size - 1 - step);
    W sum = x[row];
    for (const Entry<W> &e : by_row[row]) sum -= e.value * x[e.column];
    x[row] = plan.unit ? sum : W(sum / diagonal[row]);
  }
}

template <class Algorithm>
void solve_vector_size(const SparseCall &, Handle *, Operation, const void *alpha, const SparseMatrix *A,
                       const DenseVector *x, DenseVector *y, Element, Algorithm, VectorSolve *plan, size_t *bytes) {
  require(alpha && A && x && y && plan && x->size == A->columns && y->size == A->rows);
  no_buffer(bytes);
}
template <class Algorithm>
void solve_vector_analysis(const SparseCall &call, Handle *, Operation op, const void *, const SparseMatrix *A,
                           const DenseVector *, DenseVector *, Element compute, Algorithm, VectorSolve *plan, void *) {
  require(A && plan);
  analyse(call, *plan, op, *A, compute);
}
template <class Algorithm>
void solve_vector(const SparseCall &call, Handle *, Operation op, const void *alpha, const SparseMatrix *A,
                  const DenseVector *x, DenseVector *y, Element compute, Algorithm, VectorSolve *plan) {
  require(A && x && y && plan && plan->size == A->rows && plan->op == op && plan->type == compute);
  require(x->size == plan->size && y->size == plan->size);
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    const W a = scalar<W>(call, alpha);
    std::vector<W> out = read_values<W>(call, x->type, x->values, x->size);
    for (W &value : out) value = a * value;
    substitute(*plan, out.data());
    write_values(call, y->type, y->values, out);
  });
}

// The whole matrix's values, or those of the diagonal by rows.
template <class Plan, class Part>
void update_values(const SparseCall &call, Handle *, Plan *plan, const void *values, Part part) {
  require(plan && plan->size >= 0 && (int(part) == 0 || int(part) == 1));
  const bool diagonal = int(part) == 1;
  with_compute(plan->type, [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> given = read_values<W>(call, plan->type, values, diagonal ? plan->size : plan->nnz);
    for (size_t i = 0; i < plan->values.size(); ++i) {
      if (!diagonal) plan->values[i] = std::complex<double>(given[i]);
      if (diagonal && plan->rows[i] == plan->columns[i]) plan->values[i] = std::complex<double>(given[size_t(plan->rows[i])]);
    }
  });
}

template <class Algorithm>
void solve_matrix_size(const SparseCall &, Handle *, Operation, Operation, const void *alpha, const SparseMatrix *A,
                       const DenseMatrix *B, DenseMatrix *C, Element, Algorithm, MatrixSolve *plan, size_t *bytes) {
  require(alpha && A && B && C && plan);
  no_buffer(bytes);
}
template <class Algorithm>
void solve_matrix_analysis(const SparseCall &call, Handle *, Operation op, Operation, const void *, const SparseMatrix *A,
                           const DenseMatrix *, DenseMatrix *, Element compute, Algorithm, MatrixSolve *plan, void *) {
  require(A && plan);
  analyse(call, *plan, op, *A, compute);
}
template <class Algorithm>
void solve_matrix(const SparseCall &call, Handle *, Operation op_a, Operation op_b, const void *alpha, const SparseMatrix *A,
                  const DenseMatrix *B, DenseMatrix *C, Element compute, Algorithm, MatrixSolve *plan) {
  require(A && B && C && plan && plan->size == A->rows && plan->op == op_a && plan->type == compute);
  const bool straight = op_b == Operation::plain;
  require(C->rows == plan->size && (straight ? B->rows : B->columns) == C->rows);
  require((straight ? B->columns : B->rows) == C->columns);
  with_compute(compute, [&](auto is) {
    using W = typename decltype(is)::type;
    const W a = scalar<W>(call, alpha);
    std::vector<W> from = read_dense<W>(call, *B), out(size_t(C->rows * C->columns));
    for (int64_t j = 0; j < C->columns; ++j) {
      for (int64_t i = 0; i < C->rows; ++i) {
        out[size_t(i + j * C->rows)] = a * conjugated(op_b, from[size_t(straight ? i + j * B->rows : j + i * B->rows)]);
      }
      substitute(*plan, out.data() + j * C->rows);
    }
    write_dense(call, *C, out);
  });
}

template <class W, class Description>
void factorise_size(const SparseCall &, Handle *, int m, int nnz, const Description *, W *, const int *, const int *,
                    Factorisation *info, int *bytes) {
  require(m >= 0 && nnz >= 0 && info && bytes);
  *bytes = 0;
}
template <class W, class Description, class Policy>
void factorise_analysis(const SparseCall &, Handle *, int m, int nnz, const Description *, const W *, const int *,
                        const int *, Factorisation *info, Policy, void *) {
  require(m >= 0 && nnz >= 0 && info);
  info->zero_pivot = -1;
}
// L (its diagonal of ones is not stored) and U take the place of the matrix's values, in its own pattern.
template <class W, class Description, class Policy>
void factorise(const SparseCall &call, Handle *, int m, int nnz, const Description *description, W *values,
               const int *offsets, const int *indices, Factorisation *info, Policy, void *) {
  require(description && info && m >= 0 && nnz >= 0);
  call.reach(values, size_t(nnz)), call.reach(indices, size_t(nnz)), call.reach(offsets, size_t(m) + 1);
  const int base = int(description->base);
  std::vector<std::map<int, W *>> rows(static_cast<size_t>(m));
  for (int i = 0; i < m; ++i) {
    for (int at = offsets[i] - base; at < offsets[i + 1] - base; ++at) {
      rows[size_t(i)][int(inside(indices[inside(at, nnz)] - base, m))] = values + at;
    }
  }
  info->zero_pivot = -1;
  for (int i = 0; i < m; ++i) {
    auto &row = rows[size_t(i)];
    for (auto &[k, factor] : row) {
      if (k >= i) break;
      auto pivot = rows[size_t(k)].find(k);
      if (pivot == rows[size_t(k)].end()) continue;
      *factor = *factor / *pivot->second;
      for (auto it = std::next(pivot); it != rows[size_t(k)].end(); ++it) {
        auto place = row.find(it->first);
        if (place != row.end()) *place->second -= *factor * *it->second;
      }
    }
    auto own = row.find(i);
    if (info->zero_pivot < 0 && (own == row.end() || *own->second == W(0))) info->zero_pivot = i + base;
  }
}
inline void zero_pivot(const SparseCall &call, Handle *, Factorisation *info, int *position) {
  require(info != nullptr);
  call.result(position, int(info->zero_pivot));
  require(info->zero_pivot < 0, Code::zero_pivot);
}

}  // namespace porter_sim::sparse
