// The texture unit: addressing, filtering and conversion as the CUDA programming guide's chapter on texture
// fetching states them; weights are fixed-point numbers with eight bits behind the point.
#include "porter_sim/array_core.h"

#include <math.h>

#include "errors.h"
#include "porter_sim/api_core.h"
#include "status.h"

namespace porter_sim {

namespace {

constexpr long long outside = -1;

float half_bits_to_float(unsigned short bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexpf(float(1024 + fraction), exponent - 25)
                               : ldexpf(float(fraction), -24);
  return bits >> 15 ? -value : value;
}

unsigned raw_component(const char *from, int bits, bool is_signed) {
  if (bits == 32) {
    unsigned value;
    memcpy(&value, from, 4);
    return value;
  }
  unsigned short both;
  if (bits == 16) {
    memcpy(&both, from, 2);
    return is_signed ? unsigned(int(short(both))) : both;
  }
  auto byte = static_cast<unsigned char>(*from);
  return is_signed ? unsigned(int((signed char)(byte))) : byte;
}

// 32-bit integers have no normalized form: texture_create refuses it.
float normalized(unsigned raw, int bits, bool is_signed) {
  if (!is_signed) return float(raw) / float((1u << bits) - 1);
  return std::max(float(int(raw)) / float((1u << (bits - 1)) - 1), -1.0f);
}

float linear_from_srgb(float v) { return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f); }

Texel element(const Texture &t, const char *from) {
  const int widths[4] = {t.channel.x, t.channel.y, t.channel.z, t.channel.w};
  const bool is_signed = t.channel.kind == ChannelKind::signed_integer;
  Texel out{};
  for (int i = 0; i < 4 && widths[i]; ++i) {
    unsigned raw = raw_component(from, widths[i], is_signed);
    from += widths[i] / 8;
    if (t.channel.kind == ChannelKind::floating) {
      out.u[i] = raw;
      if (widths[i] == 16) out.f[i] = half_bits_to_float((unsigned short)(raw));
    } else if (t.read_normalized) {
      float value = normalized(raw, widths[i], is_signed);
      out.f[i] = t.srgb && i < 3 ? linear_from_srgb(value) : value;
    } else {
      out.u[i] = raw;
    }
  }
  return out;
}

// Wrap and mirror exist for normalized coordinates only; the hardware clamps otherwise.
long long resolve(long long i, long long n, Address mode, bool normalized_coordinates) {
  if (i >= 0 && i < n) return i;
  if (mode == Address::border) return outside;
  if (mode == Address::clamp || !normalized_coordinates) return i < 0 ? 0 : n - 1;
  if (mode == Address::wrap) return ((i % n) + n) % n;
  long long within = ((i % (2 * n)) + 2 * n) % (2 * n);
  return within < n ? within : 2 * n - 1 - within;
}

Texel border_texel(const Texture &t) {
  Texel out{};
  for (int i = 0; i < t.channel.components(); ++i) {
    if (t.channel.kind == ChannelKind::floating || t.read_normalized) {
      out.f[i] = t.border[i];
    } else {
      out.u[i] = unsigned((long long)(t.border[i]));
    }
  }
  return out;
}

// One axis: the first of the two neighbours and the weight of the second.
struct Axis {
  long long first;
  float weight;
};

float fixed_point(float fraction) { return floorf(fraction * 256.0f + 0.5f) / 256.0f; }

bool uses_normalized(const Texture &t) { return t.normalized_coordinates || (t.flags & array_cubemap); }

Axis locate(const Texture &t, float coordinate, size_t n) {
  float position = uses_normalized(t) ? coordinate * float(n) : coordinate;
  if (!(fabsf(position) < 1e9f)) position = position > 0 ? 1e9f : position < 0 ? -1e9f : 0.0f;
  if (!t.linear_filter) return {(long long)(floorf(position)), 0.0f};
  float shifted = position - 0.5f, low = floorf(shifted);
  return {(long long)(low), fixed_point(shifted - low)};
}

Texel at(const Texture &t, long long x, long long y, long long z) {
  const bool wraps = uses_normalized(t);
  x = resolve(x, (long long)(t.width), t.address[0], wraps);
  y = resolve(y, (long long)(t.height ? t.height : 1), t.address[1], wraps);
  z = resolve(z, (long long)(t.depth ? t.depth : 1), t.address[2], wraps);
  if (x == outside || y == outside || z == outside) return border_texel(t);
  return element(t, t.data + size_t(z) * t.slice + size_t(y) * t.pitch + size_t(x) * t.channel.bytes());
}

// A slice of a layered texture or a face of a cube is an image of its own; the layer is clamped.
Texture layer_of(const Texture &t, int layer) {
  Texture one = t;
  const long long last = (long long)(t.depth ? t.depth : 1) - 1;
  one.data += size_t(std::clamp((long long)(layer), 0ll, last)) * t.slice;
  one.depth = 0;
  return one;
}

// The weights of the neighbours, by corner (1 right, 2 below, 4 behind), each a number with eight bits behind the point
// too: the products of the fractions are rounded and all else follows from them. In a plane an H200 was seen to do so
// to the last bit; in space 91 % of its fetches come out the same, and one weight is a step off in the others.
void corner_weights(float x, float y, float z, float (&weights)[8]) {
  const float xy = fixed_point(x * y), xz = fixed_point(x * z), yz = fixed_point(y * z), xyz = fixed_point(xz * y);
  weights[7] = xyz;
  weights[6] = yz - xyz;
  weights[5] = xz - xyz;
  weights[3] = xy - xyz;
  weights[4] = z - xz - yz + xyz;
  weights[2] = y - xy - yz + xyz;
  weights[1] = x - xy - xz + xyz;
  weights[0] = 1.0f - x - y - z + xy + xz + yz - xyz;
}

// Sums are formed exactly and rounded once: between equal texels nothing changes.
Texel filtered(const Texture &t, const Axis (&axes)[3], int dimensions) {
  float weights[8];
  corner_weights(axes[0].weight, axes[1].weight, axes[2].weight, weights);
  double sum[4] = {};
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const int right = corner & 1, below = corner >> 1 & 1, behind = corner >> 2 & 1;
    const float weight = weights[corner];
    if (weight == 0.0f) continue;
    const Texel value = at(t, axes[0].first + right, axes[1].first + below, axes[2].first + behind);
    for (int i = 0; i < 4; ++i) sum[i] += double(weight) * value.f[i];
  }
  Texel out{};
  for (int i = 0; i < 4; ++i) out.f[i] = float(sum[i]);
  return out;
}

}  // namespace

Texel sample(const Texture &texture, Coordinate where) {
  if (texture.flags & (array_layered | array_cubemap)) {
    Texture one = layer_of(texture, where.layer);
    one.flags = texture.flags & array_cubemap;
    where.layer = 0;
    const Axis axes[3] = {locate(one, where.x, one.width), where.dimensions > 1 ? locate(one, where.y, one.height) : Axis{},
                          Axis{}};
    return one.linear_filter ? filtered(one, axes, where.dimensions) : at(one, axes[0].first, axes[1].first, 0);
  }
  Axis axes[3] = {locate(texture, where.x, texture.width), {}, {}};
  if (where.dimensions > 1) axes[1] = locate(texture, where.y, texture.height);
  if (where.dimensions > 2) axes[2] = locate(texture, where.z, texture.depth);
  if (texture.linear_filter) return filtered(texture, axes, where.dimensions);
  return at(texture, axes[0].first, axes[1].first, axes[2].first);
}

Texel fetch(const Texture &texture, long long index) {
  if (index < 0 || index >= (long long)(texture.width)) return Texel{};
  return element(texture, texture.data + size_t(index) * texture.channel.bytes());
}

Texel gather(const Texture &texture, Coordinate where, int component) {
  Texture bilinear = texture;
  bilinear.linear_filter = true;
  const long long x = locate(bilinear, where.x, texture.width).first, y = locate(bilinear, where.y, texture.height).first;
  const long long order[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
  Texel out{};
  for (int i = 0; i < 4; ++i) out.u[i] = at(texture, order[i][0], order[i][1], 0).u[component & 3];
  return out;
}

Coordinate cube_coordinate(float x, float y, float z, int layer) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  float s, t, m;
  int face;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
  }
  return {(s / m + 1) / 2, (t / m + 1) / 2, 0, 2, layer * 6 + face};
}

char *surface_element(const Texture &surface, int x_bytes, int y, int z, size_t bytes, Boundary mode) {
  const long long width = (long long)(surface.width * surface.channel.bytes());
  const long long rows = (long long)(surface.height ? surface.height : 1);
  const long long slices = (long long)(surface.depth ? surface.depth : 1);
  long long x = x_bytes, row = y, slice = z;
  const bool inside = x >= 0 && x + (long long)(bytes) <= width && row >= 0 && row < rows && slice >= 0 && slice < slices;
  if (!inside && mode == Boundary::zero) return nullptr;
  if (!inside && mode == Boundary::trap) {
    device_trap("SIM031", "a surface access outside of the surface, with the boundary mode that traps", "", 0);
  }
  x = std::clamp(x, 0ll, width - (long long)(bytes));
  row = std::clamp(row, 0ll, rows - 1);
  slice = std::clamp(slice, 0ll, slices - 1);
  return const_cast<char *>(surface.data) + size_t(slice) * surface.slice + size_t(row) * surface.pitch + size_t(x);
}

namespace api {

Texture array_texture(const Array &array) {
  Texture t{};
  t.channel = array.channel;
  t.data = array.data;
  t.width = array.width;
  t.height = array.height;
  t.depth = array.depth;
  t.pitch = array.row_bytes();
  t.slice = t.pitch * array.rows();
  t.flags = array.flags;
  return t;
}

int texture_create(Texture **out, const Texture &description) {
  *out = nullptr;
  const Channel &c = description.channel;
  const bool floating = c.kind == ChannelKind::floating;
  if (description.read_normalized && !floating && c.x == 32) return status_invalid_normalization;
  if (description.linear_filter && !description.linear_memory && !floating && !description.read_normalized) {
    return status_invalid_filter;
  }
  *out = new Texture(description);
  return status_success;
}

int texture_destroy(Texture *texture) {
  delete texture;
  return status_success;
}

}  // namespace api

}  // namespace porter_sim
