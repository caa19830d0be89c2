"""The SIMT-to-Triton compiler."""
