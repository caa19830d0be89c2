// No fix: a texture read with gradients (MEM001). Without mipmaps they choose no level.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void gradient_lookup(cudaTextureObject_t texture, const float* x, const float* y, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 dx = make_float2(0.01f * x[i], 0.0f), dy = make_float2(0.0f, 0.02f);
    out[i] = 0.5f * tex2DGrad<float>(texture, x[i], y[i], dx, dy) + 1.0f;
}

int main()
{
    const int width = 16, height = 8, n = 200;
    std::vector<float> image(width * height);
    for (int p = 0; p < width * height; ++p) image[p] = float(p * 7 % 50);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                        cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);

    std::vector<float> x(n), y(n), out(n);
    for (int i = 0; i < n; ++i) x[i] = (i * 13 % 97 + 0.4f) / 97, y[i] = (i * 29 % 89 + 0.3f) / 89;
    float *d_x, *d_y, *d_out;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    gradient_lookup<<<2, 128>>>(texture, d_x, d_y, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += out[i] != 0.5f * image[int(y[i] * height) * width + int(x[i] * width)] + 1.0f;
    cudaDestroyTextureObject(texture), cudaFreeArray(array);
    cudaFree(d_x), cudaFree(d_y), cudaFree(d_out);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
