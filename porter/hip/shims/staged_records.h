// needs: element_type wide_word
#ifndef PORTER_STAGED_RECORDS
#define PORTER_STAGED_RECORDS
// The records of a block in LDS: RECORDS rows of PER_RECORD elements each. Global memory is read and written
// in one run by all threads, 16 bytes each; a thread then has its own record in LDS. It pays where records
// are much longer than 16 bytes, since lanes a record apart touch a line each. Rows have an odd number of
// units, so that lanes which read the same field are in different banks. The block has RECORDS threads, all of
// which take part in load and store; the caller synchronises between them and the use.
template <typename T, int RECORDS, int PER_RECORD>
struct porter_staged_records {
  static constexpr unsigned unit = alignof(T);
  static constexpr unsigned record = PER_RECORD * sizeof(T);
  static constexpr unsigned pitch = (record / unit | 1u) * unit;
  alignas(16) unsigned char bytes[RECORDS * pitch];

  __device__ __forceinline__ T& operator[](unsigned element) {
    return *reinterpret_cast<T*>(bytes + element / PER_RECORD * pitch + element % PER_RECORD * sizeof(T));
  }
  __device__ __forceinline__ unsigned char* place(unsigned at) { return bytes + at / record * pitch + at % record; }

  __device__ __forceinline__ void load(const T* from, unsigned records) {
    const unsigned char* source = reinterpret_cast<const unsigned char*>(from);
    const unsigned total = records * record;
    const unsigned wide = reinterpret_cast<unsigned long long>(source) % 16 == 0 ? total / 16 * 16 : 0;
    for (unsigned at = threadIdx.x * 16; at < wide; at += RECORDS * 16) {
      const porter_wide_word<16>::type word = *reinterpret_cast<const porter_wide_word<16>::type*>(source + at);
      unsigned char loaded[16];
      __builtin_memcpy(loaded, &word, 16);
#pragma unroll
      for (unsigned k = 0; k < 16; k += unit) {
        __builtin_memcpy(__builtin_assume_aligned(place(at + k), unit), loaded + k, unit);
      }
    }
#pragma unroll 1
    for (unsigned at = wide + threadIdx.x * unit; at < total; at += RECORDS * unit) {
      __builtin_memcpy(__builtin_assume_aligned(place(at), unit),
                       __builtin_assume_aligned(source + at, unit), unit);
    }
  }
  __device__ __forceinline__ void store(T* to, unsigned records) {
    unsigned char* target = reinterpret_cast<unsigned char*>(to);
    const unsigned total = records * record;
    const unsigned wide = reinterpret_cast<unsigned long long>(target) % 16 == 0 ? total / 16 * 16 : 0;
    for (unsigned at = threadIdx.x * 16; at < wide; at += RECORDS * 16) {
      unsigned char stored[16];
#pragma unroll
      for (unsigned k = 0; k < 16; k += unit) {
        __builtin_memcpy(stored + k, __builtin_assume_aligned(place(at + k), unit), unit);
      }
      porter_wide_word<16>::type word;
      __builtin_memcpy(&word, stored, 16);
      *reinterpret_cast<porter_wide_word<16>::type*>(target + at) = word;
    }
#pragma unroll 1
    for (unsigned at = wide + threadIdx.x * unit; at < total; at += RECORDS * unit) {
      __builtin_memcpy(__builtin_assume_aligned(target + at, unit),
                       __builtin_assume_aligned(place(at), unit), unit);
    }
  }
};
// How many of the `block` records from `begin` on are below `bound`.
template <typename N>
__device__ __forceinline__ unsigned porter_records_left(N bound, unsigned long long begin, unsigned block) {
  if (bound <= N(0) || static_cast<unsigned long long>(bound) <= begin) {
    return 0;
  }
  const unsigned long long left = static_cast<unsigned long long>(bound) - begin;
  return left < block ? static_cast<unsigned>(left) : block;
}
// Whether two ranges of memory have no byte in common.
__device__ __forceinline__ bool porter_are_apart(const void* a, unsigned long long a_bytes, const void* b,
                                                 unsigned long long b_bytes) {
  const unsigned long long first = reinterpret_cast<unsigned long long>(a);
  const unsigned long long second = reinterpret_cast<unsigned long long>(b);
  return first + a_bytes <= second || second + b_bytes <= first;
}
#endif
