"""Portability findings on CUDA source, one rule a file; `diagnose` and `diagnose_source` run them."""

from porter.rules.registry import Rule, all_rules, diagnose, diagnose_source

__all__ = ["Rule", "all_rules", "diagnose", "diagnose_source"]
