// Reading textures and surfaces in device code; both vendors use the same names. Included by the faces after
// PORTER_TEXTURE_OBJECT and PORTER_SURFACE_OBJECT (the handles' types) and PORTER_BOUNDARY are defined.
#include "porter_sim/array_core.h"

namespace porter_sim {

inline const Texture *texture_of(PORTER_TEXTURE_OBJECT object) { return (const Texture *)(object); }
inline const Texture *surface_of(PORTER_SURFACE_OBJECT object) { return (const Texture *)(object); }

template <class T>
T surface_read(PORTER_SURFACE_OBJECT object, int x_bytes, int y, int z, PORTER_BOUNDARY mode) {
  T value{};
  const char *from = surface_element(*surface_of(object), x_bytes, y, z, sizeof(T), Boundary(mode));
  if (from) memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void surface_write(T value, PORTER_SURFACE_OBJECT object, int x_bytes, int y, int z, PORTER_BOUNDARY mode) {
  char *to = surface_element(*surface_of(object), x_bytes, y, z, sizeof(T), Boundary(mode));
  if (to) memcpy(to, &value, sizeof value);
}

}  // namespace porter_sim

// Each function exists in the two forms that CUDA documents: the value returned, or stored through a pointer.
#define PORTER_TEXTURE_READ(name, parameters, expression)                \
  template <class T>                                                     \
  T name parameters {                                                    \
    using namespace ::porter_sim;                                        \
    return expression;                                                   \
  }
#define PORTER_OBJECT PORTER_TEXTURE_OBJECT object

PORTER_TEXTURE_READ(tex1Dfetch, (PORTER_OBJECT, int i), texel_as<T>(fetch(*texture_of(object), i)))
PORTER_TEXTURE_READ(tex1D, (PORTER_OBJECT, float x), sampled<T>(texture_of(object), x, 0, 0, 1))
PORTER_TEXTURE_READ(tex2D, (PORTER_OBJECT, float x, float y), sampled<T>(texture_of(object), x, y, 0, 2))
PORTER_TEXTURE_READ(tex3D, (PORTER_OBJECT, float x, float y, float z), sampled<T>(texture_of(object), x, y, z, 3))
PORTER_TEXTURE_READ(tex1DLod, (PORTER_OBJECT, float x, float), sampled<T>(texture_of(object), x, 0, 0, 1))
PORTER_TEXTURE_READ(tex2DLod, (PORTER_OBJECT, float x, float y, float), sampled<T>(texture_of(object), x, y, 0, 2))
PORTER_TEXTURE_READ(tex3DLod, (PORTER_OBJECT, float x, float y, float z, float),
                    sampled<T>(texture_of(object), x, y, z, 3))
PORTER_TEXTURE_READ(tex1DGrad, (PORTER_OBJECT, float x, float, float), sampled<T>(texture_of(object), x, 0, 0, 1))
PORTER_TEXTURE_READ(tex2DGrad, (PORTER_OBJECT, float x, float y, float2, float2),
                    sampled<T>(texture_of(object), x, y, 0, 2))
PORTER_TEXTURE_READ(tex1DLayered, (PORTER_OBJECT, float x, int layer),
                    sampled<T>(texture_of(object), x, 0, 0, 1, layer))
PORTER_TEXTURE_READ(tex2DLayered, (PORTER_OBJECT, float x, float y, int layer),
                    sampled<T>(texture_of(object), x, y, 0, 2, layer))
PORTER_TEXTURE_READ(texCubemap, (PORTER_OBJECT, float x, float y, float z),
                    texel_as<T>(sample(*texture_of(object), cube_coordinate(x, y, z, 0))))
PORTER_TEXTURE_READ(texCubemapLayered, (PORTER_OBJECT, float x, float y, float z, int layer),
                    texel_as<T>(sample(*texture_of(object), cube_coordinate(x, y, z, layer))))
PORTER_TEXTURE_READ(tex2Dgather, (PORTER_OBJECT, float x, float y, int component = 0),
                    texel_as<T>(gather(*texture_of(object), {x, y, 0, 2, 0}, component)))
#undef PORTER_TEXTURE_READ

template <class T>
void tex1Dfetch(T *out, PORTER_OBJECT, int i) {
  *out = tex1Dfetch<T>(object, i);
}
template <class T>
void tex1D(T *out, PORTER_OBJECT, float x) {
  *out = tex1D<T>(object, x);
}
template <class T>
void tex2D(T *out, PORTER_OBJECT, float x, float y) {
  *out = tex2D<T>(object, x, y);
}
template <class T>
void tex3D(T *out, PORTER_OBJECT, float x, float y, float z) {
  *out = tex3D<T>(object, x, y, z);
}
#undef PORTER_OBJECT

#define PORTER_MODE PORTER_BOUNDARY mode = PORTER_BOUNDARY(2)
#define PORTER_SURFACE(name, coordinates, x_, y_, z_)                                          \
  template <class T>                                                                           \
  T name##read(PORTER_SURFACE_OBJECT object, PORTER_UNPACK coordinates, PORTER_MODE) {          \
    return ::porter_sim::surface_read<T>(object, x_, y_, z_, mode);                            \
  }                                                                                            \
  template <class T>                                                                           \
  void name##read(T *out, PORTER_SURFACE_OBJECT object, PORTER_UNPACK coordinates, PORTER_MODE) { \
    *out = ::porter_sim::surface_read<T>(object, x_, y_, z_, mode);                            \
  }                                                                                            \
  template <class T>                                                                           \
  void name##write(T value, PORTER_SURFACE_OBJECT object, PORTER_UNPACK coordinates, PORTER_MODE) { \
    ::porter_sim::surface_write<T>(value, object, x_, y_, z_, mode);                           \
  }
#define PORTER_UNPACK(...) __VA_ARGS__

PORTER_SURFACE(surf1D, (int x), x, 0, 0)
PORTER_SURFACE(surf2D, (int x, int y), x, y, 0)
PORTER_SURFACE(surf3D, (int x, int y, int z), x, y, z)
PORTER_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
PORTER_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
PORTER_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
PORTER_SURFACE(surfCubemapLayered, (int x, int y, int layer), x, y, layer)
#undef PORTER_SURFACE
#undef PORTER_UNPACK
#undef PORTER_MODE
