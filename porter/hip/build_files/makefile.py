"""Makefiles: nvcc becomes hipcc, its flags hipcc's, CUDA's libraries and folders ROCm's.

Variables that a Makefile of the project sets keep their names, so that rules and recipes keep working.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile, Step, built_of, left_alone
from porter.hip.build_files.flag_words import flag_words
from porter.hip.build_files.nvcc_flags import NVCC_ONLY

_LINE = re.compile(r"(?:[^\n\\]|\\.|\\\n)*", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)#")
_COMPILER = re.compile(r"(?<![\w$-])((?:[^\s=:,\"']*/)?)nvcc(?![\w.-])")
_ROOTS = (
    "CUDA_PATH",
    "CUDA_HOME",
    "CUDA_ROOT",
    "CUDA_DIR",
    "CUDA_INSTALL_PATH",
    "CUDA_TOOLKIT_PATH",
    "CUDA_TOOLKIT_ROOT_DIR",
)
_ROOT = rf"\$(?P<open>[({{])(?P<root>{'|'.join(_ROOTS)})(?P<close>[)}}])"
_INSTALLATION = re.compile(
    rf"(?:(?P<place>/usr/local/cuda(?:-\d+(?:\.\d+)?)?|/opt/cuda\b)|{_ROOT})(?P<library>/lib64\b)?"
)
_ASSIGNED = re.compile(
    rf"(?m)^[ \t]*(?:export[ \t]+|override[ \t]+)*({'|'.join(_ROOTS)})[ \t]*(?:[?:+]|::)?="
)
_FLAGS_OF_NVCC = re.compile(r"(?i)\b\w*(?:nvcc|cuda|gencode)\w*flags?\w*\b|\bGENCODE\w*\b|\bNVCC\b|\bnvcc\b")
_LIBRARY = re.compile(r"(?<!\S)-l(?:cu|nv)\w+")
_CUDA = re.compile(r"(?<![\w-])nvcc(?![\w-])|-lcuda")
_ALREADY_HIP = re.compile(r"(?m)^(?:[^#\n]|(?<=\\)#)*\bhipcc\b")


def translate_makefile(
    source: SourceText, architectures: tuple[str, ...], own: frozenset[str] | None = None
) -> BuildFile:
    """A Makefile without CUDA has no edits; one that calls hipcc stays as it is with a finding.

    `own` are the `own_folders` of all Makefiles of the project: they include each other. None: there is this
    one.
    """
    if not any(p.search(source.text) for p in (_CUDA, NVCC_ONLY, _INSTALLATION, _ASSIGNED)):
        return BuildFile(source)
    if _ALREADY_HIP.search(source.text):
        return left_alone(source)
    if own is None:
        own = own_folders((source,))
    offload = " ".join(f"--offload-arch={a}" for a in architectures)
    line = _LineRules(source, offload, own)
    steps = [step for start, end in _lines(source.text) for step in line.steps(start, end)]
    if _COMPILER.search(source.text) and not any(
        offload.encode() in s.replacement for s in steps if isinstance(s, Edit)
    ):
        message = "no flag names the GPUs to build for: hipcc takes those of the machine"
        hint = f"add {offload} to hipcc's flags"
        steps.append(Diagnostic("BLD014", Severity.NOTE, message, source.span(0, 0), hint))
    return built_of(source, tuple(steps))


def own_folders(files: Sequence[SourceText]) -> frozenset[str]:
    """The variables for CUDA's folder that these files set themselves."""
    return frozenset(m[1] for file in files for m in _ASSIGNED.finditer(file.text))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Logical lines without their comments."""
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        assert line is not None
        comment = _COMMENT.search(text, at, line.end())
        end = comment.start() if comment else line.end()
        if end > at:
            yield at, end
        at = line.end() + 1


@dataclass(frozen=True)
class _LineRules:
    """`own` are the variables for CUDA's folder that the project sets itself."""

    source: SourceText
    offload: str
    own: frozenset[str]

    def steps(self, start: int, end: int) -> list[Step]:
        text = self.source.text
        steps: list[Step] = []
        if any(p.search(text, start, end) for p in (_FLAGS_OF_NVCC, NVCC_ONLY, _LIBRARY)):
            steps += self._flags(start, end)
        for edit in self._names(start, end):
            if not any(s.start < edit.end and edit.start < s.end for s in steps if isinstance(s, Edit)):
                steps.append(edit)
        return steps

    def _flags(self, start: int, end: int) -> Iterator[Step]:
        """A line names the GPUs, and each library, once."""
        said: set[str] = set()
        for word in flag_words(self.source.text, start, end):
            if not word.changed:
                continue
            words = (self.offload,) if word.flags.architectures else word.flags.words
            new = " ".join(self._in_rocm(w) for w in words if w not in said)
            said.update(w for w in words if w == self.offload or w.startswith("-l"))
            yield Edit(word.start if new else word.before, word.end, new.encode("latin-1"), "flags of nvcc")
            for spelled, reason in word.flags.dropped:
                message = f"{spelled} was dropped: {reason}"
                yield Diagnostic("BLD011", Severity.NOTE, message, self.source.span(word.start, word.end))

    def _names(self, start: int, end: int) -> Iterator[Edit]:
        """Programs and folders; the first of two that overlap has both."""
        for found in _COMPILER.finditer(self.source.text, start, end):
            yield Edit(*found.span(), f"{self._in_rocm(found[1])}hipcc".encode("latin-1"), "the compiler")
        for found in _INSTALLATION.finditer(self.source.text, start, end):
            yield Edit(*found.span(), self._folder(found).encode("latin-1"), "the installation")

    def _in_rocm(self, text: str) -> str:
        """Folders of a CUDA installation as those of ROCm."""
        return _INSTALLATION.sub(self._folder, text)

    def _folder(self, found: re.Match[str]) -> str:
        if found["place"]:
            folder = "/opt/rocm"
        else:
            root = found["root"] if found["root"] in self.own else "ROCM_PATH"
            folder = f"${found['open']}{root}{found['close']}"
        return folder + ("/lib" if found["library"] else "")
