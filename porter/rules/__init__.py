"""Portability findings on CUDA source, one rule a file; `diagnose` runs them all."""

from porter.rules.registry import Rule, all_rules, diagnose

__all__ = ["Rule", "all_rules", "diagnose"]
