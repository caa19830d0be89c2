"""What CUDA code assumes of a warp. What a target has instead is its `wavefront_size`."""

WARP_SIZE = 32
FULL_MASK = 0xFFFFFFFF
