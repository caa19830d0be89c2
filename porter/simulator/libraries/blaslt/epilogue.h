// What happens to a product before it is rounded: activations, their gradients, biases. The numbers are bits, and
// both vendors'.
#pragma once

#include "blaslt/descriptors.h"

namespace porter_sim::blaslt {

enum : uint32_t {
  relu = 2,
  add_bias = 4,
  relu_gradient = 8,
  bias_gradient = 16,
  gelu = 32,
  gelu_gradient = 64,
  with_aux = 128,
  bias_gradient_a = 256,
  bias_gradient_b = 512,
};

inline bool is_epilogue(uint32_t value) {
  switch (value) {
    case 1:
    case relu:
    case relu | with_aux:
    case add_bias:
    case relu | add_bias:
    case relu | add_bias | with_aux:
    case relu_gradient | with_aux:
    case relu_gradient | bias_gradient | with_aux:
    case gelu:
    case gelu | with_aux:
    case gelu | add_bias:
    case gelu | add_bias | with_aux:
    case gelu_gradient | with_aux:
    case gelu_gradient | bias_gradient | with_aux:
    case bias_gradient_a:
    case bias_gradient_b: return true;
    default: return false;
  }
}

// The approximation by tanh, which both libraries use.
constexpr double gelu_slope = 0.79788456080286535588;  // √(2/π)
constexpr double gelu_cube = 0.044715;
template <class W>
W gelu_of(W x) {
  return W(0.5) * x * (W(1) + std::tanh(W(gelu_slope) * (x + W(gelu_cube) * x * x * x)));
}
template <class W>
W gelu_slope_at(W x) {
  W t = std::tanh(W(gelu_slope) * (x + W(gelu_cube) * x * x * x));
  return W(0.5) * (W(1) + t) +
         W(0.5) * x * (W(1) - t * t) * W(gelu_slope) * (W(1) + W(3 * gelu_cube) * x * x);
}

// One bit an element, a column `stride` bits after the other.
inline bool get_bit(const void *bits, int64_t at) { return static_cast<const uint8_t *>(bits)[at / 8] >> (at % 8) & 1; }
inline void set_bit(void *bits, int64_t at, bool value) {
  uint8_t &byte = static_cast<uint8_t *>(bits)[at / 8];
  byte = uint8_t((byte & ~(1 << (at % 8))) | value << (at % 8));
}

template <class W>
W read_element(Element type, const void *data, int64_t at) {
  W out{};
  Works<W>::with(type, [&](auto is) { out = W(value_of(static_cast<const typename decltype(is)::type *>(data)[at])); });
  return out;
}
template <class W>
void write_element(Element type, void *data, int64_t at, W value) {
  Works<W>::with(type, [&](auto is) {
    using Stored = typename decltype(is)::type;
    static_cast<Stored *>(data)[at] = Rounded<Stored>::from(value);
  });
}

// Epilogues with gradients or activations are real; `W` is float or double.
template <class W>
class Epilogue {
 public:
  Epilogue(const Call &call, const Description &d, Element type_d, Element bias_type, int64_t rows, int64_t columns,
           int batch)
      : d_(d), aux_type_(d.aux_type >= 0 ? Element(d.aux_type) : type_d), bias_type_(bias_type),
        bias_(advance(d.bias, bias_type, batch * d.bias_batch_stride)) {
    uint32_t biased = add_bias | bias_gradient | bias_gradient_a | bias_gradient_b;
    if (d.epilogue & biased) {
      int64_t length = d.epilogue & bias_gradient_b ? columns : rows;
      call.reach_bytes(bias_, size_t(length) * element_bytes(bias_type));
    }
    if (d.epilogue & with_aux) reach_aux(call, rows, columns, batch);
  }

  W apply(W value, int64_t row, int64_t column) {
    if (d_.epilogue & add_bias) value += read_element<W>(bias_type_, bias_, row);
    int64_t at = row + column * d_.aux_stride;
    if (d_.epilogue & relu) {
      if (d_.epilogue & with_aux) set_bit(aux_, at, value > W(0));
      return value > W(0) || value != value ? value : W(0);
    }
    if (d_.epilogue & gelu) {
      if (d_.epilogue & with_aux) write_element(aux_type_, aux_, at, value);
      return gelu_of(value);
    }
    if (d_.epilogue & relu_gradient) return get_bit(aux_, at) ? value : W(0);
    if (d_.epilogue & gelu_gradient) return value * gelu_slope_at(read_element<W>(aux_type_, aux_, at));
    return value;
  }
  void write_bias(int64_t at, W value) { write_element(bias_type_, const_cast<void *>(bias_), at, value); }

 private:
  static const void *advance(const void *base, Element type, int64_t elements) {
    return base ? blas::advanced(base, type, elements) : nullptr;
  }
  void reach_aux(const Call &call, int64_t rows, int64_t columns, int batch) {
    bool bits = d_.epilogue & (relu | relu_gradient);
    require(d_.aux && d_.aux_stride >= rows);
    require(!bits || d_.aux_stride % 128 == 0);
    int64_t elements = (columns - 1) * d_.aux_stride + rows, skipped = batch * d_.aux_batch_stride;
    size_t bytes = bits ? size_t(elements + 7) / 8 : size_t(elements) * element_bytes(aux_type_);
    aux_ = static_cast<char *>(d_.aux) + (bits ? skipped / 8 : skipped * int64_t(element_bytes(aux_type_)));
    call.reach_bytes(aux_, bytes);
  }

  const Description &d_;
  Element aux_type_, bias_type_;
  const void *bias_;
  void *aux_ = nullptr;
};

}  // namespace porter_sim::blaslt
