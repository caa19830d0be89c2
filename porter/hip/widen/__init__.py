"""Kernels whose warps become wavefronts of 64 lanes, where that provably changes no result."""
