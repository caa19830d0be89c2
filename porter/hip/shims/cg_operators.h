// needs: 
#ifndef PORTER_CG_OPERATORS
#define PORTER_CG_OPERATORS
// The operators of cooperative_groups/reduce.h.
template <typename T> struct porter_plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct porter_less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct porter_greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct porter_bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <typename T> struct porter_bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <typename T> struct porter_bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
#endif
