// Prints what cuRAND's generators give, a line each: `what: values in hexadecimal`. test_curand.py knows what a GPU gives.
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

typedef unsigned long long Wide;

static unsigned *device_words;

__device__ void put(unsigned *out, double value) { memcpy(out, &value, 8); }
__device__ void put(unsigned *out, float value) { memcpy(out, &value, 4); }

static void print(const char *what, const char *engine, const char *parameters, int count) {
  std::vector<unsigned> words(count);
  cudaMemcpy(words.data(), device_words, count * 4, cudaMemcpyDeviceToHost);
  printf("%s %s%s:", what, engine, parameters);
  for (unsigned word : words) printf(" %08x", word);
  printf("\n");
}

template <class State>
__global__ void bits(unsigned *out, Wide seed, Wide subsequence, Wide offset) {
  State state;
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < 6; ++i) out[i] = curand(&state);
}

enum { uniform, uniform_double, normal, normal_double, kinds };
static const char *kind_names[] = {"uniform", "uniform_double", "normal", "normal_double"};

template <class State>
__global__ void numbers(unsigned *out, int kind) {
  State state;
  curand_init(1234, 3, 3, &state);
  for (int i = 0; i < 6; ++i) {
    if (kind == uniform) put(out + i, curand_uniform(&state));
    if (kind == uniform_double) put(out + 2 * i, curand_uniform_double(&state));
    if (kind == normal) put(out + i, curand_normal(&state));
    if (kind == normal_double) put(out + 2 * i, curand_normal_double(&state));
  }
}

template <class State>
__global__ void skipped(unsigned *out, bool sequence) {
  State state;
  curand_init(1234, 5, 2, &state);
  curand(&state);
  if (sequence) skipahead_sequence((1ull << 35) + 1, &state);
  else skipahead((1ull << 35) + 1, &state);
  for (int i = 0; i < 4; ++i) out[i] = curand(&state);
}

template <class State>
__global__ void small_poisson(unsigned *out) {
  State state;
  curand_init(1234, 3, 0, &state);
  for (int i = 0; i < 16; ++i) out[i] = curand_poisson(&state, 3.0);
}

template <class State>
__global__ void poisson_moments(double *out, double mean) {
  State state;
  curand_init(99, threadIdx.x, 0, &state);
  double sum = 0, squares = 0;
  for (int i = 0; i < 400; ++i) {
    double k = curand_poisson(&state, mean);
    sum += k, squares += (k - mean) * (k - mean);
  }
  atomicAdd(&out[0], sum), atomicAdd(&out[1], squares);
}

__global__ void philox_fours(unsigned *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, 1, 7, &state);
  for (int i = 0; i < 3; ++i, out += 6) {
    out[0] = curand(&state);
    uint4 v = curand4(&state);
    out[1] = v.x, out[2] = v.y, out[3] = v.z, out[4] = v.w;
    out[5] = curand(&state);
  }
}

__global__ void philox_normal4(unsigned *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, 1, 7, &state);
  float4 v = curand_normal4(&state);
  memcpy(out, &v, sizeof v);
}

__global__ void philox_uniform2_double(unsigned *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, 1, 7, &state);
  double2 v = curand_uniform2_double(&state);
  put(out, v.x), put(out + 2, v.y);
}

__global__ void sobol(unsigned *out, curandDirectionVectors32_t *directions) {
  curandStateSobol32_t state;
  curand_init(directions[5], 1000, &state);
  for (int i = 0; i < 8; ++i) out[i] = curand(&state);
  for (int i = 8; i < 12; ++i) put(out + i, curand_uniform(&state));
}

template <class State>
void device_interface(const char *name) {
  Wide seeds[][3] = {{0, 0, 0}, {1234, 0, 3}, {1234, 1000003, 1000}, {1234, (1ull << 40) + 5, (1ull << 33) + 9},
                     {0x123456789abcdef0ull, 1, 1}};
  char parameters[80];
  for (auto &s : seeds) {
    bits<State><<<1, 1>>>(device_words, s[0], s[1], s[2]);
    snprintf(parameters, sizeof parameters, " %llx %llx %llx", s[0], s[1], s[2]);
    print("bits", name, parameters, 6);
  }
  for (int kind = 0; kind < kinds; ++kind) {
    numbers<State><<<1, 1>>>(device_words, kind);
    snprintf(parameters, sizeof parameters, " %s", kind_names[kind]);
    print("numbers", name, parameters, kind % 2 ? 12 : 6);
  }
  for (int sequence = 0; sequence < 2; ++sequence) {
    skipped<State><<<1, 1>>>(device_words, sequence);
    print(sequence ? "skipahead_sequence" : "skipahead", name, "", 4);
  }
  small_poisson<State><<<1, 1>>>(device_words);
  print("poisson", name, "", 16);
  double *moments;
  cudaMallocManaged(&moments, 16);
  for (double mean : {0.5, 20.0, 100.0, 5000.0}) {
    moments[0] = moments[1] = 0;
    poisson_moments<State><<<1, 256>>>(moments, mean);
    cudaDeviceSynchronize();
    double n = 256 * 400;
    printf("moments %s %g: %.6f %.6f\n", name, mean, moments[0] / n / mean, moments[1] / n / mean);
  }
}

static void hash(const char *name, const char *what, const unsigned *words, size_t count) {
  Wide h = 1469598103934665603ull;
  for (size_t i = 0; i < count; ++i) h = (h ^ words[i]) * 1099511628211ull;
  printf("host %s %s: %016llx %08x %08x\n", name, what, h, words[0], words[count - 1]);
}

// Each array is made by a new generator of seed 1234, on the device or on the host.
static void host_interface(const char *name, curandRngType_t type, bool on_host) {
  std::vector<unsigned> words(300000);
  unsigned *device;
  cudaMalloc(&device, words.size() * 4);
  unsigned *out = on_host ? words.data() : device;
  curandGenerator_t g;
  auto fresh = [&] {
    if (on_host) curandCreateGeneratorHost(&g, type);
    else curandCreateGenerator(&g, type);
    if (type != CURAND_RNG_QUASI_SOBOL32) curandSetPseudoRandomGeneratorSeed(g, 1234);
  };
  auto report = [&](const char *what, size_t count, curandStatus_t status) {
    if (status) printf("host %s %s: status %d\n", name, what, int(status));
    if (!on_host) cudaMemcpy(words.data(), device, count * 4, cudaMemcpyDeviceToHost);
    hash(name, what, words.data(), count);
  };
  fresh();
  report("bits", 300000, curandGenerate(g, out, 300000));
  report("bits next", 10, curandGenerate(g, out, 10));
  curandDestroyGenerator(g), fresh();
  report("uniform", 1000, curandGenerateUniform(g, (float *)out, 1000));
  curandDestroyGenerator(g), fresh();
  report("uniform_double", 20000, curandGenerateUniformDouble(g, (double *)out, 10000));
  if (type == CURAND_RNG_QUASI_SOBOL32) {
    curandDestroyGenerator(g), fresh();
    curandSetQuasiRandomGeneratorDimensions(g, 5);
    report("dims5", 500, curandGenerate(g, out, 500));
    printf("host %s odd: %d\n", name, int(curandGenerate(g, out, 7)));
  } else {
    curandDestroyGenerator(g), fresh();
    curandSetGeneratorOffset(g, 5000);
    report("offset", 10000, curandGenerate(g, out, 10000));
    curandDestroyGenerator(g), fresh();
    curandGenerateNormal(g, (float *)out, 16, 2.f, 3.f);
    report("after normals", 16, curandGenerate(g, out, 16));
    curandDestroyGenerator(g), fresh();
    curandGenerateNormal(g, (float *)out, 6, 0.f, 1.f);
    if (!on_host) cudaMemcpy(words.data(), device, 24, cudaMemcpyDeviceToHost);
    printf("host %s normal:", name);
    for (int i = 0; i < 6; ++i) printf(" %08x", words[i]);
    printf("\n");
    printf("host %s odd: %d\n", name, int(curandGenerateNormal(g, (float *)out, 15, 2.f, 3.f)));
  }
  curandDestroyGenerator(g);
  cudaFree(device);
}

static void statuses() {
  curandGenerator_t g;
  printf("statuses: %d", int(curandCreateGenerator(&g, (curandRngType_t)77)));
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
  printf(" %d %d %d", int(curandSetPseudoRandomGeneratorSeed(g, 1)), int(curandSetQuasiRandomGeneratorDimensions(g, 0)),
         int(curandSetQuasiRandomGeneratorDimensions(g, 20001)));
  curandDestroyGenerator(g);
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
  printf(" %d %d %d %d\n", int(curandSetQuasiRandomGeneratorDimensions(g, 2)),
         int(curandGeneratePoisson(g, device_words, 4, -1.)), int(curandGenerate(g, device_words, 0)),
         int(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT)));
  curandDestroyGenerator(g);
}

// 64-bit and scrambled Sobol' sequences: a plain one xored with a constant is a scrambled one with the same vectors.
__global__ void sobol64(unsigned long long *out, curandDirectionVectors64_t *vectors, curandDirectionVectors32_t *vectors32) {
  curandStateSobol64_t plain, ahead;
  curandStateScrambledSobol64_t scrambled;
  curandStateScrambledSobol32_t scrambled32;
  curand_init(vectors[5], 0ull, &plain);
  curand_init(vectors[5], 3ull, &ahead);
  curand_init(vectors[5], 0x123456789abcdefull, 0ull, &scrambled);
  curand_init(vectors32[5], 0xabcdefu, 0u, &scrambled32);
  for (int i = 0; i < 8; ++i) out[i] = curand(&plain), out[8 + i] = curand(&scrambled), out[16 + i] = curand(&scrambled32);
  out[24] = curand(&ahead);
  skipahead(3ull, &ahead);
  out[25] = curand(&ahead);
  out[26] = __float_as_uint(curand_uniform(&plain)), out[27] = __double_as_longlong(curand_uniform_double(&plain));
}

template <class Vector>
static void print_digest(const char *name, Vector *vectors) {
  unsigned long long hash = 0xcbf29ce484222325;
  for (int i = 0; i < 128; ++i) {
    for (auto word : vectors[i]) hash = (hash ^ word) * 0x100000001b3;
  }
  printf("digest %s: %llx\n", name, hash);
}

static void wide_sequences() {
  curandDirectionVectors32_t *vectors32, *refused;
  curandDirectionVectors64_t *vectors;
  curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  print_digest("32", vectors32), print_digest("64", vectors);
  curandDirectionVectors64_t *device;
  curandDirectionVectors32_t *device32;
  unsigned long long *out, words[64];
  cudaMalloc(&device, 6 * sizeof *device), cudaMalloc(&device32, 6 * sizeof *device32), cudaMalloc(&out, sizeof words);
  cudaMemcpy(device, vectors, 6 * sizeof *device, cudaMemcpyHostToDevice);
  cudaMemcpy(device32, vectors32, 6 * sizeof *device32, cudaMemcpyHostToDevice);
  sobol64<<<1, 1>>>(out, device, device32);
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL64);
  curandSetQuasiRandomGeneratorDimensions(g, 6);
  int status = curandGenerateLongLong(g, out + 28, 36);
  cudaMemcpy(words, out, sizeof words, cudaMemcpyDeviceToHost);
  printf("sobol64:");
  for (auto word : words) printf(" %llx", word);
  printf("\nsobol64 statuses: %d %d %d %d\n", status, curandGenerate(g, device_words, 6),
         curandGetDirectionVectors32(&refused, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6),
         curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64));
}

int main() {
  cudaMalloc(&device_words, 4096);
  wide_sequences();
  device_interface<curandStateXORWOW_t>("XORWOW");
  device_interface<curandStatePhilox4_32_10_t>("PHILOX");
  device_interface<curandStateMRG32k3a_t>("MRG32K3A");
  philox_fours<<<1, 1>>>(device_words);
  print("fours", "PHILOX", "", 18);
  philox_normal4<<<1, 1>>>(device_words);
  print("normal4", "PHILOX", "", 4);
  philox_uniform2_double<<<1, 1>>>(device_words);
  print("uniform2_double", "PHILOX", "", 4);
  curandDirectionVectors32_t *vectors, *directions;
  curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  cudaMalloc(&directions, sizeof(curandDirectionVectors32_t) * 6);
  cudaMemcpy(directions, vectors, sizeof(curandDirectionVectors32_t) * 6, cudaMemcpyHostToDevice);
  sobol<<<1, 1>>>(device_words, directions);
  print("sequence", "SOBOL32", "", 12);
  host_interface("XORWOW", CURAND_RNG_PSEUDO_DEFAULT, false);
  host_interface("MRG32K3A", CURAND_RNG_PSEUDO_MRG32K3A, false);
  host_interface("PHILOX", CURAND_RNG_PSEUDO_PHILOX4_32_10, true);
  host_interface("SOBOL32", CURAND_RNG_QUASI_SOBOL32, true);
  statuses();
  return 0;
}
