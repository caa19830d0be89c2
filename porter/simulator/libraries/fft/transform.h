// The discrete Fourier transform of one line, in double precision: mixed radix, and Bluestein's for large primes.
//
// L. Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform", IEEE Trans. Audio
// Electroacoustics 18 (1970).
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace porter_sim::fft {

using Complex = std::complex<double>;

// std::complex's product tests for NaN; this one does not need to.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

constexpr size_t largest_radix = 64;

inline size_t factor_of(size_t n) {
  if (n % 4 == 0) return 4;
  for (size_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

inline bool has_small_factors(size_t n) {
  for (size_t p; n > 1; n /= p) {
    p = factor_of(n);
    if (p > largest_radix) return false;
  }
  return true;
}

// exp(-2 pi i k / n), rounded once: the argument is exact in a long double of 64 bits for n < 2^32.
inline Complex root_of_unity(size_t k, size_t n) {
  long double angle = -2 * 3.14159265358979323846264338327950288L * (long double)(k) / (long double)(n);
  return {double(cosl(angle)), double(sinl(angle))};
}

// Forward transforms of one length.
class Transform {
 public:
  explicit Transform(size_t n) : n_(n), roots_(n) {
    for (size_t k = 0; k < n; ++k) roots_[k] = root_of_unity(k, n);
    if (!has_small_factors(n)) prepare_chirp();
  }

  void forward(const Complex *in, Complex *out) const {
    if (convolution_) chirp(in, out);
    else step(in, 1, out, n_);
  }
  // Unnormalised.
  void inverse(const Complex *in, Complex *out) const {
    std::vector<Complex> conjugate(n_);
    for (size_t i = 0; i < n_; ++i) conjugate[i] = std::conj(in[i]);
    forward(conjugate.data(), out);
    for (size_t i = 0; i < n_; ++i) out[i] = std::conj(out[i]);
  }

 private:
  // `n` elements `stride` apart; the roots of n are every (n_/n)th.
  void step(const Complex *in, size_t stride, Complex *out, size_t n) const {
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    size_t p = factor_of(n), m = n / p, spacing = n_ / n;
    for (size_t r = 0; r < p; ++r) step(in + r * stride, stride * p, out + r * m, m);
    Complex part[largest_radix];
    for (size_t k = 0; k < m; ++k) {
      part[0] = out[k];
      for (size_t r = 1; r < p; ++r) part[r] = times(out[r * m + k], roots_[r * k * spacing]);
      butterfly(part, out + k, m, p);
    }
  }

  void butterfly(const Complex *part, Complex *out, size_t m, size_t p) const {
    if (p == 2) {
      out[0] = part[0] + part[1], out[m] = part[0] - part[1];
    } else if (p == 4) {
      Complex even = part[0] + part[2], odd = part[1] + part[3], a = part[0] - part[2], b = part[1] - part[3];
      Complex turned{b.imag(), -b.real()};
      out[0] = even + odd, out[m] = a + turned, out[2 * m] = even - odd, out[3 * m] = a - turned;
    } else {
      for (size_t q = 0; q < p; ++q) {
        Complex sum = part[0];
        for (size_t r = 1; r < p; ++r) sum += times(part[r], roots_[r * q % p * (n_ / p)]);
        out[q * m] = sum;
      }
    }
  }

  void prepare_chirp() {
    size_t size = 1;
    while (size < 2 * n_ - 1) size *= 2;
    convolution_ = std::make_unique<Transform>(size);
    chirp_.resize(n_);
    for (size_t k = 0; k < n_; ++k) chirp_[k] = root_of_unity(k * k % (2 * n_), 2 * n_);
    std::vector<Complex> filter(size);
    for (size_t k = 0; k < n_; ++k) filter[k] = filter[(size - k) % size] = std::conj(chirp_[k]);
    filter_.resize(size);
    convolution_->forward(filter.data(), filter_.data());
  }

  void chirp(const Complex *in, Complex *out) const {
    size_t size = filter_.size();
    std::vector<Complex> a(size), b(size);
    for (size_t k = 0; k < n_; ++k) a[k] = times(in[k], chirp_[k]);
    convolution_->forward(a.data(), b.data());
    for (size_t k = 0; k < size; ++k) b[k] = times(b[k], filter_[k]);
    convolution_->inverse(b.data(), a.data());
    for (size_t k = 0; k < n_; ++k) out[k] = times(a[k], chirp_[k]) / double(size);
  }

  size_t n_;
  std::vector<Complex> roots_;
  std::unique_ptr<Transform> convolution_;
  std::vector<Complex> chirp_, filter_;
};

inline const Transform &transform_of(size_t n) {
  static std::mutex lock;
  static std::map<size_t, std::unique_ptr<Transform>> all;
  std::lock_guard<std::mutex> hold(lock);
  auto &found = all[n];
  if (!found) found = std::make_unique<Transform>(n);
  return *found;
}

// One dimension of a dense array: `outer` groups of `n` lines' elements, `inner` apart.
inline void along(std::vector<Complex> &data, size_t outer, size_t n, size_t inner, bool inverse) {
  if (n == 1) return;
  const Transform &transform = transform_of(n);
  std::vector<Complex> line(n), result(n);
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      Complex *at = data.data() + o * n * inner + i;
      for (size_t k = 0; k < n; ++k) line[k] = at[k * inner];
      inverse ? transform.inverse(line.data(), result.data()) : transform.forward(line.data(), result.data());
      for (size_t k = 0; k < n; ++k) at[k * inner] = result[k];
    }
  }
}

}  // namespace porter_sim::fft
