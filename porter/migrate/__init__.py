"""Whole repositories: which files there are, what changed in them, and the check of all of them."""
