// CUDA's texture references, which CUDA 12 dropped and older programs use: a texture at namespace scope that memory or
// an array is bound to. Included by cuda_extra.h.
#pragma once

#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

struct textureReference {
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc{};
  int sRGB = 0;
};

namespace porter_sim {

// The rewriting puts programs' `texture<T>` here: the name is free for programs that know no references.
template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
  texture() { channelDesc = cudaCreateChannelDesc<T>(); }
  texture(int normalized_coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address) : texture() {
    normalized = normalized_coordinates;
    filterMode = filter;
    for (auto &each : addressMode) each = address;
  }
  texture(int normalized_coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc description)
      : texture(normalized_coordinates, filter, address) {
    channelDesc = description;
  }
  Texture bound{};  // `data` is null while nothing is bound
};

// What a read of a reference yields: floats for normalized reading, else the reference's own type.
template <class T, cudaTextureReadMode mode>
struct ReferenceRead {
  using type = T;
};
template <class>
struct FloatsLike;
template <class T>
struct FloatsLike {
  static constexpr int n = TexelAs<T>::size;
  using type = std::conditional_t<n == 1, float, std::conditional_t<n == 2, float2, float4>>;
};
template <class T>
struct ReferenceRead<T, cudaReadModeNormalizedFloat> {
  using type = typename FloatsLike<T>::type;
};

template <class T, int dimensions, cudaTextureReadMode mode>
int bind_reference(texture<T, dimensions, mode> &reference, Texture description) {
  for (int i = 0; i < 3; ++i) description.address[i] = Address(reference.addressMode[i]);
  description.linear_filter = reference.filterMode == cudaFilterModeLinear;
  description.read_normalized = mode == cudaReadModeNormalizedFloat;
  description.normalized_coordinates = reference.normalized != 0;
  description.srgb = reference.sRGB != 0;
  reference.bound = description;
  return description.data ? 0 : 1;
}

template <class T, int dimensions, cudaTextureReadMode mode>
int bind_memory(texture<T, dimensions, mode> &reference, const void *memory, const cudaChannelFormatDesc &desc,
                size_t bytes) {
  Texture t{};
  t.channel = channel_of(desc);
  t.data = static_cast<const char *>(memory);
  t.linear_memory = true;
  t.width = bytes / sizeof(T);
  return bind_reference(reference, t);
}

}  // namespace porter_sim

#define PORTER_REFERENCE template <class T, int dimensions, cudaTextureReadMode mode>
#define PORTER_READ typename ::porter_sim::ReferenceRead<T, mode>::type

PORTER_REFERENCE cudaError_t cudaBindTexture(size_t *offset, ::porter_sim::texture<T, dimensions, mode> &reference, const void *memory,
                                             const cudaChannelFormatDesc &desc, size_t bytes = ~0u) {
  if (offset) *offset = 0;
  PORTER_WRAP(::porter_sim::bind_memory(reference, memory, desc, bytes));
}
PORTER_REFERENCE cudaError_t cudaBindTexture(size_t *offset, ::porter_sim::texture<T, dimensions, mode> &reference, const void *memory,
                                             size_t bytes = ~0u) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc, bytes);
}
PORTER_REFERENCE cudaError_t cudaBindTexture(size_t *offset, ::porter_sim::texture<T, dimensions, mode> *reference, const void *memory,
                                             const cudaChannelFormatDesc *desc, size_t bytes = ~0u) {
  return cudaBindTexture(offset, *reference, memory, *desc, bytes);
}
PORTER_REFERENCE cudaError_t cudaBindTexture2D(size_t *offset, ::porter_sim::texture<T, dimensions, mode> &reference, const void *memory,
                                               const cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  if (offset) *offset = 0;
  ::porter_sim::Texture t{};
  t.channel = ::porter_sim::channel_of(desc);
  t.data = static_cast<const char *>(memory);
  t.width = width;
  t.height = height;
  t.pitch = pitch;
  PORTER_WRAP(::porter_sim::bind_reference(reference, t));
}
PORTER_REFERENCE cudaError_t cudaBindTexture2D(size_t *offset, ::porter_sim::texture<T, dimensions, mode> &reference, const void *memory,
                                               size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height, pitch);
}
PORTER_REFERENCE cudaError_t cudaBindTextureToArray(::porter_sim::texture<T, dimensions, mode> &reference, cudaArray_const_t array) {
  PORTER_WRAP(::porter_sim::bind_reference(reference, ::porter_sim::api::array_texture(*array)));
}
PORTER_REFERENCE cudaError_t cudaBindTextureToArray(::porter_sim::texture<T, dimensions, mode> &reference, cudaArray_const_t array,
                                                    const cudaChannelFormatDesc &) {
  return cudaBindTextureToArray(reference, array);
}
PORTER_REFERENCE cudaError_t cudaUnbindTexture(::porter_sim::texture<T, dimensions, mode> &reference) {
  reference.bound = {};
  return cudaSuccess;
}
PORTER_REFERENCE cudaError_t cudaUnbindTexture(::porter_sim::texture<T, dimensions, mode> *reference) { return cudaUnbindTexture(*reference); }
PORTER_REFERENCE cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const ::porter_sim::texture<T, dimensions, mode> &) {
  *offset = 0;
  return cudaSuccess;
}

PORTER_REFERENCE PORTER_READ tex1Dfetch(const ::porter_sim::texture<T, dimensions, mode> &t, int i) {
  return ::porter_sim::texel_as<PORTER_READ>(::porter_sim::fetch(t.bound, i));
}
PORTER_REFERENCE PORTER_READ tex1D(const ::porter_sim::texture<T, dimensions, mode> &t, float x) {
  return ::porter_sim::sampled<PORTER_READ>(&t.bound, x, 0, 0, 1);
}
PORTER_REFERENCE PORTER_READ tex2D(const ::porter_sim::texture<T, dimensions, mode> &t, float x, float y) {
  return ::porter_sim::sampled<PORTER_READ>(&t.bound, x, y, 0, 2);
}
PORTER_REFERENCE PORTER_READ tex3D(const ::porter_sim::texture<T, dimensions, mode> &t, float x, float y, float z) {
  return ::porter_sim::sampled<PORTER_READ>(&t.bound, x, y, z, 3);
}
PORTER_REFERENCE PORTER_READ tex2DLayered(const ::porter_sim::texture<T, dimensions, mode> &t, float x, float y, int layer) {
  return ::porter_sim::sampled<PORTER_READ>(&t.bound, x, y, 0, 2, layer);
}
#undef PORTER_REFERENCE
#undef PORTER_READ
