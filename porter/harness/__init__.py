"""The judge: inputs, capture and replay, tolerance, toolchains, verify."""
