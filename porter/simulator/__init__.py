"""Runs CUDA and HIP programs on the CPU with 32- or 64-lane warps."""
