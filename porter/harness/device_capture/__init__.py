"""Captures on an NVIDIA GPU: the program rewritten so that every launch is recorded, compiled by nvcc."""
