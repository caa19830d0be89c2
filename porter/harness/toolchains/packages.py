"""Where Python packages with compilers in them are installed. Never imports them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path


def package_directory(module: str) -> Path | None:
    """The folder of an installed package, or None."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def package_version(distribution: str) -> str:
    """The installed version, or "" when pip knows nothing of it."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
