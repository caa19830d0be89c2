// Textures and surfaces against values worked out by hand from the programming guide. API(x) is cuda##x or hip##x.
#include <cstdio>
#include <cstring>

#include "checks.h"

constexpr int W = 4, H = 3;

__global__ void read_1d(API(TextureObject_t) t, const float *x, float *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = tex1D<float>(t, x[i]);
}
__global__ void read_2d(API(TextureObject_t) t, const float2 *at, float *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = tex2D<float>(t, at[i].x, at[i].y);
}
__global__ void read_3d(API(TextureObject_t) t, float x, float y, float z, float *out) { *out = tex3D<float>(t, x, y, z); }
__global__ void read_layer(API(TextureObject_t) t, float x, float y, int layer, float *out) {
  *out = tex2DLayered<float>(t, x, y, layer);
}
__global__ void read_cube(API(TextureObject_t) t, const float3 *d, float *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = texCubemap<float>(t, d[i].x, d[i].y, d[i].z);
}
__global__ void fetch_int4(API(TextureObject_t) t, int i, int4 *out) { *out = tex1Dfetch<int4>(t, i); }
__global__ void read_uchar4(API(TextureObject_t) t, float4 *out) { *out = tex2D<float4>(t, 0.5f, 0.5f); }
__global__ void read_elements(API(TextureObject_t) t, uchar4 *out) { *out = tex2D<uchar4>(t, 0.5f, 0.5f); }
__global__ void gather4(API(TextureObject_t) t, float4 *out) { *out = tex2Dgather<float4>(t, 1.0f, 1.0f); }
__global__ void add_surface(API(SurfaceObject_t) s, float value) {
  int x = threadIdx.x, y = threadIdx.y;
  float old;
  surf2Dread(&old, s, x * int(sizeof(float)), y);
  surf2Dwrite(old + value, s, x * int(sizeof(float)), y);
}
__global__ void edge_surface(API(SurfaceObject_t) s, float *out) {
  out[0] = surf2Dread<float>(s, -4, 0, API(BoundaryModeZero));
  out[1] = surf2Dread<float>(s, 400, 400, API(BoundaryModeClamp));
}

static float *results;

static API(TextureDesc) reading(bool linear, bool normalized, int address) {
  API(TextureDesc) d;
  memset(&d, 0, sizeof d);
  for (int i = 0; i < 3; ++i) memcpy(&d.addressMode[i], &address, sizeof address);
  d.filterMode = linear ? API(FilterModeLinear) : API(FilterModePoint);
  d.normalizedCoords = normalized;
  d.borderColor[0] = -5.0f;
  return d;
}

static API(TextureObject_t) texture(API(Array_t) array, API(TextureDesc) d) {
  API(ResourceDesc) r;
  memset(&r, 0, sizeof r);
  r.resType = API(ResourceTypeArray);
  r.res.array.array = array;
  API(TextureObject_t) t{};
  CHECK(API(CreateTextureObject)(&t, &r, &d, nullptr) == 0);
  return t;
}

static API(Array_t) image(size_t width, size_t height, size_t depth, const float *data, unsigned flags = 0) {
  auto channel = API(CreateChannelDesc)<float>();
  API(Array_t) array = nullptr;
  API(Extent) extent = {width, height, depth};
  CHECK(API(Malloc3DArray)(&array, &channel, extent, flags) == 0);
  API(Memcpy3DParms) copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = {(void *)data, width * sizeof(float), width, height};
  copy.dstArray = array;
  copy.extent = {width, height ? height : 1, depth ? depth : 1};
  copy.kind = API(MemcpyHostToDevice);
  CHECK(API(Memcpy3D)(&copy) == 0);
  return array;
}

template <int n>
static void expect_1d(const char *what, API(TextureObject_t) t, const float (&x)[n], const float (&expected)[n]) {
  float *at;
  API(Malloc)(&at, sizeof x);
  API(Memcpy)(at, x, sizeof x, API(MemcpyHostToDevice));
  read_1d<<<1, n>>>(t, at, results, n);
  float got[n];
  API(Memcpy)(got, results, sizeof got, API(MemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (got[i] != expected[i]) printf("%s at %g: %g, not %g\n", what, x[i], got[i], expected[i]), ++failures;
  }
  API(Free)(at);
}

static void one_dimension() {
  const float data[4] = {10, 20, 30, 50};
  API(Array_t) array = image(4, 0, 0, data);
  // Point: the element whose interval holds the coordinate; outside as the address mode says.
  expect_1d("point, clamp", texture(array, reading(false, false, 1)), {0.0f, 0.99f, 1.0f, 3.9f, -2.0f, 9.0f}, {10, 10, 20, 50, 10, 50});
  expect_1d("point, border", texture(array, reading(false, false, 3)), {0.5f, -0.5f, 4.0f}, {10, -5, -5});
  expect_1d("point, wrap", texture(array, reading(false, true, 0)), {0.125f, 1.125f, -0.125f, 2.9f}, {10, 10, 50, 50});
  expect_1d("point, mirror", texture(array, reading(false, true, 2)), {1.125f, -0.125f, 2.125f, 1.9f}, {50, 10, 10, 10});
  expect_1d("wrap needs normalized coordinates", texture(array, reading(false, false, 0)), {4.5f, -1.0f}, {50, 10});
  // Linear: halfway between centres; weights have eight bits, so a 1000th moves nothing and a 256th does.
  expect_1d("linear, clamp", texture(array, reading(true, false, 1)), {0.5f, 1.0f, 1.75f, 0.1f, 3.9f, 1.5f + 0.001f, 0.5f + 1.0f / 256},
            {10, 15, 22.5f, 10, 50, 20, 10 + 10.0f / 256});
  expect_1d("linear, border", texture(array, reading(true, false, 3)), {0.0f, 4.0f, -0.5f}, {2.5f, 22.5f, -5});
  expect_1d("linear, wrap", texture(array, reading(true, true, 0)), {0.0f, 1.0f, 0.25f}, {30, 30, 15});
  expect_1d("linear, mirror", texture(array, reading(true, true, 2)), {0.0f, 1.0f, 1.25f}, {10, 50, 40});
  CHECK(API(FreeArray)(array) == 0);
}

static float read_one(API(TextureObject_t) t, float x, float y) {
  float2 at = {x, y}, *d;
  API(Malloc)(&d, sizeof at);
  API(Memcpy)(d, &at, sizeof at, API(MemcpyHostToDevice));
  read_2d<<<1, 1>>>(t, d, results, 1);
  float got;
  API(Memcpy)(&got, results, sizeof got, API(MemcpyDeviceToHost));
  API(Free)(d);
  return got;
}

static void more_dimensions() {
  float data[W * H * 2];
  for (int i = 0; i < W * H * 2; ++i) data[i] = float(i);
  API(Array_t) flat = image(W, H, 0, data);
  CHECK(read_one(texture(flat, reading(false, false, 1)), 2.5f, 1.5f) == 6);
  CHECK(read_one(texture(flat, reading(true, false, 1)), 2.0f, 1.0f) == (1 + 2 + 5 + 6) / 4.0f);
  CHECK(read_one(texture(flat, reading(true, true, 1)), 0.5f, 0.5f) == (5 + 6) / 2.0f);
  float got;
  API(Array_t) solid = image(W, H, 2, data);
  read_3d<<<1, 1>>>(texture(solid, reading(true, false, 1)), 1.0f, 1.0f, 1.0f, results);
  API(Memcpy)(&got, results, sizeof got, API(MemcpyDeviceToHost));
  CHECK(got == (0 + 1 + 4 + 5 + 12 + 13 + 16 + 17) / 8.0f);
  API(Array_t) layers = image(W, H, 2, data, 1);
  for (int layer = 0; layer < 2; ++layer) {
    read_layer<<<1, 1>>>(texture(layers, reading(true, false, 1)), 1.0f, 1.0f, layer, results);
    API(Memcpy)(&got, results, sizeof got, API(MemcpyDeviceToHost));
    CHECK(got == 2.5f + 12 * layer);
  }
  const float faces[6] = {0, 1, 2, 3, 4, 5};
  API(Array_t) cube = image(1, 1, 6, faces, 4);
  const float3 directions[6] = {{2, 1, 0}, {-2, 1, 0}, {0.5f, 1, 0}, {0, -1, 0.2f}, {0, 0.5f, 3}, {0, 0, -1}};
  float3 *d;
  API(Malloc)(&d, sizeof directions);
  API(Memcpy)(d, directions, sizeof directions, API(MemcpyHostToDevice));
  read_cube<<<1, 6>>>(texture(cube, reading(false, true, 1)), d, results, 6);
  float six[6];
  API(Memcpy)(six, results, sizeof six, API(MemcpyDeviceToHost));
  for (int i = 0; i < 6; ++i) CHECK(six[i] == float(i));
  float4 *four, g;
  API(Malloc)(&four, sizeof g);
  gather4<<<1, 1>>>(texture(flat, reading(false, false, 1)), four);
  API(Memcpy)(&g, four, sizeof g, API(MemcpyDeviceToHost));
  CHECK(g.x == 4 && g.y == 5 && g.z == 1 && g.w == 0);
}

static void memory_and_reading() {
  int4 list[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, *device, *out, got;
  API(Malloc)(&device, sizeof list);
  API(Malloc)(&out, sizeof got);
  API(Memcpy)(device, list, sizeof list, API(MemcpyHostToDevice));
  API(ResourceDesc) r;
  memset(&r, 0, sizeof r);
  r.resType = API(ResourceTypeLinear);
  r.res.linear.devPtr = device;
  r.res.linear.desc = API(CreateChannelDesc)<int4>();
  r.res.linear.sizeInBytes = sizeof list;
  API(TextureDesc) d = reading(false, false, 1);
  API(TextureObject_t) t{};
  CHECK(API(CreateTextureObject)(&t, &r, &d, nullptr) == 0);
  fetch_int4<<<1, 1>>>(t, 1, out);
  API(Memcpy)(&got, out, sizeof got, API(MemcpyDeviceToHost));
  CHECK(got.x == 5 && got.w == 8);
  fetch_int4<<<1, 1>>>(t, 3, out);
  API(Memcpy)(&got, out, sizeof got, API(MemcpyDeviceToHost));
  CHECK(got.x == 0 && got.w == 0);

  uchar4 pixel = {255, 0, 51, 128}, *pixels, back;
  size_t pitch = 0;
  CHECK(API(MallocPitch)((void **)&pixels, &pitch, sizeof pixel, 2) == 0);
  API(Memcpy2D)(pixels, pitch, &pixel, sizeof pixel, sizeof pixel, 1, API(MemcpyHostToDevice));
  memset(&r, 0, sizeof r);
  r.resType = API(ResourceTypePitch2D);
  r.res.pitch2D.devPtr = pixels;
  r.res.pitch2D.desc = API(CreateChannelDesc)<uchar4>();
  r.res.pitch2D.width = r.res.pitch2D.height = 1;
  r.res.pitch2D.pitchInBytes = pitch;
  CHECK(API(CreateTextureObject)(&t, &r, &d, nullptr) == 0);
  uchar4 *element;
  API(Malloc)(&element, sizeof back);
  read_elements<<<1, 1>>>(t, element);
  API(Memcpy)(&back, element, sizeof back, API(MemcpyDeviceToHost));
  CHECK(back.x == 255 && back.y == 0 && back.z == 51 && back.w == 128);
  d.readMode = API(ReadModeNormalizedFloat);
  CHECK(API(CreateTextureObject)(&t, &r, &d, nullptr) == 0);
  float4 *value, floats;
  API(Malloc)(&value, sizeof floats);
  read_uchar4<<<1, 1>>>(t, value);
  API(Memcpy)(&floats, value, sizeof floats, API(MemcpyDeviceToHost));
  CHECK(floats.x == 1.0f && floats.y == 0.0f && floats.z == 51 / 255.0f && floats.w == 128 / 255.0f);
  d.readMode = API(ReadModeElementType);
  d.filterMode = API(FilterModeLinear);
  CHECK(API(CreateTextureObject)(&t, &r, &d, nullptr) == 26);
  CHECK(API(GetLastError)() == 26);
}

static void surfaces() {
  float data[W * H];
  for (int i = 0; i < W * H; ++i) data[i] = float(i);
  API(Array_t) array = image(W, H, 0, data, 2);
  API(ResourceDesc) r;
  memset(&r, 0, sizeof r);
  r.resType = API(ResourceTypeArray);
  r.res.array.array = array;
  API(SurfaceObject_t) s{};
  CHECK(API(CreateSurfaceObject)(&s, &r) == 0);
  add_surface<<<1, dim3(W, H)>>>(s, 100.0f);
  float back[W * H];
  CHECK(API(Memcpy2DFromArray)(back, W * sizeof(float), array, 0, 0, W * sizeof(float), H, API(MemcpyDeviceToHost)) == 0);
  for (int i = 0; i < W * H; ++i) CHECK(back[i] == i + 100.0f);
  edge_surface<<<1, 1>>>(s, results);
  API(Memcpy)(back, results, 2 * sizeof(float), API(MemcpyDeviceToHost));
  CHECK(back[0] == 0.0f && back[1] == 111.0f);
  CHECK(API(Memcpy2DToArray)(array, 4, 0, data, 4 * W, W * sizeof(float), H, API(MemcpyHostToDevice)) == 1);
  CHECK(API(GetLastError)() == 1);
  CHECK(API(DestroySurfaceObject)(s) == 0);
}

int main() {
  API(Malloc)(&results, 64 * sizeof(float));
  one_dimension();
  more_dimensions();
  memory_and_reading();
  surfaces();
  return finish();
}
