// Shared by the test programs: device buffers from vectors, and a check that prints what it found.
#pragma once
#include <cstdio>
#include <vector>

static int failures = 0;

template <class T>
void expect(const char *what, T got, T wanted) {
  if (got == wanted) return;
  ++failures;
  printf("FAIL %s: got %g, wanted %g\n", what, double(got), double(wanted));
}

#define CHECK(condition) ((condition) ? void() : (++failures, void(printf("FAIL line %d: %s\n", __LINE__, #condition))))

inline int finish() {
  printf(failures ? "%d failures\n" : "all passed\n", failures);
  return failures ? 1 : 0;
}
