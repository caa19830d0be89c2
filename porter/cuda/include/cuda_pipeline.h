// The C interface of asynchronous copies, each done at once.
#pragma once
#include "cuda_runtime.h"
template <class T, class U>
PORTER_D inline void __pipeline_memcpy_async(T* to, const U* from, size_t bytes, size_t zeros = 0) {
    static_assert(sizeof(T) == sizeof(U), "a copy between elements of different sizes");
    for (size_t k = 0; k < bytes / sizeof(T); k++) {
        if (k < (bytes - zeros) / sizeof(T)) to[k] = *(const T*)(from + k);
        else to[k] = T();
    }
}
PORTER_D inline void __pipeline_commit() {}
PORTER_D inline void __pipeline_wait_prior(size_t) {}
