// The numbers behind descriptors, in the type that a function computes in.
#pragma once

#include "sparse/descriptors.h"

namespace porter_sim::sparse {

enum class Operation { plain, transposed, conjugated };

// Calls `run(Is<W>{})` with the type of the computation.
template <class Run>
void with_compute(Element type, Run run) {
  switch (type) {
    case Element::R_32F: return run(Is<single>{});
    case Element::R_64F: return run(Is<double>{});
    case Element::C_32F: return run(Is<std::complex<single>>{});
    case Element::C_64F: return run(Is<std::complex<double>>{});
    case Element::R_32I: return run(Is<int32_t>{});
    default: throw Refusal{Code::not_supported};
  }
}

template <class W>
W conjugated(Operation op, W value) {
  if constexpr (std::is_arithmetic_v<W>) {
    return value;
  } else {
    return op == Operation::conjugated ? std::conj(value) : value;
  }
}

template <class W>
std::vector<W> read_values(const Call &call, Element type, const void *data, int64_t count) {
  std::vector<W> out(size_t(count), W(0));
  Works<W>::with(type, [&](auto is) {
    auto *stored = static_cast<const typename decltype(is)::type *>(data);
    call.reach(stored, size_t(count));
    for (int64_t i = 0; i < count; ++i) out[size_t(i)] = W(value_of(stored[i]));
  });
  return out;
}
template <class W>
void write_values(const Call &call, Element type, void *data, const std::vector<W> &values) {
  Works<W>::with(type, [&](auto is) {
    using Stored = typename decltype(is)::type;
    auto *stored = static_cast<Stored *>(data);
    call.reach(stored, values.size());
    for (size_t i = 0; i < values.size(); ++i) stored[i] = Rounded<Stored>::from(values[i]);
  });
}

// Rows × columns, column by column.
template <class W>
std::vector<W> read_dense(const Call &call, const DenseMatrix &m) {
  std::vector<W> stored = read_values<W>(call, m.type, m.values, int64_t(m.reach())), out(size_t(m.rows * m.columns));
  for (int64_t i = 0; i < m.rows * m.columns; ++i) out[size_t(i)] = stored[size_t(m.at(i % m.rows, i / m.rows))];
  return out;
}
template <class W>
void write_dense(const Call &call, const DenseMatrix &m, const std::vector<W> &values) {
  Works<W>::with(m.type, [&](auto is) {
    using Stored = typename decltype(is)::type;
    auto *stored = static_cast<Stored *>(m.values);
    call.reach(stored, m.reach());
    for (int64_t i = 0; i < m.rows * m.columns; ++i) {
      stored[m.at(i % m.rows, i / m.rows)] = Rounded<Stored>::from(values[size_t(i)]);
    }
  });
}

template <class W>
struct Entry {
  int64_t row, column;
  W value;
};

// The stored entries in the order in which they are stored; the indices count from zero.
template <class W>
std::vector<Entry<W>> read_entries(const Call &call, const SparseMatrix &m) {
  std::vector<W> values = read_values<W>(call, m.type, m.values, m.nnz);
  std::vector<Entry<W>> out(size_t(m.nnz));
  reach_indices(call, m.index, m.indices, m.nnz);
  const int64_t major = m.form == Form::csc ? m.columns : m.rows, minor = m.form == Form::csc ? m.rows : m.columns;
  auto put = [&](int64_t at, int64_t outer) {
    int64_t inner = inside(read_index(m.index, m.indices, at) - m.base, minor);
    inside(outer, major);
    Entry<W> entry{m.form == Form::csc ? inner : outer, m.form == Form::csc ? outer : inner, values[size_t(at)]};
    out[size_t(at)] = entry;
  };
  if (m.form == Form::coo) {
    reach_indices(call, m.offset, m.offsets, m.nnz);
    for (int64_t at = 0; at < m.nnz; ++at) put(at, read_index(m.offset, m.offsets, at) - m.base);
    return out;
  }
  reach_indices(call, m.offset, m.offsets, major + 1);
  for (int64_t outer = 0; outer < major; ++outer) {
    int64_t from = read_index(m.offset, m.offsets, outer) - m.base, to = read_index(m.offset, m.offsets, outer + 1) - m.base;
    require(from >= 0 && from <= to && to <= m.nnz, Code::execution_failed);
    for (int64_t at = from; at < to; ++at) put(at, outer);
  }
  return out;
}

}  // namespace porter_sim::sparse
