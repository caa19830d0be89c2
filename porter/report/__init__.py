"""Reports behind one formatter protocol."""
