"""Clients behind the Model protocol, one file each. The SDKs are imported nowhere else."""
