"""Build files: what builds CUDA with nvcc becomes what builds HIP with ROCm's compilers, span by span."""
