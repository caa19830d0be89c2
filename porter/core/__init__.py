"""Frozen records every layer shares. Imports nothing of porter; assumes nothing of the machine."""
