// Arrays and textures without a vendor: what runtime/array.cpp and runtime/texture.cpp do. The faces name it.
#pragma once

#include "porter_sim/vector_types.h"

namespace porter_sim {

enum class ChannelKind : int { signed_integer = 0, unsigned_integer = 1, floating = 2, none = 3 };

// Bits of each component, as channel format descriptors have them.
struct Channel {
  int x, y, z, w;
  ChannelKind kind;

  int components() const { return (x != 0) + (y != 0) + (z != 0) + (w != 0); }
  size_t bytes() const { return size_t(x + y + z + w) / 8; }
};

// Elements lie row by row, without gaps. A layer or a cube's face is a slice.
struct Array {
  Channel channel;
  size_t width, height, depth;  // zero for a dimension the array does not have
  unsigned flags;
  char *data;

  size_t row_bytes() const { return width * channel.bytes(); }
  size_t rows() const { return height ? height : 1; }
  size_t slices() const { return depth ? depth : 1; }
};

enum ArrayFlag : unsigned { array_layered = 1, array_surface = 2, array_cubemap = 4, array_gather = 8 };

enum class Address : int { wrap = 0, clamp = 1, mirror = 2, border = 3 };

// One texture or surface object. `data` points to the elements; rows are `pitch` bytes apart, slices `slice` bytes.
struct Texture {
  Channel channel;
  const char *data;
  size_t width, height, depth;
  size_t pitch, slice;
  unsigned flags;
  bool linear_memory;  // read by index, without addressing or filtering
  Address address[3];
  bool linear_filter;
  bool read_normalized;  // integers as floats in [0, 1] or [-1, 1]
  bool normalized_coordinates;
  bool srgb;
  float border[4];
};

// A coordinate, in the texture's own dimensions; `layer` counts slices of layered textures and faces of cubes.
struct Coordinate {
  float x, y, z;
  int dimensions;
  int layer;
};

// Four components as the texture unit returns them: filtered, or converted, or as they are (integers' bits).
struct Texel {
  union {
    float f[4];
    int i[4];
    unsigned u[4];
  };
};

// The value at a coordinate; integers are read as their bits unless the texture turns them into floats.
Texel sample(const Texture &texture, Coordinate at);
// The element of linear memory; zero beyond its end.
Texel fetch(const Texture &texture, long long index);
// The same component of the four texels that bilinear filtering would use, in CUDA's order.
Texel gather(const Texture &texture, Coordinate at, int component);
// Direction (x, y, z) → the face's slice and coordinates in it, as CUDA's guide tabulates it.
Coordinate cube_coordinate(float x, float y, float z, int layer);

// The byte of a surface, or null where an access outside is dropped; clamps or traps as `mode` says.
enum class Boundary : int { zero = 0, clamp = 1, trap = 2 };
char *surface_element(const Texture &surface, int x_bytes, int y, int z, size_t bytes, Boundary mode);

namespace api {

int array_create(Array **out, Channel channel, size_t width, size_t height, size_t depth, unsigned flags);
int array_destroy(Array *array);

// One side of a copy: an array, or pitched memory of which `rows` are a slice.
struct Side {
  Array *array;
  char *memory;
  size_t pitch, rows;
  size_t x_bytes, y, z;
};
int copy_box(Side to, Side from, size_t width_bytes, size_t height, size_t depth, int direction);
int fill_box(char *memory, size_t pitch, size_t rows, int value, size_t width_bytes, size_t height, size_t depth);

int texture_create(Texture **out, const Texture &description);
int texture_destroy(Texture *texture);
Texture array_texture(const Array &array);

}  // namespace api

// From the texture unit's four components to what the program asks for.
template <class T>
struct TexelAs;
template <class T, int count>
struct Components {
  using Component = T;
  static constexpr int size = count;
};
#define PORTER_TEXEL(name, scalar)                                    \
  template <>                                                         \
  struct TexelAs<name##1> : Components<scalar, 1> {};                 \
  template <>                                                         \
  struct TexelAs<name##2> : Components<scalar, 2> {};                 \
  template <>                                                         \
  struct TexelAs<name##4> : Components<scalar, 4> {};
#define PORTER_SCALAR_TEXEL(scalar) \
  template <>                       \
  struct TexelAs<scalar> : Components<scalar, 1> {};
PORTER_TEXEL(char, signed char)
PORTER_TEXEL(uchar, unsigned char)
PORTER_TEXEL(short, short)
PORTER_TEXEL(ushort, unsigned short)
PORTER_TEXEL(int, int)
PORTER_TEXEL(uint, unsigned)
PORTER_TEXEL(float, float)
PORTER_SCALAR_TEXEL(char)
PORTER_SCALAR_TEXEL(signed char)
PORTER_SCALAR_TEXEL(unsigned char)
PORTER_SCALAR_TEXEL(short)
PORTER_SCALAR_TEXEL(unsigned short)
PORTER_SCALAR_TEXEL(int)
PORTER_SCALAR_TEXEL(unsigned)
PORTER_SCALAR_TEXEL(float)
#undef PORTER_TEXEL
#undef PORTER_SCALAR_TEXEL

template <class T>
T texel_as(const Texel &texel) {
  using Component = typename TexelAs<T>::Component;
  Component parts[TexelAs<T>::size];
  for (int i = 0; i < TexelAs<T>::size; ++i) {
    if constexpr (std::is_floating_point_v<Component>) {
      parts[i] = texel.f[i];
    } else {
      parts[i] = Component(texel.u[i]);
    }
  }
  T value;
  memcpy(&value, parts, sizeof value);
  return value;
}

template <class T>
T sampled(const Texture *texture, float x, float y, float z, int dimensions, int layer = 0) {
  return texel_as<T>(sample(*texture, {x, y, z, dimensions, layer}));
}

}  // namespace porter_sim
