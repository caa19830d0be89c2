"""CUDA to HIP by byte-exact edits."""
