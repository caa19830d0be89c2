"""Repositories: discovery, batches, resume."""
