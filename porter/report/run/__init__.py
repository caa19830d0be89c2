"""Reports of runs that are over."""
