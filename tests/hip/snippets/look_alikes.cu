// expect: builds
#include <cuda_runtime.h>
namespace pool { void cudaFree(int); }
struct Allocator { void cudaMalloc(int); };
void my_cudaMalloc(int);
template <typename T> void cudaHelper(T);
void f(Allocator a) { a.cudaMalloc(1); pool::cudaFree(2); my_cudaMalloc(3); cudaHelper(4); cudaFree(0); }
