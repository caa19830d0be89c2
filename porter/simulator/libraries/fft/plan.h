// Plans: where a batch's elements lie, and which transforms it takes.
#pragma once

#include "fft/transform.h"

namespace porter_sim::fft {

namespace {

// The dense array of one side: for the side of a real transform that is complex, its last length is n/2 + 1.
struct Layout {
  bool embedded = false;
  long long embed[3], stride, distance;
};

struct Plan {
  bool made = false;
  int rank = 0, type = 0;
  long long sizes[3], batch;
  Layout in, out;

  bool real_input() const { return type == real_to_complex || type == double_real_to_complex; }
  bool real_output() const { return type == complex_to_real || type == double_complex_to_real; }
  long long half() const { return sizes[rank - 1] / 2 + 1; }
};

struct Plans {
  std::mutex lock;
  std::map<int, Plan> by_number;
  int next = 1;
};
Plans &plans() {
  static Plans it;
  return it;
}

bool known_type(int type) {
  return type == real_to_complex || type == complex_to_real || type == complex_to_complex ||
         type == double_real_to_complex || type == double_complex_to_real || type == double_complex_to_complex;
}

Layout layout(const Side &side) {
  Layout l;
  l.embedded = side.embed != nullptr;
  for (int i = 0; i < 3; ++i) l.embed[i] = side.embed ? side.embed[i] : 1;
  l.stride = side.stride, l.distance = side.distance;
  return l;
}

// A contiguous side whose rows have `row` elements, of which the transform's `lengths` are used.
void make_contiguous(Layout &l, const Plan &p, long long row) {
  if (l.embedded) return;
  l.stride = l.distance = 1;
  for (int i = 0; i < p.rank; ++i) {
    l.embed[i] = i == p.rank - 1 ? row : p.sizes[i];
    l.distance *= l.embed[i];
  }
}

// Calls body(place in the dense array, element in memory) for every element of one transform.
template <class Body>
void each_element(const Plan &p, const Layout &l, long long row, Body body) {
  long long n0 = p.rank > 2 ? p.sizes[p.rank - 3] : 1, n1 = p.rank > 1 ? p.sizes[p.rank - 2] : 1;
  long long e1 = p.rank > 1 ? l.embed[p.rank - 2] : 1, e2 = l.embed[p.rank - 1];
  size_t dense = 0;
  for (long long i = 0; i < n0; ++i) {
    for (long long j = 0; j < n1; ++j) {
      for (long long k = 0; k < row; ++k) body(dense++, ((i * e1 + j) * e2 + k) * l.stride);
    }
  }
}

size_t reach_elements(const Plan &p, const Layout &l, long long row) {
  size_t last = 0;
  each_element(p, l, row, [&](size_t, long long at) { last = std::max(last, size_t(at)); });
  return last + 1 + size_t(p.batch - 1) * size_t(l.distance);
}

void outer_dimensions(const Plan &p, std::vector<Complex> &data, long long row, bool inverse) {
  if (p.rank > 1) {
    size_t n0 = p.rank > 2 ? size_t(p.sizes[0]) : 1, n1 = size_t(p.sizes[p.rank - 2]);
    along(data, n0, n1, size_t(row), inverse);
    if (p.rank > 2) along(data, 1, n0, n1 * size_t(row), inverse);
  }
}

// Each row of half a spectrum as its n real numbers. The imaginary parts of what must be real are not looked at.
std::vector<Complex> to_real_rows(const Plan &p, const std::vector<Complex> &half) {
  size_t n = size_t(p.sizes[p.rank - 1]), h = size_t(p.half()), rows = half.size() / h;
  std::vector<Complex> full(rows * n), line(n);
  for (size_t r = 0; r < rows; ++r) {
    const Complex *from = half.data() + r * h;
    for (size_t k = 0; k < h; ++k) line[k] = from[k];
    for (size_t k = h; k < n; ++k) line[k] = std::conj(from[n - k]);
    line[0] = line[0].real();
    if (n % 2 == 0) line[n / 2] = line[n / 2].real();
    transform_of(n).inverse(line.data(), full.data() + r * n);
  }
  return full;
}

std::vector<Complex> cut_to_half(const Plan &p, const std::vector<Complex> &full) {
  size_t n = size_t(p.sizes[p.rank - 1]), h = size_t(p.half()), rows = full.size() / n;
  std::vector<Complex> half(rows * h);
  for (size_t r = 0; r < rows; ++r) std::copy_n(full.data() + r * n, h, half.data() + r * h);
  return half;
}

template <class Real>
void run(const Plan &p, const Layout &in, const Layout &out, const Real *from, Real *to, bool inverse) {
  long long n = p.sizes[p.rank - 1];
  long long in_row = p.real_output() ? p.half() : n, out_row = p.real_input() ? p.half() : n;
  int in_width = p.real_input() ? 1 : 2, out_width = p.real_output() ? 1 : 2;
  size_t rows = 1;
  for (int i = 0; i + 1 < p.rank; ++i) rows *= size_t(p.sizes[i]);
  for (long long b = 0; b < p.batch; ++b, from += in.distance * in_width, to += out.distance * out_width) {
    std::vector<Complex> data(rows * size_t(in_row));
    each_element(p, in, in_row, [&](size_t dense, long long at) {
      data[dense] = {double(from[at * in_width]), in_width == 2 ? double(from[at * 2 + 1]) : 0.0};
    });
    if (p.real_output()) {
      outer_dimensions(p, data, in_row, true);
      data = to_real_rows(p, data);
    } else {
      along(data, rows, size_t(n), 1, inverse);
      if (p.real_input()) data = cut_to_half(p, data);
      outer_dimensions(p, data, out_row, inverse);
    }
    each_element(p, out, out_row, [&](size_t dense, long long at) {
      to[at * out_width] = Real(data[dense].real());
      if (out_width == 2) to[at * 2 + 1] = Real(data[dense].imag());
    });
  }
}

bool find(int number, Plan &plan) {
  std::lock_guard<std::mutex> hold(plans().lock);
  auto found = plans().by_number.find(number);
  if (found == plans().by_number.end()) return false;
  plan = found->second;
  return true;
}

}  // namespace

int create(int *number) {
  std::lock_guard<std::mutex> hold(plans().lock);
  *number = plans().next++;
  plans().by_number[*number];
  return status_ok;
}

int make(int number, int rank, const long long *sizes, Side input, Side output, int type, long long batch,
         size_t *work_bytes) {
  Plan plan;
  if (!find(number, plan) || plan.made) return status_invalid_plan;
  if (!known_type(type)) return status_invalid_type;
  if (batch < 1) return status_invalid_size;
  plan.rank = rank, plan.type = type, plan.batch = batch;
  for (int i = 0; i < rank; ++i) {
    if (sizes[i] < 1) return status_invalid_size;
    plan.sizes[i] = sizes[i];
  }
  // Both layouts are described or neither: one alone counts as none.
  if (!input.embed || !output.embed) input = output = {};
  plan.in = layout(input), plan.out = layout(output), plan.made = true;
  if (work_bytes) *work_bytes = 0;
  std::lock_guard<std::mutex> hold(plans().lock);
  plans().by_number[number] = plan;
  return status_ok;
}

int destroy(int number) {
  std::lock_guard<std::mutex> hold(plans().lock);
  return plans().by_number.erase(number) ? status_ok : status_invalid_plan;
}
int check(int number) {
  Plan plan;
  return find(number, plan) ? status_ok : status_invalid_plan;
}

int execute(int number, const void *input, void *output, int type, int direction, const void *return_address) {
  Plan p;
  if (!find(number, p) || !p.made) return status_invalid_plan;
  if (type != any_type && type != p.type) return status_invalid_type;
  type = p.type;
  if (!input || !output) return status_invalid_value;
  long long n = p.sizes[p.rank - 1], half = p.half();
  // In place, a real row is padded to the room of its half spectrum.
  long long real_row = input == output ? 2 * half : n;
  make_contiguous(p.in, p, p.real_input() ? real_row : p.real_output() ? half : n);
  make_contiguous(p.out, p, p.real_output() ? real_row : p.real_input() ? half : n);
  bool precise = (type & 0x40) != 0;
  size_t real_bytes = precise ? sizeof(double) : sizeof(single);
  size_t in_bytes = reach_elements(p, p.in, p.real_output() ? half : n) * real_bytes * (p.real_input() ? 1 : 2);
  size_t out_bytes = reach_elements(p, p.out, p.real_input() ? half : n) * real_bytes * (p.real_output() ? 1 : 2);
  LibraryCall call{"a Fourier transform", return_address};
  if (!reach_device_memory(call, input, in_bytes) || !reach_device_memory(call, output, out_bytes)) {
    return status_exec_failed;
  }
  if (precise) {
    run(p, p.in, p.out, static_cast<const double *>(input), static_cast<double *>(output), direction == 1);
  } else {
    run(p, p.in, p.out, static_cast<const single *>(input), static_cast<single *>(output), direction == 1);
  }
  return status_ok;
}

}  // namespace porter_sim::fft
