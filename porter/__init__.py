"""porter ports CUDA code to AMD GPUs and proves every kernel numerically."""

__version__ = "0.1.0"
