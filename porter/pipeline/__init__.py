"""The ladder: read, diagnose, translate, build, verify, report."""
