// needs:
#ifndef PORTER_GROUP_SHUFFLE
#define PORTER_GROUP_SHUFFLE
#include <hip/hip_cooperative_groups.h>
// Shuffles of a group for vectors and structs, word by word: HIP's take numbers only.
#define PORTER_GROUP_SHUFFLE_OF(name)                                                        \
  template <typename Group, typename T, typename Place>                                      \
  __device__ __forceinline__ T porter_group_##name(const Group& group, T value, Place place) { \
    unsigned words[(sizeof(T) + 3u) / 4u] = {};                                              \
    __builtin_memcpy(words, &value, sizeof(T));                                              \
    for (unsigned& word : words) word = group.name(word, place);                             \
    __builtin_memcpy(&value, words, sizeof(T));                                              \
    return value;                                                                            \
  }
PORTER_GROUP_SHUFFLE_OF(shfl)
PORTER_GROUP_SHUFFLE_OF(shfl_up)
PORTER_GROUP_SHUFFLE_OF(shfl_down)
PORTER_GROUP_SHUFFLE_OF(shfl_xor)
#undef PORTER_GROUP_SHUFFLE_OF
#endif
