"""What a hostile child left in a folder that porter reads next.

A link would be followed with porter's own rights: to the judge's files, to a device, to a pipe that never
ends.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


def remove_what_is_no_file(folder: Path) -> None:
    """Removes everything below `folder` that is neither a folder nor a file of its own: links of both kinds,
    pipes, sockets, devices. The child must have ended."""
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent) / name
            about = path.lstat()
            own_file = stat.S_ISREG(about.st_mode) and about.st_nlink == 1
            if not own_file and not stat.S_ISDIR(about.st_mode):
                path.unlink()
