"""GPUs as data: one TOML each, every figure with its source."""
