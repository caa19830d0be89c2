// As before CCCL 3, tuples come with the iterator that needs them.
#pragma GCC system_header
#include <thrust/tuple.h>
#include_next <thrust/iterator/zip_iterator.h>
