// No fix: texture reads with gradients (MEM001). A picture of four channels is bent by a swirl; the reads filter
// linearly and repeat the picture beyond its borders, and carry the derivatives of the bend. There is one level.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
    do {                                                                                  \
        const cudaError_t status_ = (call);                                               \
        if (status_ != cudaSuccess) {                                                     \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_));         \
            std::exit(2);                                                                 \
        }                                                                                 \
    } while (0)

struct Swirl {
    float center_u, center_v;
    float strength, falloff;
};

__device__ inline float2 bent(const Swirl& swirl, float u, float v)
{
    const float du = u - swirl.center_u, dv = v - swirl.center_v;
    const float turn = swirl.strength / (1.0f + swirl.falloff * (du * du + dv * dv));
    return make_float2(swirl.center_u + du - turn * dv, swirl.center_v + dv + turn * du);
}

__device__ inline float luma(const float4& color) { return 0.299f * color.x + 0.587f * color.y + 0.114f * color.z; }

__global__ void gradient_warp(cudaTextureObject_t picture, cudaTextureObject_t curve, float4* out, float* lumas,
                              int width, int height, Swirl swirl)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
    const float2 at = bent(swirl, u, v);
    const float2 right = bent(swirl, u + 1.0f / width, v), below = bent(swirl, u, v + 1.0f / height);
    const float2 along_x = make_float2(right.x - at.x, right.y - at.y);
    const float2 along_y = make_float2(below.x - at.x, below.y - at.y);
    float4 color = tex2DGrad<float4>(picture, at.x, at.y, along_x, along_y);
    const float tone = tex1DGrad<float>(curve, luma(color), along_x.x, along_y.x);
    color.x *= tone;
    color.y *= tone;
    color.z *= tone;
    out[y * width + x] = color;
    lumas[y * width + x] = luma(color);
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode address)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = address;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

int main()
{
    const int source_width = 16, source_height = 12, width = 40, height = 20, points = 8;
    std::vector<float4> texels(source_width * source_height), out(width * height);
    std::vector<float> tones(points), lumas(width * height);
    for (int i = 0; i < source_width * source_height; ++i)
        texels[i] = make_float4(float(i * 7 % 31) / 31, float(i * 5 % 17) / 17, float(i * 3 % 13) / 13, 1.0f);
    for (int i = 0; i < points; ++i) tones[i] = 1.0f + 0.1f * float(i);
    cudaArray_t picture_array, curve_array;
    const cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>(), one = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&picture_array, &four, source_width, source_height));
    CHECK(cudaMallocArray(&curve_array, &one, points, 0));
    CHECK(cudaMemcpy2DToArray(picture_array, 0, 0, texels.data(), source_width * sizeof(float4),
                              source_width * sizeof(float4), source_height, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DToArray(curve_array, 0, 0, tones.data(), points * sizeof(float), points * sizeof(float), 1,
                              cudaMemcpyHostToDevice));
    const cudaTextureObject_t picture = texture_of(picture_array, cudaAddressModeWrap);
    const cudaTextureObject_t curve = texture_of(curve_array, cudaAddressModeClamp);
    float4* d_out;
    float* d_lumas;
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(float4)));
    CHECK(cudaMalloc(&d_lumas, lumas.size() * sizeof(float)));
    const Swirl swirl = {0.4f, 0.6f, 1.5f, 8.0f};
    const dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    gradient_warp<<<grid, block>>>(picture, curve, d_out, d_lumas, width, height, swirl);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float4), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(lumas.data(), d_lumas, lumas.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < width * height; ++i) {
        const float4 c = out[i];
        wrong += !(c.x >= 0.0f && c.x <= 1.71f) || std::fabs(c.w - 1.0f) > 1e-5f;
        wrong += std::fabs(lumas[i] - (0.299f * c.x + 0.587f * c.y + 0.114f * c.z)) > 1e-5f;
    }
    CHECK(cudaDestroyTextureObject(picture));
    CHECK(cudaDestroyTextureObject(curve));
    CHECK(cudaFreeArray(picture_array));
    CHECK(cudaFreeArray(curve_array));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_lumas));
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
