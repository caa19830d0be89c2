// Vector functions whose types are arguments (AxpyEx and its like): each element is computed in the type of the
// execution and rounded once.
#pragma once

#include "blas/mixed.h"

namespace porter_sim::blas {

// Calls `run(Is<W>{})` with the type of the execution.
template <class Run>
void with_execution(Element type, Run run) {
  switch (type) {
    case Element::R_32F: return run(Is<single>{});
    case Element::R_64F: return run(Is<double>{});
    case Element::C_32F: return run(Is<std::complex<single>>{});
    case Element::C_64F: return run(Is<std::complex<double>>{});
    default: throw Refusal{Code::not_supported};
  }
}

template <class W>
W typed_scalar(const BlasCall &call, Element type, const void *address) {
  W out{};
  Works<W>::with(type, [&](auto is) {
    out = W(value_of(call.scalar(static_cast<const typename decltype(is)::type *>(address))));
  });
  return out;
}
template <class W>
void typed_result(const BlasCall &call, Element type, void *address, W value) {
  Works<W>::with(type, [&](auto is) {
    using Stored = typename decltype(is)::type;
    call.result(static_cast<Stored *>(address), Rounded<Stored>::from(value));
  });
}
template <class W>
std::vector<W> typed_vector(const BlasCall &call, Element type, int64_t n, const void *x, int64_t inc) {
  std::vector<W> out(size_t(std::max<int64_t>(n, 0)));
  Works<W>::with(type, [&](auto is) {
    auto *data = static_cast<const typename decltype(is)::type *>(x);
    call.reach_vector(data, n, inc);
    int64_t at = first_of(n, inc);
    for (W &value : out) value = W(value_of(data[at])), at += inc;
  });
  return out;
}
template <class W>
void store_vector(const BlasCall &call, Element type, const std::vector<W> &values, void *x, int64_t inc) {
  Works<W>::with(type, [&](auto is) {
    using Stored = typename decltype(is)::type;
    auto *data = static_cast<Stored *>(x);
    int64_t n = int64_t(values.size()), at = first_of(n, inc);
    call.reach_vector(data, n, inc);
    for (const W &value : values) data[at] = Rounded<Stored>::from(value), at += inc;
  });
}

inline void axpy_ex(const BlasCall &call, int n, const void *alpha, Element type_alpha, const void *x, Element type_x,
                    int incx, void *y, Element type_y, int incy, Element execution) {
  with_execution(execution, [&](auto is) {
    using W = typename decltype(is)::type;
    W a = typed_scalar<W>(call, type_alpha, alpha);
    std::vector<W> from = typed_vector<W>(call, type_x, n, x, incx), to = typed_vector<W>(call, type_y, n, y, incy);
    for (size_t i = 0; i < to.size(); ++i) to[i] += a * from[i];
    store_vector(call, type_y, to, y, incy);
  });
}

inline void scal_ex(const BlasCall &call, int n, const void *alpha, Element type_alpha, void *x, Element type_x, int incx,
                    Element execution) {
  with_execution(execution, [&](auto is) {
    using W = typename decltype(is)::type;
    W a = typed_scalar<W>(call, type_alpha, alpha);
    if (incx <= 0) return;
    std::vector<W> values = typed_vector<W>(call, type_x, n, x, incx);
    for (W &value : values) value *= a;
    store_vector(call, type_x, values, x, incx);
  });
}

template <bool Conjugated>
void any_dot_ex(const BlasCall &call, int n, const void *x, Element type_x, int incx, const void *y, Element type_y,
                int incy, void *result, Element type_result, Element execution) {
  with_execution(execution, [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> a = typed_vector<W>(call, type_x, n, x, incx), b = typed_vector<W>(call, type_y, n, y, incy);
    if constexpr (Conjugated && !std::is_arithmetic_v<W>) {
      for (W &value : a) value = std::conj(value);
    }
    typed_result(call, type_result, result, a.empty() ? W(0) : cblas::dot(int(a.size()), a.data(), 1, b.data(), 1));
  });
}
inline void dot_ex(const BlasCall &call, int n, const void *x, Element type_x, int incx, const void *y, Element type_y,
                   int incy, void *result, Element type_result, Element execution) {
  any_dot_ex<false>(call, n, x, type_x, incx, y, type_y, incy, result, type_result, execution);
}
inline void dotc_ex(const BlasCall &call, int n, const void *x, Element type_x, int incx, const void *y, Element type_y,
                    int incy, void *result, Element type_result, Element execution) {
  any_dot_ex<true>(call, n, x, type_x, incx, y, type_y, incy, result, type_result, execution);
}

// The norm of a complex vector is real, and so are its result's type and the execution's.
inline void nrm2_ex(const BlasCall &call, int n, const void *x, Element type_x, int incx, void *result,
                    Element type_result, Element execution) {
  with_execution(is_complex(type_x) ? type_x : execution, [&](auto is) {
    using W = typename decltype(is)::type;
    std::vector<W> values;
    if (n > 0 && incx > 0) values = typed_vector<W>(call, type_x, n, x, incx);
    auto norm = values.empty() ? decltype(cblas::nrm2(0, values.data(), 1))(0)
                               : cblas::nrm2(int(values.size()), values.data(), 1);
    typed_result(call, type_result, result, norm);
  });
}

}  // namespace porter_sim::blas
