// The host side of porter_texture.h: arrays, texture and surface objects, texture references; added by porter.
// An array handle points to an Image; an object is the device address of its description.
#ifndef PORTER_TEXTURE_HOST_H
#define PORTER_TEXTURE_HOST_H

namespace porter_texture {

inline Image image_of(void* data, size_t pitch, size_t slice, const hipChannelFormatDesc& format, int width, int height,
                      int depth) {
  const int channels = (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
  Image image;
  image.data = static_cast<char*>(data), image.pitch = pitch, image.slice = slice;
  image.width = width, image.height = height, image.depth = depth;
  image.bits = format.x, image.channels = channels, image.bytes = channels * format.x / 8;
  image.kind = format.f, image.format = format;
  return image;
}

inline Image* image_of(const void* array) { return static_cast<Image*>(const_cast<void*>(array)); }

inline hipError_t allocate(hipArray_t* array, const hipChannelFormatDesc& format, hipExtent extent, unsigned flags) {
  const int width = static_cast<int>(extent.width);
  const int height = extent.height ? static_cast<int>(extent.height) : 1;
  const int depth = extent.depth ? static_cast<int>(extent.depth) : 1;
  Image image = image_of(nullptr, 0, 0, format, width, height, depth);
  image.pitch = (static_cast<size_t>(width) * image.bytes + 127) / 128 * 128;
  image.slice = image.pitch * height;
  image.extent = extent, image.flags = flags;
  void* data = nullptr;
  const hipError_t status = hipMalloc(&data, image.slice * depth);
  if (status != hipSuccess) return status;
  image.data = static_cast<char*>(data);
  *array = (hipArray_t) new Image(image);
  return hipSuccess;
}

template <class Description>
hipError_t to_device(const Description& description, Description** copy) {
  void* at = nullptr;
  hipError_t status = hipMalloc(&at, sizeof description);
  if (status == hipSuccess) status = hipMemcpy(at, &description, sizeof description, hipMemcpyHostToDevice);
  *copy = static_cast<Description*>(at);
  return status;
}

// Bytes that run on from one row into the next, as cudaMemcpyToArray copies them.
inline hipError_t copy_run(Image& image, size_t x, size_t y, void* other, size_t count, hipMemcpyKind kind, bool to_array) {
  const size_t row = static_cast<size_t>(image.width) * image.bytes;
  char* linear = static_cast<char*>(other);
  while (count > 0) {
    const size_t bytes = count < row - x ? count : row - x;
    char* at = image.data + y * image.pitch + x;
    const hipError_t status = to_array ? hipMemcpy(at, linear, bytes, kind) : hipMemcpy(linear, at, bytes, kind);
    if (status != hipSuccess) return status;
    linear += bytes, count -= bytes, x = 0, ++y;
  }
  return hipSuccess;
}

struct Side {
  char* data;
  size_t pitch, slice;
};

inline Side side_of(hipArray_t array, const hipPos& at, const hipPitchedPtr& linear, int bytes) {
  if (array) {
    const Image& image = *image_of(array);
    return {image.data + at.z * image.slice + at.y * image.pitch + at.x * image.bytes, image.pitch, image.slice};
  }
  const size_t slice = linear.pitch * linear.ysize;
  return {static_cast<char*>(linear.ptr) + at.z * slice + at.y * linear.pitch + at.x * bytes, linear.pitch, slice};
}

}  // namespace porter_texture

inline hipError_t porter_MallocArray(hipArray_t* array, const hipChannelFormatDesc* format, size_t width,
                                     size_t height = 0, unsigned flags = 0) {
  return porter_texture::allocate(array, *format, make_hipExtent(width, height, 0), flags);
}
inline hipError_t porter_Malloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format, hipExtent extent,
                                       unsigned flags = 0) {
  return porter_texture::allocate(array, *format, extent, flags);
}
inline hipError_t porter_FreeArray(hipArray_t array) {
  if (!array) return hipSuccess;
  porter_texture::Image* image = porter_texture::image_of(array);
  const hipError_t status = hipFree(image->data);
  delete image;
  return status;
}
inline hipError_t porter_ArrayGetInfo(hipChannelFormatDesc* format, hipExtent* extent, unsigned* flags, hipArray_t array) {
  const porter_texture::Image& image = *porter_texture::image_of(array);
  if (format) *format = image.format;
  if (extent) *extent = image.extent;
  if (flags) *flags = image.flags;
  return hipSuccess;
}
inline hipError_t porter_GetChannelDesc(hipChannelFormatDesc* format, hipArray_const_t array) {
  *format = porter_texture::image_of(array)->format;
  return hipSuccess;
}

inline hipError_t porter_MemcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t count,
                                       hipMemcpyKind kind) {
  return porter_texture::copy_run(*porter_texture::image_of(to), x, y, const_cast<void*>(from), count, kind, true);
}
inline hipError_t porter_MemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t count,
                                         hipMemcpyKind kind) {
  return porter_texture::copy_run(*porter_texture::image_of(from), x, y, to, count, kind, false);
}
inline hipError_t porter_Memcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                         size_t height, hipMemcpyKind kind) {
  porter_texture::Image& image = *porter_texture::image_of(to);
  return hipMemcpy2D(image.data + y * image.pitch + x, image.pitch, from, pitch, width, height, kind);
}
inline hipError_t porter_Memcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                              size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream = 0) {
  porter_texture::Image& image = *porter_texture::image_of(to);
  return hipMemcpy2DAsync(image.data + y * image.pitch + x, image.pitch, from, pitch, width, height, kind, stream);
}
inline hipError_t porter_Memcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                           size_t height, hipMemcpyKind kind) {
  porter_texture::Image& image = *porter_texture::image_of(from);
  return hipMemcpy2D(to, pitch, image.data + y * image.pitch + x, image.pitch, width, height, kind);
}
inline hipError_t porter_Memcpy2DArrayToArray(hipArray_t to, size_t x, size_t y, hipArray_const_t from, size_t from_x,
                                              size_t from_y, size_t width, size_t height,
                                              hipMemcpyKind kind = hipMemcpyDeviceToDevice) {
  porter_texture::Image& image = *porter_texture::image_of(from);
  return porter_Memcpy2DToArray(to, x, y, image.data + from_y * image.pitch + from_x, image.pitch, width, height, kind);
}
inline hipError_t porter_Memcpy3D(const hipMemcpy3DParms* p) {
  using namespace porter_texture;
  if (!p->srcArray && !p->dstArray) return hipMemcpy3D(p);
  // With an array the width is in its elements.
  const int bytes = image_of(p->srcArray ? p->srcArray : p->dstArray)->bytes;
  const Side from = side_of(p->srcArray, p->srcPos, p->srcPtr, 1), to = side_of(p->dstArray, p->dstPos, p->dstPtr, 1);
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const hipError_t status = hipMemcpy2D(to.data + z * to.slice, to.pitch, from.data + z * from.slice, from.pitch,
                                          p->extent.width * bytes, p->extent.height, p->kind);
    if (status != hipSuccess) return status;
  }
  return hipSuccess;
}
inline hipError_t porter_Memcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream = 0) {
  const hipError_t status = hipStreamSynchronize(stream);
  return status == hipSuccess ? porter_Memcpy3D(p) : status;
}

inline hipError_t porter_CreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                             const hipTextureDesc* how, const void* = nullptr) {
  using namespace porter_texture;
  Texture texture;
  if (resource->resType == hipResourceTypeArray) {
    texture.image = *image_of(resource->res.array.array);
  } else if (resource->resType == hipResourceTypeLinear) {
    const auto& linear = resource->res.linear;
    texture.image = image_of(linear.devPtr, 0, 0, linear.desc, 0, 1, 1);
    texture.image.width = static_cast<int>(linear.sizeInBytes / texture.image.bytes);
  } else if (resource->resType == hipResourceTypePitch2D) {
    const auto& rows = resource->res.pitch2D;
    texture.image = image_of(rows.devPtr, rows.pitchInBytes, 0, rows.desc, static_cast<int>(rows.width),
                             static_cast<int>(rows.height), 1);
  } else {
    return hipErrorNotSupported;
  }
  for (int i = 0; i < 3; ++i) texture.sampler.address[i] = how->addressMode[i];
  for (int i = 0; i < 4; ++i) texture.sampler.border[i] = how->borderColor[i];
  texture.sampler.filter = how->filterMode;
  texture.sampler.normalized = how->normalizedCoords;
  texture.sampler.as_float = how->readMode == hipReadModeNormalizedFloat;
  Texture* copy = nullptr;
  const hipError_t status = to_device(texture, &copy);
  *object = (hipTextureObject_t)copy;
  return status;
}
inline hipError_t porter_DestroyTextureObject(hipTextureObject_t object) { return hipFree((void*)object); }

inline hipError_t porter_CreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource) {
  porter_texture::Image* copy = nullptr;
  const hipError_t status = porter_texture::to_device(*porter_texture::image_of(resource->res.array.array), &copy);
  *object = (hipSurfaceObject_t)copy;
  return status;
}
inline hipError_t porter_DestroySurfaceObject(hipSurfaceObject_t object) { return hipFree((void*)object); }

// A texture reference: a managed variable that binding fills in.
template <class T, int Dimensions = 1, hipTextureReadMode Mode = hipReadModeElementType>
struct porter_texture_reference {
  int normalized = 0;
  hipTextureFilterMode filterMode = hipFilterModePoint;
  hipTextureAddressMode addressMode[3] = {hipAddressModeClamp, hipAddressModeClamp, hipAddressModeClamp};
  hipChannelFormatDesc channelDesc = {};
  porter_texture::Texture texture = {};
};

namespace porter_texture {

// What a fetch through a reference gives: the element, or floats with as many components.
template <class T, hipTextureReadMode Mode>
struct Result {
  using type = T;
};
#define PORTER_AS_FLOATS(name)                                                           \
  template <> struct Result<name, hipReadModeNormalizedFloat> { using type = float; };   \
  template <> struct Result<name##1, hipReadModeNormalizedFloat> { using type = float1; }; \
  template <> struct Result<name##2, hipReadModeNormalizedFloat> { using type = float2; }; \
  template <> struct Result<name##4, hipReadModeNormalizedFloat> { using type = float4; };
using uchar = unsigned char;
using ushort = unsigned short;
PORTER_AS_FLOATS(char)
PORTER_AS_FLOATS(uchar)
PORTER_AS_FLOATS(short)
PORTER_AS_FLOATS(ushort)
#undef PORTER_AS_FLOATS

template <class T, int D, hipTextureReadMode M>
hipError_t bind(porter_texture_reference<T, D, M>& reference, const Image& image) {
  // A kernel in flight may still read what the reference was bound to.
  const hipError_t status = hipDeviceSynchronize();
  Texture texture;
  texture.image = image;
  for (int i = 0; i < 3; ++i) texture.sampler.address[i] = reference.addressMode[i];
  texture.sampler.filter = reference.filterMode;
  texture.sampler.normalized = reference.normalized;
  texture.sampler.as_float = M == hipReadModeNormalizedFloat;
  reference.texture = texture;
  return status;
}

}  // namespace porter_texture

template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTexture(size_t* offset, porter_texture_reference<T, D, M>& reference, const void* data,
                              const hipChannelFormatDesc& format, size_t bytes = 0xffffffffu) {
  if (offset) *offset = 0;
  porter_texture::Image image = porter_texture::image_of(const_cast<void*>(data), 0, 0, format, 0, 1, 1);
  const size_t count = bytes / image.bytes;
  image.width = count > 0x7fffffff ? 0x7fffffff : static_cast<int>(count);
  return porter_texture::bind(reference, image);
}
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTexture(size_t* offset, porter_texture_reference<T, D, M>& reference, const void* data,
                              size_t bytes = 0xffffffffu) {
  return porter_BindTexture(offset, reference, data, hipCreateChannelDesc<T>(), bytes);
}
// CUDA's C interface names reference and format by their addresses.
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTexture(size_t* offset, porter_texture_reference<T, D, M>* reference, const void* data,
                              const hipChannelFormatDesc* format, size_t bytes = 0xffffffffu) {
  return porter_BindTexture(offset, *reference, data, *format, bytes);
}
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTexture2D(size_t* offset, porter_texture_reference<T, D, M>& reference, const void* data,
                                const hipChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  if (offset) *offset = 0;
  return porter_texture::bind(reference, porter_texture::image_of(const_cast<void*>(data), pitch, 0, format,
                                                                  static_cast<int>(width), static_cast<int>(height), 1));
}
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTexture2D(size_t* offset, porter_texture_reference<T, D, M>& reference, const void* data,
                                size_t width, size_t height, size_t pitch) {
  return porter_BindTexture2D(offset, reference, data, hipCreateChannelDesc<T>(), width, height, pitch);
}
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTextureToArray(porter_texture_reference<T, D, M>& reference, hipArray_const_t array) {
  return porter_texture::bind(reference, *porter_texture::image_of(array));
}
template <class T, int D, hipTextureReadMode M>
hipError_t porter_BindTextureToArray(porter_texture_reference<T, D, M>& reference, hipArray_const_t array,
                                     const hipChannelFormatDesc&) {
  return porter_BindTextureToArray(reference, array);
}
template <class Reference>
hipError_t porter_UnbindTexture(const Reference&) {
  return hipDeviceSynchronize();
}

#define PORTER_REFERENCE(name, parameters, ...) \
  template <class T, int D, hipTextureReadMode M>                                                             \
  __device__ inline typename porter_texture::Result<T, M>::type porter_##name parameters {                    \
    using Result = typename porter_texture::Result<T, M>::type;                                               \
    return porter_texture::__VA_ARGS__; \
  }
#define PORTER_TEXTURE porter_texture_reference<T, D, M>& r
PORTER_REFERENCE(tex1Dfetch, (PORTER_TEXTURE, int i), fetched<Result>(r.texture, i))
PORTER_REFERENCE(tex1D, (PORTER_TEXTURE, float x), sampled<1, Result>(r.texture, x, 0, 0, -1))
PORTER_REFERENCE(tex2D, (PORTER_TEXTURE, float x, float y), sampled<2, Result>(r.texture, x, y, 0, -1))
PORTER_REFERENCE(tex3D, (PORTER_TEXTURE, float x, float y, float z), sampled<3, Result>(r.texture, x, y, z, -1))
PORTER_REFERENCE(tex2DLayered, (PORTER_TEXTURE, float x, float y, int layer),
                 sampled<2, Result>(r.texture, x, y, 0, layer < 0 ? 0 : layer))
#undef PORTER_TEXTURE
#undef PORTER_REFERENCE

#endif
