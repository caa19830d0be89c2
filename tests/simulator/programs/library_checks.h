// Shared by the programs that call the vendors' libraries: device arrays of simple numbers, and printing them for the
// test, which computes the same with numpy. Element i of array `seed` is ((7 i + 3 seed) mod 11 - 5) / 4.
#pragma once
#include <cstdio>
#include <vector>

inline double simple(int seed, int i) { return ((7 * i + 3 * seed) % 11 - 5) / 4.0; }

template <class T>
T *upload(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
T *numbers(int seed, int count) {
  std::vector<T> host(count);
  for (int i = 0; i < count; ++i) host[i] = T(simple(seed, i));
  return upload(host);
}
// Complex: the parts are elements 2i and 2i + 1.
template <class T>
T *complex_numbers(int seed, int count) {
  std::vector<T> host(count);
  for (int i = 0; i < count; ++i) host[i].x = simple(seed, 2 * i), host[i].y = simple(seed, 2 * i + 1);
  return upload(host);
}
// What nobody wrote is NaN.
template <class T>
T *unwritten(int count) {
  T *device;
  cudaMalloc(&device, count * sizeof(T));
  return device;
}

inline void put(double x) { printf(" %.17g", x); }
inline void put(double2 x) { printf(" %.17g %.17g", x.x, x.y); }
#ifndef PORTER_SIM_WIDE
inline void put(float x) { printf(" %.17g", double(x)); }
inline void put(float2 x) { printf(" %.17g %.17g", double(x.x), double(x.y)); }
#endif
inline void put(int x) { printf(" %d", x); }
template <class T>
void put(T x) {
  put(double(x));
}
template <class T>
void show(const char *name, const T *device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (T value : host) put(value);
  printf("\n");
}
template <class T>
void say(const char *name, T value) {
  printf("%s", name);
  put(value);
  printf("\n");
}
