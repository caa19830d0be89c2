"""What a port changes, as a unified diff of the source and of the user's headers."""

from __future__ import annotations

import difflib
from pathlib import Path

from porter.pipeline.draft import Draft


def unified_diff(source: Path, draft: Draft) -> str:
    """The diff that `--in-place` would make; bytes of other encodings are shown as Latin-1."""
    files = {source: draft.text, **{source.parent / name: data for name, data in draft.headers.items()}}
    return "".join(_one(path, data) for path, data in files.items())


def _one(path: Path, data: bytes) -> str:
    before = path.read_bytes() if path.is_file() else b""
    lines = difflib.unified_diff(
        before.decode("latin-1").splitlines(keepends=True),
        data.decode("latin-1").splitlines(keepends=True),
        str(path) if path.is_file() else "/dev/null",
        str(path),
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
