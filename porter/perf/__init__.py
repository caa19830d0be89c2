"""Analytical performance models."""
