// Textures, surfaces and CUDA arrays in software, for GPUs without image instructions (gfx90a, gfx942, gfx950);
// added by porter. Texture and surface objects point to a description in device memory, arrays are plain memory.
//
// Coordinates, addressing, filtering and conversion follow the CUDA programming guide, "Texture Fetching":
// weights have eight bits behind the point, and so have their products. Not there: mipmaps, anisotropic filtering,
// sRGB, filtering across the edges of a cube. A fetch costs a load for each texel that it reads, without the texture
// units' own cache.
#ifndef PORTER_TEXTURE_H
#define PORTER_TEXTURE_H

#include <hip/hip_runtime.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace porter_texture {

// Memory in rows: `pitch` bytes from row to row, `slice` from plane to plane. `extent` is in texels.
struct Image {
  char* data = nullptr;
  size_t pitch = 0, slice = 0;
  int width = 0, height = 0, depth = 0;
  int bytes = 0;     // of a texel
  int bits = 0;      // of a channel
  int channels = 0;
  hipChannelFormatKind kind = hipChannelFormatKindUnsigned;
  hipChannelFormatDesc format = {};
  hipExtent extent = {};  // as it was asked for
  unsigned flags = 0;
};

struct Sampler {
  hipTextureAddressMode address[3] = {hipAddressModeClamp, hipAddressModeClamp, hipAddressModeClamp};
  hipTextureFilterMode filter = hipFilterModePoint;
  bool normalized = false;     // coordinates from 0 to 1
  bool as_float = false;       // integers as fractions of their largest value
  float border[4] = {0.0f, 0.0f, 0.0f, 0.0f};
};

struct Texture {
  Image image;
  Sampler sampler;
};

struct Texel {
  float value[4];
};

__device__ inline const char* address_of(const Image& image, int x, int y, int z) {
  return image.data + z * image.slice + y * image.pitch + static_cast<size_t>(x) * image.bytes;
}

template <class Word>
__device__ inline float channel(const char* at, int i) {
  return static_cast<float>(reinterpret_cast<const Word*>(at)[i]);
}

// One channel as a float: fractions of the largest value for integers.
__device__ inline float channel_as_float(const Image& image, const char* at, int i) {
  const bool is_signed = image.kind == hipChannelFormatKindSigned;
  if (image.kind == hipChannelFormatKindFloat) {
    return image.bits == 16 ? static_cast<float>(reinterpret_cast<const _Float16*>(at)[i]) : channel<float>(at, i);
  }
  if (image.bits == 8) {
    return is_signed ? fmaxf(channel<signed char>(at, i) / 127.0f, -1.0f) : channel<unsigned char>(at, i) / 255.0f;
  }
  if (image.bits == 16) {
    return is_signed ? fmaxf(channel<short>(at, i) / 32767.0f, -1.0f) : channel<unsigned short>(at, i) / 65535.0f;
  }
  return is_signed ? channel<int>(at, i) : channel<unsigned>(at, i);
}

// The index after the address mode; -1 outside where the mode is border.
__device__ inline int resolve(int i, int n, hipTextureAddressMode mode, bool normalized) {
  if (i >= 0 && i < n) return i;
  if (mode == hipAddressModeBorder) return -1;
  if (normalized && mode == hipAddressModeWrap) return ((i % n) + n) % n;
  if (normalized && mode == hipAddressModeMirror) {
    const int twice = ((i % (2 * n)) + 2 * n) % (2 * n);
    return twice < n ? twice : 2 * n - 1 - twice;
  }
  return i < 0 ? 0 : n - 1;
}

// A coordinate in texels.
__device__ inline float in_texels(float x, int n, hipTextureAddressMode mode, bool normalized) {
  if (!normalized) return x;
  if (mode == hipAddressModeWrap) return (x - floorf(x)) * n;
  if (mode == hipAddressModeMirror) {
    const float whole = floorf(x), fraction = x - whole;
    return (static_cast<long long>(whole) & 1 ? 1.0f - fraction : fraction) * n;
  }
  return x * n;
}

__device__ inline float fixed_point(float fraction) { return floorf(fraction * 256.0f + 0.5f) / 256.0f; }

// Where an axis is read: the two neighbours and the second one's weight.
struct Axis {
  int first, second;
  float weight;
};

__device__ inline int clamped(float x) { return static_cast<int>(fminf(fmaxf(floorf(x), -1073741824.0f), 1073741824.0f)); }

__device__ inline Axis axis(const Sampler& sampler, float x, int n, int which) {
  const hipTextureAddressMode mode = sampler.address[which];
  const float texels = in_texels(x, n, mode, sampler.normalized);
  if (sampler.filter == hipFilterModePoint) {
    const int i = resolve(clamped(texels), n, mode, sampler.normalized);
    return {i, i, 0.0f};
  }
  const float shifted = texels - 0.5f;
  const int i = clamped(shifted);
  return {resolve(i, n, mode, sampler.normalized), resolve(i + 1, n, mode, sampler.normalized),
          fixed_point(shifted - floorf(shifted))};
}

__device__ inline void add_texel(const Texture& texture, int x, int y, int z, float weight, Texel& sum) {
  const bool outside = x < 0 || y < 0 || z < 0;
  const char* at = outside ? nullptr : address_of(texture.image, x, y, z);
#pragma unroll
  for (int i = 0; i < 4; ++i) {  // the bound is constant: an array indexed otherwise would be put into LDS
    if (i >= texture.image.channels) continue;
    const float value = outside ? texture.sampler.border[i] : channel_as_float(texture.image, at, i);
    sum.value[i] += weight * value;
  }
}

// The border's colour in the texel's own format.
template <class T>
__device__ inline T border_bits(const Texture& texture) {
  const Image& image = texture.image;
  char texel[16] = {};
  const int bytes = image.bits / 8;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i >= image.channels) continue;
    const float color = texture.sampler.border[i];
    const long long whole = static_cast<long long>(color);
    const void* from = image.kind == hipChannelFormatKindFloat ? static_cast<const void*>(&color) : &whole;
    memcpy(texel + i * bytes, from, bytes);
  }
  T result{};
  memcpy(&result, texel, sizeof(T) < sizeof texel ? sizeof(T) : sizeof texel);
  return result;
}

// T from the bits of a texel, or from floats where integers are read as fractions or texels are filtered.
template <class T>
__device__ inline T from_bits(const Texture& texture, int x, int y, int z) {
  T result{};
  if (x < 0 || y < 0 || z < 0) return border_bits<T>(texture);
  const size_t bytes = sizeof(T) < static_cast<size_t>(texture.image.bytes) ? sizeof(T) : texture.image.bytes;
  memcpy(&result, address_of(texture.image, x, y, z), bytes);
  return result;
}

template <class T>
__device__ inline T from_texel(const Texel& texel) {
  T result{};
  memcpy(&result, texel.value, sizeof(T) < sizeof texel.value ? sizeof(T) : sizeof texel.value);
  return result;
}

__device__ inline bool is_half(const Image& image) { return image.kind == hipChannelFormatKindFloat && image.bits == 16; }

__device__ inline bool reads_floats(const Texture& texture) {
  return texture.sampler.as_float || is_half(texture.image) || texture.sampler.filter == hipFilterModeLinear;
}

// `layer` is the plane that is read, below 0 where z is a coordinate.
template <int Dimensions, class T>
__device__ inline T sampled(const Texture& texture, float x, float y, float z, int layer) {
  const Image& image = texture.image;
  const Axis along = axis(texture.sampler, x, image.width, 0);
  const Axis across = Dimensions > 1 ? axis(texture.sampler, y, image.height, 1) : Axis{0, 0, 0.0f};
  Axis into = Dimensions > 2 ? axis(texture.sampler, z, image.depth, 2) : Axis{0, 0, 0.0f};
  if (layer >= 0) into = {layer < image.depth ? layer : image.depth - 1, 0, 0.0f};
  if (!reads_floats(texture)) return from_bits<T>(texture, along.first, across.first, into.first);
  const float x1 = along.weight, y1 = across.weight, z1 = into.weight;
  const float xy = fixed_point(x1 * y1), xz = fixed_point(x1 * z1), yz = fixed_point(y1 * z1), xyz = fixed_point(xz * y1);
  Texel sum = {{0.0f, 0.0f, 0.0f, 0.0f}};
#pragma unroll
  for (int corner = 0; corner < 1 << Dimensions; ++corner) {
    const bool right = corner & 1, below = corner & 2, behind = corner & 4;
    const float all = right ? (below ? xyz : xz - xyz) : (below ? yz - xyz : z1 - xz - yz + xyz);
    const float plane = right ? (below ? xy : x1 - xy) : (below ? y1 - xy : 1.0f - x1 - y1 + xy);
    const float weight = behind ? all : plane - all;
    if (weight == 0.0f) continue;
    add_texel(texture, right ? along.second : along.first, below ? across.second : across.first,
              behind ? into.second : into.first, weight, sum);
  }
  return from_texel<T>(sum);
}

template <class T>
__device__ inline T fetched(const Texture& texture, int i) {
  const bool outside = i < 0 || i >= texture.image.width;
  if (!texture.sampler.as_float && !is_half(texture.image)) return outside ? T{} : from_bits<T>(texture, i, 0, 0);
  Texel sum = {{0.0f, 0.0f, 0.0f, 0.0f}};
  if (!outside) add_texel(texture, i, 0, 0, 1.0f, sum);
  return from_texel<T>(sum);
}

// The face of the largest component, and the place on it.
template <class T>
__device__ inline T on_cube(const Texture& texture, float x, float y, float z, int layer) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  float s, t, largest;
  int face;
  if (ax >= ay && ax >= az) {
    face = x >= 0.0f ? 0 : 1, largest = ax, s = x >= 0.0f ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0.0f ? 2 : 3, largest = ay, s = x, t = y >= 0.0f ? z : -z;
  } else {
    face = z >= 0.0f ? 4 : 5, largest = az, s = z >= 0.0f ? x : -x, t = -y;
  }
  Texture flat = texture;
  flat.sampler.address[0] = flat.sampler.address[1] = hipAddressModeClamp;
  flat.sampler.normalized = true;
  return sampled<2, T>(flat, (s / largest + 1.0f) / 2.0f, (t / largest + 1.0f) / 2.0f, 0.0f, 6 * layer + face);
}

// One component of the four texels that a filter would read, in the order of the CUDA reference.
template <class T>
__device__ inline T gathered(const Texture& texture, float x, float y, int component) {
  Sampler linear = texture.sampler;
  linear.filter = hipFilterModeLinear;
  const Axis along = axis(linear, x, texture.image.width, 0), across = axis(linear, y, texture.image.height, 1);
  const int at[4][2] = {{along.first, across.second}, {along.second, across.second},
                        {along.second, across.first}, {along.first, across.first}};
  T result{};
  const size_t bytes = sizeof(T) / 4;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (at[i][0] < 0 || at[i][1] < 0) continue;
    const char* texel = address_of(texture.image, at[i][0], at[i][1], 0);
    const float value = texture.sampler.as_float ? channel_as_float(texture.image, texel, component) : 0.0f;
    const char* from = texture.sampler.as_float ? reinterpret_cast<const char*>(&value) : texel + component * bytes;
    memcpy(reinterpret_cast<char*>(&result) + i * bytes, from, bytes);
  }
  return result;
}

__device__ inline const Texture& texture_of(hipTextureObject_t object) { return *(const Texture*)object; }

// The element of a surface, null outside with any mode but trap; a clamped one with clamp.
__device__ inline char* surface_at(hipSurfaceObject_t object, int x_bytes, int y, int z, int size, int mode) {
  const Image& image = *(const Image*)object;
  const int row = image.width * image.bytes;
  if (mode == hipBoundaryModeClamp) {
    x_bytes = x_bytes < 0 ? 0 : (x_bytes > row - size ? row - size : x_bytes);
    y = y < 0 ? 0 : (y >= image.height ? image.height - 1 : y);
    z = z < 0 ? 0 : (z >= image.depth ? image.depth - 1 : z);
  }
  if (x_bytes < 0 || x_bytes > row - size || y < 0 || y >= image.height || z < 0 || z >= image.depth) {
    if (mode == hipBoundaryModeTrap) abort();
    return nullptr;
  }
  return image.data + z * image.slice + y * image.pitch + x_bytes;
}

}  // namespace porter_texture

#define PORTER_FETCH(name, parameters, expression)                      \
  template <class T>                                                    \
  __device__ inline T porter_##name parameters {                        \
    return porter_texture::expression;                                  \
  }
PORTER_FETCH(tex1Dfetch, (hipTextureObject_t o, int i), fetched<T>(porter_texture::texture_of(o), i))
#define PORTER_SAMPLED(dimensions, ...) sampled<dimensions, T>(porter_texture::texture_of(o), __VA_ARGS__)
PORTER_FETCH(tex1D, (hipTextureObject_t o, float x), PORTER_SAMPLED(1, x, 0, 0, -1))
PORTER_FETCH(tex2D, (hipTextureObject_t o, float x, float y), PORTER_SAMPLED(2, x, y, 0, -1))
PORTER_FETCH(tex3D, (hipTextureObject_t o, float x, float y, float z), PORTER_SAMPLED(3, x, y, z, -1))
PORTER_FETCH(tex1DLayered, (hipTextureObject_t o, float x, int layer), PORTER_SAMPLED(1, x, 0, 0, layer < 0 ? 0 : layer))
PORTER_FETCH(tex2DLayered, (hipTextureObject_t o, float x, float y, int layer),
             PORTER_SAMPLED(2, x, y, 0, layer < 0 ? 0 : layer))
PORTER_FETCH(tex1DLod, (hipTextureObject_t o, float x, float), PORTER_SAMPLED(1, x, 0, 0, -1))
PORTER_FETCH(tex2DLod, (hipTextureObject_t o, float x, float y, float), PORTER_SAMPLED(2, x, y, 0, -1))
PORTER_FETCH(tex3DLod, (hipTextureObject_t o, float x, float y, float z, float), PORTER_SAMPLED(3, x, y, z, -1))
PORTER_FETCH(texCubemap, (hipTextureObject_t o, float x, float y, float z),
             on_cube<T>(porter_texture::texture_of(o), x, y, z, 0))
PORTER_FETCH(texCubemapLayered, (hipTextureObject_t o, float x, float y, float z, int layer),
             on_cube<T>(porter_texture::texture_of(o), x, y, z, layer))
PORTER_FETCH(tex2Dgather, (hipTextureObject_t o, float x, float y, int component = 0),
             gathered<T>(porter_texture::texture_of(o), x, y, component))
#undef PORTER_SAMPLED
#undef PORTER_FETCH

// The forms that store through a pointer.
template <class T, class... Where>
__device__ inline void porter_tex1Dfetch(T* out, hipTextureObject_t o, Where... where) {
  *out = porter_tex1Dfetch<T>(o, where...);
}
template <class T, class... Where>
__device__ inline void porter_tex1D(T* out, hipTextureObject_t o, Where... where) {
  *out = porter_tex1D<T>(o, where...);
}
template <class T, class... Where>
__device__ inline void porter_tex2D(T* out, hipTextureObject_t o, Where... where) {
  *out = porter_tex2D<T>(o, where...);
}
template <class T, class... Where>
__device__ inline void porter_tex3D(T* out, hipTextureObject_t o, Where... where) {
  *out = porter_tex3D<T>(o, where...);
}

#define PORTER_SURFACE(name, parameters, x_, y_, z_)                                                     \
  template <class T>                                                                                     \
  __device__ inline T porter_##name##read(hipSurfaceObject_t o, PORTER_OPEN parameters,                  \
                                          int mode = hipBoundaryModeTrap) {                              \
    T value{};                                                                                           \
    const char* at = porter_texture::surface_at(o, x_, y_, z_, sizeof(T), mode);                         \
    if (at) memcpy(&value, at, sizeof(T));                                                               \
    return value;                                                                                        \
  }                                                                                                      \
  template <class T>                                                                                     \
  __device__ inline void porter_##name##read(T* out, hipSurfaceObject_t o, PORTER_OPEN parameters,       \
                                             int mode = hipBoundaryModeTrap) {                           \
    const char* at = porter_texture::surface_at(o, x_, y_, z_, sizeof(T), mode);                         \
    if (at) memcpy(out, at, sizeof(T));                                                                  \
  }                                                                                                      \
  template <class T>                                                                                     \
  __device__ inline void porter_##name##write(T value, hipSurfaceObject_t o, PORTER_OPEN parameters,     \
                                              int mode = hipBoundaryModeTrap) {                          \
    char* at = porter_texture::surface_at(o, x_, y_, z_, sizeof(T), mode);                               \
    if (at) memcpy(at, &value, sizeof(T));                                                               \
  }
#define PORTER_OPEN(...) __VA_ARGS__
PORTER_SURFACE(surf1D, (int x), x, 0, 0)
PORTER_SURFACE(surf2D, (int x, int y), x, y, 0)
PORTER_SURFACE(surf3D, (int x, int y, int z), x, y, z)
PORTER_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
PORTER_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
PORTER_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
PORTER_SURFACE(surfCubemapLayered, (int x, int y, int layer), x, y, layer)
#undef PORTER_SURFACE
#undef PORTER_OPEN

#include "porter_texture_host.h"

#endif
