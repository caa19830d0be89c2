// expect: builds
#include <thrust/device_free.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/random.h>
__global__ void k(float* x) {
  thrust::minstd_rand engine(threadIdx.x + 1);
  engine.discard(threadIdx.x);
  thrust::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  thrust::random::normal_distribution<float> normal(0.0f, 2.0f);
  x[threadIdx.x] = uniform(engine) + normal(engine);
}
void release(thrust::device_ptr<int> p) { thrust::device_free(thrust::device_ptr<void>(p)); }
void* raw(size_t bytes) { return thrust::device_malloc(bytes).get(); }
int f(thrust::host_vector<int>& v) {
  thrust::default_random_engine engine(7);
  thrust::uniform_int_distribution<int> die(1, 6);
  for (size_t i = 0; i < v.size(); ++i) v[i] = die(engine);
  thrust::make_discard_iterator()[3] = die(engine);
  return engine();
}
