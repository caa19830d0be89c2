"""The user's cache directory, keyed by content. Deleting it at any time is safe."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_directory(kind: str) -> Path:
    """`$PORTER_CACHE`, else `$XDG_CACHE_HOME/porter`, else `~/.cache/porter`; created on use."""
    root = os.environ.get("PORTER_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "porter"
    )
    path = Path(root) / kind
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest(*parts: bytes | str) -> str:
    """A key over length-prefixed parts, so that no two different lists of parts collide by concatenation."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()[:32]
