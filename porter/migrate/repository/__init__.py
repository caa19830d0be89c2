"""Whole repositories: a plan, units of work, a journal of what is done, and the tree that comes out."""
