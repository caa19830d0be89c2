// D ← epilogue(alpha · op(A) · op(B) + beta · C): summed in the type of the computation and rounded once.
#pragma once

#include "blaslt/epilogue.h"

namespace porter_sim::blaslt {

struct Problem {
  const Description *description;
  Compute compute;
  Transpose ta, tb;
  const Layout *a, *b, *c, *d;

  int64_t m() const { return int64_t(d->rows); }
  int64_t n() const { return int64_t(d->columns); }
  int64_t k() const { return int64_t(blas::plain(ta) ? a->columns : a->rows); }
};

inline bool is_fp8(Element type) { return type == Element::R_8F_E4M3 || type == Element::R_8F_E5M2; }

inline void check_stride(const Layout &layout) {
  require(layout.order == 0 || layout.order == 1, Code::not_supported);
  require(layout.stride >= int64_t(layout.order ? layout.columns : layout.rows));
}

inline bool single_types_match(Element a, Element b, Element c, Element d) {
  if (is_fp8(a) || is_fp8(b)) {
    bool e5m2_twice = a == Element::R_8F_E5M2 && b == Element::R_8F_E5M2;
    bool wide = d == Element::R_16BF || d == Element::R_16F || d == Element::R_32F;
    return is_fp8(a) && is_fp8(b) && !e5m2_twice && (wide ? c == d : is_fp8(d) && (c == Element::R_16BF || c == Element::R_16F));
  }
  return a == b && c == d && (blas::is_single_combination(a, c) || (a == Element::C_32F && c == a));
}

// Throws where there is no algorithm for the problem.
inline void check(const Problem &p) {
  const Element a = p.a->element(), b = p.b->element(), c = p.c->element(), d = p.d->element();
  for (const Layout *layout : {p.a, p.b, p.c, p.d}) check_stride(*layout);
  require(p.a->batch == p.d->batch && p.b->batch == p.d->batch && p.c->batch == p.d->batch);
  int64_t rows_a = blas::plain(p.ta) ? p.a->rows : p.a->columns, rows_b = blas::plain(p.tb) ? p.b->rows : p.b->columns;
  int64_t columns_b = blas::plain(p.tb) ? p.b->columns : p.b->rows;
  require(rows_a == p.m() && columns_b == p.n() && rows_b == p.k() && p.c->rows == p.d->rows && p.c->columns == p.d->columns);
  constexpr Code no = Code::not_supported;
  const uint32_t epilogue = p.description->epilogue;
  require(is_epilogue(epilogue), no);
  require(p.description->pointer_mode == 0 || p.description->pointer_mode == 1, no);
  bool complex = is_complex(a), integer = p.compute == Compute::integer;
  require(epilogue == 1 || !(complex || integer), no);
  switch (p.compute) {
    case Compute::half: return require(a == b && a == c && c == d && a == Element::R_16F, no);
    case Compute::double_precision:
      return require(a == b && a == c && c == d && (a == Element::R_64F || a == Element::C_64F), no);
    case Compute::integer: {
      bool to_integer = Element(p.description->scale_type) == Element::R_32I && c == Element::R_32I;
      bool to_bytes = Element(p.description->scale_type) == Element::R_32F && c == Element::R_8I;
      return require(a == Element::R_8I && b == a && c == d && (to_integer || to_bytes), no);
    }
    case Compute::single_precision: require(single_types_match(a, b, c, d), no);
  }
#ifndef PORTER_SIM_HIP
  // 8-bit floats are multiplied in the one format that the hardware has.
  if (is_fp8(a)) require(p.ta == CblasTrans && p.tb == CblasNoTrans && !p.a->order && !p.b->order, no);
#endif
}

// The type whose elements the bias has unless the descriptor says another.
inline Element bias_type(const Problem &p) {
  if (p.description->bias_type >= 0) return Element(p.description->bias_type);
  Element d = p.d->element();
  if (is_fp8(d)) return p.c->element();
  return is_fp8(p.a->element()) && d == Element::R_32F ? Element::R_16BF : d;
}

template <class W>
std::vector<W> factor(const Call &call, const Layout &layout, Transpose t, const void *base, int batch) {
  bool straight = blas::plain(t);
  int64_t rows = int64_t(straight ? layout.rows : layout.columns), columns = int64_t(straight ? layout.columns : layout.rows);
  std::vector<W> out(size_t(rows * columns));
  Works<W>::with(layout.element(), [&](auto is) {
    auto *data = static_cast<const typename decltype(is)::type *>(base) + batch * layout.batch_offset;
    call.reach(data, layout.reach());
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        W value = W(value_of(data[straight ? layout.at(i, j) : layout.at(j, i)]));
        if constexpr (!std::is_arithmetic_v<W>) value = t == CblasConjTrans ? std::conj(value) : value;
        out[size_t(i + j * rows)] = value;
      }
    }
  });
  return out;
}

// The scale of a matrix of 8-bit floats; of others it is one.
template <class W>
W scale_of(const Call &call, const Problem &p, int which, const Layout &layout) {
  const void *address = p.description->scales[which];
  if (!address || !is_fp8(layout.element())) return W(1);
  call.reach_bytes(address, sizeof(single));
  return W(*static_cast<const single *>(address));
}

// Scalars of type S, sums of type W (Sum where the products are integers and the scalars are not).
template <class W, class S, class Sum>
class Matmul {
 public:
  Matmul(const Call &call, const Problem &p, const void *alpha, const void *beta) : call_(call), p_(p) {
    alpha_ = W(value_of(call.scalar(static_cast<const S *>(alpha))));
    beta_ = W(value_of(call.scalar(static_cast<const S *>(beta))));
    if constexpr (std::is_floating_point_v<W>) {
      alpha_ *= scale_of<W>(call, p, 0, *p.a) * scale_of<W>(call, p, 1, *p.b);
      beta_ *= scale_of<W>(call, p, 2, *p.c);
      scale_d_ = scale_of<W>(call, p, 3, *p.d);
    }
  }

  void run(const void *A, const void *B, const void *C, void *D) {
    for (int batch = 0; batch < p_.d->batch; ++batch) one(A, B, C, D, batch);
    if constexpr (std::is_floating_point_v<W>) {
      if (!p_.description->largest) return;
      call_.reach_bytes(p_.description->largest, sizeof(single));
      *static_cast<single *>(p_.description->largest) = single(largest_);
    }
  }

 private:
  void one(const void *A, const void *B, const void *C, void *D, int batch) {
    int64_t m = p_.m(), n = p_.n(), k = p_.k();
    if (m == 0 || n == 0) return;
    std::vector<Sum> a = factor<Sum>(call_, *p_.a, p_.ta, A, batch), b = factor<Sum>(call_, *p_.b, p_.tb, B, batch);
    std::vector<Sum> sum(size_t(m * n));
    if (k > 0) blas::product(int(m), int(n), int(k), a.data(), b.data(), sum.data());
    std::vector<W> values(sum.size());
    for (size_t i = 0; i < sum.size(); ++i) values[i] = alpha_ * W(sum[i]);
    add_c(C, batch, values);
    if constexpr (std::is_floating_point_v<W> && std::is_same_v<W, Sum>) finish(values, a, b, batch);
    store(D, batch, values);
  }

  void add_c(const void *C, int batch, std::vector<W> &values) {
    if (beta_ == W(0)) return;
    std::vector<W> c = factor<W>(call_, *p_.c, CblasNoTrans, C, batch);
    for (size_t i = 0; i < values.size(); ++i) values[i] += beta_ * c[i];
  }

  void finish(std::vector<W> &values, const std::vector<W> &a, const std::vector<W> &b, int batch) {
    const int64_t m = p_.m(), n = p_.n(), k = p_.k();
    const uint32_t kind = p_.description->epilogue;
    Epilogue<W> epilogue(call_, *p_.description, p_.d->element(), bias_type(p_), m, n, batch);
    for (int64_t i = 0; i < m * n; ++i) {
      W &value = values[size_t(i)];
      value = epilogue.apply(value, i % m, i / m);
      if (std::fabs(value) > largest_) largest_ = std::fabs(value);
    }
    auto sum_into_bias = [&](int64_t count, int64_t terms, auto term) {
      for (int64_t i = 0; i < count; ++i) {
        W sum = 0;
        for (int64_t j = 0; j < terms; ++j) sum += term(i, j);
        epilogue.write_bias(i, sum);
      }
    };
    if (kind & bias_gradient) sum_into_bias(m, n, [&](int64_t i, int64_t j) { return values[size_t(i + j * m)]; });
    if (kind & bias_gradient_a) sum_into_bias(m, k, [&](int64_t i, int64_t j) { return a[size_t(i + j * m)]; });
    if (kind & bias_gradient_b) sum_into_bias(n, k, [&](int64_t i, int64_t j) { return b[size_t(j + i * k)]; });
    for (W &value : values) value *= scale_d_;
  }

  void store(void *D, int batch, const std::vector<W> &values) {
    Works<W>::with(p_.d->element(), [&](auto is) {
      using Stored = typename decltype(is)::type;
      auto *out = static_cast<Stored *>(D) + batch * p_.d->batch_offset;
      call_.reach(out, p_.d->reach());
      for (int64_t i = 0; i < p_.m() * p_.n(); ++i) {
        out[p_.d->at(i % p_.m(), i / p_.m())] = Rounded<Stored>::from(values[size_t(i)]);
      }
    });
  }

  const Call &call_;
  const Problem &p_;
  W alpha_, beta_, scale_d_ = W(1);
  decltype(std::abs(W())) largest_ = 0;
};

inline void matmul(const Call &call, const Problem &p, const void *alpha, const void *A, const void *B, const void *beta,
                   const void *C, void *D) {
  check(p);
  bool complex = is_complex(p.a->element());
  switch (p.compute) {
    case Compute::half: return Matmul<float, Half, float>(call, p, alpha, beta).run(A, B, C, D);
    case Compute::integer:
      if (p.d->element() == Element::R_8I) return Matmul<single, single, int32_t>(call, p, alpha, beta).run(A, B, C, D);
      return Matmul<int32_t, int32_t, int32_t>(call, p, alpha, beta).run(A, B, C, D);
    case Compute::double_precision:
      if (!complex) return Matmul<double, double, double>(call, p, alpha, beta).run(A, B, C, D);
      using Double = std::complex<double>;
      return Matmul<Double, Double, Double>(call, p, alpha, beta).run(A, B, C, D);
    case Compute::single_precision:
      if (!complex) return Matmul<single, single, single>(call, p, alpha, beta).run(A, B, C, D);
      using Single = std::complex<single>;
      return Matmul<Single, Single, Single>(call, p, alpha, beta).run(A, B, C, D);
  }
}

}  // namespace porter_sim::blaslt
