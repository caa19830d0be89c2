// Arrays, textures and the copies between them under the face's prefix. Included by the faces after their types
// (PORTER_API(ChannelFormatDesc), …) are known.
#include "porter_sim/array_core.h"

enum PORTER_API(ChannelFormatKind) {
  PORTER_API(ChannelFormatKindSigned) = 0,
  PORTER_API(ChannelFormatKindUnsigned) = 1,
  PORTER_API(ChannelFormatKindFloat) = 2,
  PORTER_API(ChannelFormatKindNone) = 3,
};
struct PORTER_API(ChannelFormatDesc) {
  int x, y, z, w;
  PORTER_API(ChannelFormatKind) f;
};
struct PORTER_API(Array) : ::porter_sim::Array {};
typedef PORTER_API(Array) *PORTER_API(Array_t);
typedef const PORTER_API(Array) *PORTER_API(Array_const_t);

struct PORTER_API(Extent) {
  size_t width, height, depth;
};
struct PORTER_API(Pos) {
  size_t x, y, z;
};
struct PORTER_API(PitchedPtr) {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct PORTER_API(Memcpy3DParms) {
  PORTER_API(Array_t) srcArray;
  PORTER_API(Pos) srcPos;
  PORTER_API(PitchedPtr) srcPtr;
  PORTER_API(Array_t) dstArray;
  PORTER_API(Pos) dstPos;
  PORTER_API(PitchedPtr) dstPtr;
  PORTER_API(Extent) extent;
  PORTER_API(MemcpyKind) kind;
};
inline PORTER_API(Extent) PORTER_MAKE(Extent)(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline PORTER_API(Pos) PORTER_MAKE(Pos)(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline PORTER_API(PitchedPtr) PORTER_MAKE(PitchedPtr)(void *data, size_t pitch, size_t x, size_t y) {
  return {data, pitch, x, y};
}

enum PORTER_API(ResourceType) {
  PORTER_API(ResourceTypeArray) = 0,
  PORTER_API(ResourceTypeMipmappedArray) = 1,
  PORTER_API(ResourceTypeLinear) = 2,
  PORTER_API(ResourceTypePitch2D) = 3,
};
enum PORTER_ADDRESS_MODE {
  PORTER_API(AddressModeWrap) = 0,
  PORTER_API(AddressModeClamp) = 1,
  PORTER_API(AddressModeMirror) = 2,
  PORTER_API(AddressModeBorder) = 3,
};
enum PORTER_FILTER_MODE { PORTER_API(FilterModePoint) = 0, PORTER_API(FilterModeLinear) = 1 };
enum PORTER_READ_MODE { PORTER_API(ReadModeElementType) = 0, PORTER_API(ReadModeNormalizedFloat) = 1 };
enum PORTER_BOUNDARY {
  PORTER_API(BoundaryModeZero) = 0,
  PORTER_API(BoundaryModeClamp) = 1,
  PORTER_API(BoundaryModeTrap) = 2,
};

struct PORTER_API(ResourceDesc) {
  PORTER_API(ResourceType) resType;
  union {
    struct {
      PORTER_API(Array_t) array;
    } array;
    struct {
      void *mipmap;
    } mipmap;
    struct {
      void *devPtr;
      PORTER_API(ChannelFormatDesc) desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      PORTER_API(ChannelFormatDesc) desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct PORTER_API(TextureDesc) {
  PORTER_ADDRESS_MODE addressMode[3];
  PORTER_FILTER_MODE filterMode;
  PORTER_READ_MODE readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  PORTER_FILTER_MODE mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
};
struct PORTER_API(ResourceViewDesc);

#define PORTER_SIDE(array_, pointer_, position_)                                                              \
  ::porter_sim::api::Side {                                                                                   \
    array_, static_cast<char *>(pointer_.ptr), pointer_.pitch, pointer_.ysize,                                \
        position_.x * (array_ ? array_->channel.bytes() : 1), position_.y, position_.z                        \
  }

inline PORTER_API(ChannelFormatDesc) PORTER_API(CreateChannelDesc)(int x, int y, int z, int w, PORTER_API(ChannelFormatKind) f) {
  return {x, y, z, w, f};
}
template <class T>
PORTER_API(ChannelFormatDesc) PORTER_API(CreateChannelDesc)() {
  using Traits = ::porter_sim::TexelAs<T>;
  using Component = typename Traits::Component;
  const int bits = 8 * sizeof(Component), n = Traits::size;
  const auto kind = std::is_floating_point_v<Component> ? PORTER_API(ChannelFormatKindFloat)
                    : std::is_signed_v<Component>       ? PORTER_API(ChannelFormatKindSigned)
                                                        : PORTER_API(ChannelFormatKindUnsigned);
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind};
}

namespace porter_sim {

inline Channel channel_of(const PORTER_API(ChannelFormatDesc) &d) { return {d.x, d.y, d.z, d.w, ChannelKind(d.f)}; }

inline int create_array(PORTER_API(Array_t) * out, const PORTER_API(ChannelFormatDesc) * desc, size_t width, size_t height,
                        size_t depth, unsigned flags) {
  if (!out || !desc) return 1;
  return api::array_create((Array **)out, channel_of(*desc), width, height, depth, flags);
}

// What an object reads: an array, pitched memory, or a plain range of elements. False for what is not supported.
inline bool describe_resource(const PORTER_API(ResourceDesc) & r, Texture &t) {
  if (r.resType == PORTER_API(ResourceTypeArray)) {
    if (!r.res.array.array) return false;
    t = api::array_texture(*r.res.array.array);
    return true;
  }
  t = Texture{};
  if (r.resType == PORTER_API(ResourceTypeLinear)) {
    t.channel = channel_of(r.res.linear.desc);
    t.data = static_cast<const char *>(r.res.linear.devPtr);
    t.linear_memory = true;
    t.width = t.channel.bytes() ? r.res.linear.sizeInBytes / t.channel.bytes() : 0;
    return t.data && t.channel.bytes();
  }
  if (r.resType != PORTER_API(ResourceTypePitch2D)) return false;
  t.channel = channel_of(r.res.pitch2D.desc);
  t.data = static_cast<const char *>(r.res.pitch2D.devPtr);
  t.width = r.res.pitch2D.width;
  t.height = r.res.pitch2D.height;
  t.pitch = r.res.pitch2D.pitchInBytes;
  return t.data && t.channel.bytes();
}

inline void describe_reading(const PORTER_API(TextureDesc) & d, Texture &t) {
  for (int i = 0; i < 3; ++i) t.address[i] = Address(d.addressMode[i]);
  for (int i = 0; i < 4; ++i) t.border[i] = d.borderColor[i];
  t.linear_filter = d.filterMode == PORTER_API(FilterModeLinear);
  t.read_normalized = d.readMode == PORTER_API(ReadModeNormalizedFloat);
  t.normalized_coordinates = d.normalizedCoords != 0;
  t.srgb = d.sRGB != 0;
}

}  // namespace porter_sim

inline PORTER_ERROR PORTER_API(MallocArray)(PORTER_API(Array_t) * out, const PORTER_API(ChannelFormatDesc) * desc, size_t width,
                                            size_t height = 0, unsigned flags = 0) {
  PORTER_WRAP(::porter_sim::create_array(out, desc, width, height, 0, flags));
}
inline PORTER_ERROR PORTER_API(Malloc3DArray)(PORTER_API(Array_t) * out, const PORTER_API(ChannelFormatDesc) * desc,
                                              PORTER_API(Extent) e, unsigned flags = 0) {
  PORTER_WRAP(::porter_sim::create_array(out, desc, e.width, e.height, e.depth, flags));
}
inline PORTER_ERROR PORTER_API(FreeArray)(PORTER_API(Array_t) array) { PORTER_WRAP(::porter_sim::api::array_destroy(array)); }
inline PORTER_ERROR PORTER_API(Malloc3D)(PORTER_API(PitchedPtr) * out, PORTER_API(Extent) e) {
  const size_t pitch = (e.width + 511) / 512 * 512;
  void *memory = nullptr;
  int status = ::porter_sim::api::malloc_device(&memory, pitch * e.height * e.depth, 0);
  *out = {memory, pitch, e.width, e.height};
  PORTER_WRAP(status);
}
inline PORTER_ERROR PORTER_API(Memset3D)(PORTER_API(PitchedPtr) to, int value, PORTER_API(Extent) e) {
  PORTER_WRAP(::porter_sim::api::fill_box(static_cast<char *>(to.ptr), to.pitch, to.ysize, value, e.width, e.height, e.depth));
}
namespace porter_sim {
inline int copy_3d(const PORTER_API(Memcpy3DParms) & p) {
  const auto *array = p.srcArray ? p.srcArray : p.dstArray;
  const size_t element = array ? array->channel.bytes() : 1;
  return api::copy_box(PORTER_SIDE(p.dstArray, p.dstPtr, p.dstPos), PORTER_SIDE(p.srcArray, p.srcPtr, p.srcPos),
                       p.extent.width * element, p.extent.height, p.extent.depth, int(p.kind));
}
}  // namespace porter_sim
inline PORTER_ERROR PORTER_API(Memcpy3D)(const PORTER_API(Memcpy3DParms) * p) { PORTER_WRAP(::porter_sim::copy_3d(*p)); }
inline PORTER_ERROR PORTER_API(Memcpy3DAsync)(const PORTER_API(Memcpy3DParms) * p, PORTER_API(Stream_t) stream = 0) {
  auto work = [copy = *p] { return ::porter_sim::copy_3d(copy); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
inline PORTER_ERROR PORTER_API(Memcpy2DToArray)(PORTER_API(Array_t) to, size_t x, size_t y, const void *from, size_t pitch,
                                                size_t width, size_t height, PORTER_API(MemcpyKind) direction) {
  PORTER_WRAP(::porter_sim::api::copy_box({to, nullptr, 0, 0, x, y, 0}, {nullptr, (char *)from, pitch, height, 0, 0, 0},
                                          width, height, 1, int(direction)));
}
inline PORTER_ERROR PORTER_API(Memcpy2DToArrayAsync)(PORTER_API(Array_t) to, size_t x, size_t y, const void *from,
                                                     size_t pitch, size_t width, size_t height,
                                                     PORTER_API(MemcpyKind) direction, PORTER_API(Stream_t) stream = 0) {
  auto work = [=] { return int(PORTER_API(Memcpy2DToArray)(to, x, y, from, pitch, width, height, direction)); };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::memcpy, work));
}
inline PORTER_ERROR PORTER_API(Memcpy2DFromArray)(void *to, size_t pitch, PORTER_API(Array_const_t) from, size_t x, size_t y,
                                                  size_t width, size_t height, PORTER_API(MemcpyKind) direction) {
  PORTER_WRAP(::porter_sim::api::copy_box({nullptr, (char *)to, pitch, height, 0, 0, 0},
                                          {(::porter_sim::Array *)from, nullptr, 0, 0, x, y, 0}, width, height, 1,
                                          int(direction)));
}
inline PORTER_ERROR PORTER_API(Memcpy2DArrayToArray)(PORTER_API(Array_t) to, size_t x, size_t y, PORTER_API(Array_const_t) from,
                                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                                     PORTER_API(MemcpyKind) = PORTER_API(MemcpyDeviceToDevice)) {
  PORTER_WRAP(::porter_sim::api::copy_box({to, nullptr, 0, 0, x, y, 0},
                                          {(::porter_sim::Array *)from, nullptr, 0, 0, from_x, from_y, 0}, width, height,
                                          1, 3));
}
// A run of bytes that goes on in the next row where one ends.
inline PORTER_ERROR PORTER_API(MemcpyToArray)(PORTER_API(Array_t) to, size_t x, size_t y, const void *from, size_t bytes,
                                              PORTER_API(MemcpyKind) direction) {
  char *start = to->data + y * to->row_bytes() + x;
  if (x + bytes + y * to->row_bytes() > to->row_bytes() * to->rows()) PORTER_WRAP(1);
  PORTER_WRAP(::porter_sim::api::copy(start, from, bytes, int(direction)));
}
inline PORTER_ERROR PORTER_API(MemcpyFromArray)(void *to, PORTER_API(Array_const_t) from, size_t x, size_t y, size_t bytes,
                                                PORTER_API(MemcpyKind) direction) {
  const char *start = from->data + y * from->row_bytes() + x;
  if (x + bytes + y * from->row_bytes() > from->row_bytes() * from->rows()) PORTER_WRAP(1);
  PORTER_WRAP(::porter_sim::api::copy(to, start, bytes, int(direction)));
}
inline PORTER_ERROR PORTER_API(GetChannelDesc)(PORTER_API(ChannelFormatDesc) * desc, PORTER_API(Array_const_t) array) {
  const auto &c = array->channel;
  *desc = {c.x, c.y, c.z, c.w, PORTER_API(ChannelFormatKind)(c.kind)};
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(ArrayGetInfo)(PORTER_API(ChannelFormatDesc) * desc, PORTER_API(Extent) * e, unsigned *flags,
                                             PORTER_API(Array_t) array) {
  if (desc) PORTER_API(GetChannelDesc)(desc, array);
  if (e) *e = {array->width, array->height, array->depth};
  if (flags) *flags = array->flags;
  return PORTER_ERROR(0);
}

inline PORTER_ERROR PORTER_API(CreateTextureObject)(PORTER_TEXTURE_OBJECT *out, const PORTER_API(ResourceDesc) * resource,
                                                    const PORTER_API(TextureDesc) * reading,
                                                    const PORTER_API(ResourceViewDesc) * = nullptr) {
  ::porter_sim::Texture description{}, *made = nullptr;
  if (!::porter_sim::describe_resource(*resource, description)) PORTER_WRAP(1);
  ::porter_sim::describe_reading(*reading, description);
  int status = ::porter_sim::api::texture_create(&made, description);
  *out = PORTER_TEXTURE_OBJECT(made);
  PORTER_WRAP(status);
}
inline PORTER_ERROR PORTER_API(DestroyTextureObject)(PORTER_TEXTURE_OBJECT object) {
  PORTER_WRAP(::porter_sim::api::texture_destroy((::porter_sim::Texture *)object));
}
inline PORTER_ERROR PORTER_API(CreateSurfaceObject)(PORTER_SURFACE_OBJECT *out, const PORTER_API(ResourceDesc) * resource) {
  ::porter_sim::Texture description{}, *made = nullptr;
  if (resource->resType != PORTER_API(ResourceTypeArray) || !::porter_sim::describe_resource(*resource, description)) {
    PORTER_WRAP(1);
  }
  int status = ::porter_sim::api::texture_create(&made, description);
  *out = PORTER_SURFACE_OBJECT(made);
  PORTER_WRAP(status);
}
inline PORTER_ERROR PORTER_API(DestroySurfaceObject)(PORTER_SURFACE_OBJECT object) {
  PORTER_WRAP(::porter_sim::api::texture_destroy((::porter_sim::Texture *)object));
}
#undef PORTER_SIDE
