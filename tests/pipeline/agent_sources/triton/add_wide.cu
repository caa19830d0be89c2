// Declined: inline PTX (TIL008). Adds numbers of 128 bits with the carry chain.
#include <cstdio>
#include <vector>

__global__ void add_wide(const unsigned* a, const unsigned* b, unsigned* c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned *x = a + 4 * i, *y = b + 4 * i;
    unsigned *z = c + 4 * i;
    asm("add.cc.u32 %0, %4, %8;\n\t"
        "addc.cc.u32 %1, %5, %9;\n\t"
        "addc.cc.u32 %2, %6, %10;\n\t"
        "addc.u32 %3, %7, %11;"
        : "=r"(z[0]), "=r"(z[1]), "=r"(z[2]), "=r"(z[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
}

int main()
{
    const int n = 200;
    std::vector<unsigned> a(4 * n), b(4 * n), c(4 * n);
    for (int i = 0; i < 4 * n; ++i) a[i] = i % 3 ? 0xffffffffu - i : 2654435761u * i, b[i] = i % 5 ? i : ~0u;
    unsigned *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, 4 * n * sizeof(unsigned));
    cudaMalloc(&d_b, 4 * n * sizeof(unsigned));
    cudaMalloc(&d_c, 4 * n * sizeof(unsigned));
    cudaMemcpy(d_a, a.data(), 4 * n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), 4 * n * sizeof(unsigned), cudaMemcpyHostToDevice);
    add_wide<<<(n + 127) / 128, 128>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, 4 * n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        unsigned long long carry = 0;
        for (int k = 4 * i; k < 4 * i + 4; ++k) {
            carry += (unsigned long long)a[k] + b[k];
            wrong += c[k] != unsigned(carry);
            carry >>= 32;
        }
    }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
