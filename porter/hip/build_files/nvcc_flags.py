"""Flags of nvcc, and what hipcc and clang's HIP compiler are told instead."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.hip.build_files.names import library_part


@dataclass(frozen=True)
class Flags:
    """`words` replace the original's; `dropped` says which had no counterpart, and why, `architectures`
    whether one named the GPUs to build for."""

    words: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...] = ()
    architectures: bool = False


@dataclass(frozen=True)
class _Kept:
    words: tuple[str, ...]


@dataclass(frozen=True)
class _Dropped:
    reason: str


@dataclass(frozen=True)
class _Architecture:
    pass


_Change = _Kept | _Dropped | _Architecture

_SILENT = ""  # nothing is lost with the flag
_TAKES_VALUE = frozenset(
    (
        "-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code", "-Xcompiler",
        "--compiler-options", "-Xptxas", "--ptxas-options", "-Xlinker", "--linker-options", "-Xnvlink",
        "-maxrregcount", "--maxrregcount", "-ccbin", "--compiler-bindir", "-default-stream",
        "--default-stream", "-cudart", "--cudart", "-std", "--std", "-x", "--threads", "-t", "-diag-suppress",
        "--diag-suppress", "-Xcudafe", "--machine", "-Xarchive", "-rdc", "--relocatable-device-code",
        "--fmad", "-fmad", "--ftz", "-ftz", "--prec-div", "-prec-div", "--prec-sqrt", "-prec-sqrt",
    )
)  # fmt: skip
_ARCHITECTURE = frozenset(
    ("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code")
)
_HOST_ARCHITECTURES = frozenset(("arm64", "arm64e", "x86_64", "i386"))
"""What `-arch` means to a compiler of macOS."""
_FORWARDED = frozenset(("-Xcompiler", "--compiler-options"))
_LINKED = frozenset(("-Xlinker", "--linker-options"))
_SAME_BY_OTHER_NAME = {
    "--use_fast_math": ("-ffast-math",),
    "-use_fast_math": ("-ffast-math",),
    "-dc": ("-fgpu-rdc", "-c"),
    "--device-c": ("-fgpu-rdc", "-c"),
    "-dlink": ("-fgpu-rdc", "--hip-link"),
    "--device-link": ("-fgpu-rdc", "--hip-link"),
    "-G": ("-ggdb", "-O0"),
    "--device-debug": ("-ggdb", "-O0"),
    "--debug": ("-g",),
    "--optimize": ("-O3",),
    "--extra-device-vectorization": (),
    "-dryrun": ("-###",),
    "--dryrun": ("-###",),
    "--keep": ("--save-temps",),
    "-keep": ("--save-temps",),
    "--save-temps": ("--save-temps",),
    "--resource-usage": ("-Rpass-analysis=kernel-resource-usage",),
    "-res-usage": ("-Rpass-analysis=kernel-resource-usage",),
    "-cubin": ("--genco",),
    "--cubin": ("--genco",),
    "-fatbin": ("--genco",),
    "--fatbin": ("--genco",),
}
_NOTHING_LOST = frozenset(
    (
        "--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "--expt-extended-lambda",
        "-expt-extended-lambda", "--extended-lambda", "-extended-lambda", "-lineinfo", "--generate-line-info",
        "--threads", "-t", "-Xcudafe", "-diag-suppress", "--diag-suppress", "-m64", "--machine", "-ccbin",
        "--compiler-bindir", "--source-in-ptx", "-src-in-ptx", "-Xnvlink", "-Xarchive",
        "--no-host-device-initializer-list", "-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets",
        "-allow-unsupported-compiler", "--allow-unsupported-compiler", "--forward-unknown-to-host-compiler",
        "-forward-unknown-to-host-compiler", "--display-error-number", "--split-compile", "-cudart",
        "--cudart",
    )
)  # fmt: skip
_WHY_DROPPED = {
    "-Xptxas": "options of ptxas have no counterpart",
    "--ptxas-options": "options of ptxas have no counterpart",
    "-maxrregcount": "limit registers by __launch_bounds__, a kernel at a time",
    "--maxrregcount": "limit registers by __launch_bounds__, a kernel at a time",
    "-ptx": "there is no PTX: --genco makes a code object",
    "--ptx": "there is no PTX: --genco makes a code object",
    "-dlto": "use -fgpu-rdc with -foffload-lto",
    "--prec-div": "the error of divisions is set by -fhip-fp32-correctly-rounded-divide-sqrt",
    "-prec-div": "the error of divisions is set by -fhip-fp32-correctly-rounded-divide-sqrt",
    "--prec-sqrt": "the error of roots is set by -fhip-fp32-correctly-rounded-divide-sqrt",
    "-prec-sqrt": "the error of roots is set by -fhip-fp32-correctly-rounded-divide-sqrt",
}


def translate_flags(words: Sequence[str]) -> Flags:
    """The words of a command line, in order; words that nvcc and clang share stay as they are."""
    kept: list[str] = []
    dropped: list[tuple[str, str]] = []
    architectures = False
    for flag, value, spelled in _flags(words):
        match _change(flag, value, spelled):
            case _Kept(words=new):
                kept += new
            case _Dropped(reason=reason):
                dropped += [(" ".join(spelled), reason)] if reason else []
            case _Architecture():
                architectures = True
    return Flags(tuple(kept), tuple(dropped), architectures)


def takes_value(flag: str) -> bool:
    """The next word is this one's value."""
    return flag in _TAKES_VALUE


def forwards(flag: str) -> bool:
    """The next word is for the host's compiler, which clang is too."""
    return flag in _FORWARDED


def _flags(words: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each flag with its value and the words that spell the two."""
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if flag in _TAKES_VALUE and not equals:
            value = next(rest, "")
            yield flag, value, (word, value) if value else (word,)
        else:
            yield flag, value, (word,)


def _change(flag: str, value: str, spelled: tuple[str, ...]) -> _Change:
    if flag == "-arch" and value in _HOST_ARCHITECTURES:
        return _Kept(spelled)
    if flag in _ARCHITECTURE or re.fullmatch(r"-arch(?:_|$).*|-sm_\d+", flag):
        return _Architecture()
    if flag in _FORWARDED:
        return _Kept(tuple(w for w in re.split(r"[,\s]+", value.strip("\"'")) if w))
    if flag in _LINKED:
        return _Kept((f"-Wl,{value}",))
    if flag in _SAME_BY_OTHER_NAME:
        return _Kept(_SAME_BY_OTHER_NAME[flag])
    if flag in ("-std", "--std"):
        return _Kept((f"-std={value}",))
    if flag in ("-rdc", "--relocatable-device-code"):
        return _Kept(("-fgpu-rdc",) if value.lower() == "true" else ())
    if flag in ("-default-stream", "--default-stream"):
        return _Kept(("-fgpu-default-stream=per-thread",) if value == "per-thread" else ())
    if flag in ("-fmad", "--fmad"):
        return _Kept(("-ffp-contract=off",) if value.lower() == "false" else ())
    if flag in ("-ftz", "--ftz"):
        return _Kept(("-fgpu-flush-denormals-to-zero",) if value.lower() == "true" else ())
    if flag == "-x":
        return _Kept(("-x", "hip") if value == "cu" else spelled)
    if flag in _NOTHING_LOST:
        return _Dropped(_SILENT)
    if flag in _WHY_DROPPED:
        return _Dropped(_WHY_DROPPED[flag])
    return _library(flag, spelled)


def _library(flag: str, spelled: tuple[str, ...]) -> _Change:
    """`-lcublas` and the folders of a CUDA installation."""
    if flag.startswith("-l"):
        part = library_part(flag[2:])
        if part is None:
            return _Kept(spelled)
        if part.way_out:
            return _Dropped(part.way_out)
        return _Kept((f"-l{part.linked}",) if part.linked else ())
    return _Kept(spelled)


NVCC_ONLY = re.compile(
    r"(?<![\w-])(?:" + "|".join(
        re.escape(f)
        for f in sorted(
            {*_ARCHITECTURE, *_FORWARDED, *_LINKED, *_SAME_BY_OTHER_NAME, *_NOTHING_LOST, *_WHY_DROPPED}
            - {"-t", "-G", "-code", "-x", "-m64", "--debug", "--keep", "-keep", "--save-temps"},
            key=len,
            reverse=True,
        )
    ) + r")(?![\w-])"
)  # fmt: skip
"""A word that only nvcc knows: what says that a list of flags is one of nvcc's."""


def split_flags(text: str) -> tuple[str, ...] | None:
    """The words of a list of flags as a shell reads them; None where quotes do not close."""
    try:
        return tuple(shlex.split(text, posix=False))
    except ValueError:
        return None
