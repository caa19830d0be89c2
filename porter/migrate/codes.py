"""The codes of what concerns a file of a repository as a whole, and of comments to porter."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "CHK001": "a file cannot be read, or is no text",
    "CHK002": "a file is too large to be checked",
    "CHK003": "a file is a pointer of Git LFS, and its contents are not here",
    "CHK004": "the analysis of a file failed, which is a defect of porter",
    "CHK005": "a comment that ignores findings names no code or no reason, and so ignores nothing",
    "CHK006": "a comment ignores a finding that is not there",
    "CHK007": "a comment ignores a code that porter does not know",
    "CHK008": "a kernel's port was not proved, with --verify",
    "CHK009": "the compile_commands.json that was found cannot be read, and so is not used",
}
