"""Findings on CUDA source, one file a rule."""
