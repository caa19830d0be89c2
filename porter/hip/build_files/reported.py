"""Build files that porter reads and does not rewrite: Meson and Bazel have no language for HIP, and what a
pyproject.toml names of CUDA has other names, and other versions, for ROCm."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile

_MESON = re.compile(
    r"""(?:project\s*\([^)]*|add_languages\s*\([^)]*)(['"]cuda['"])|(dependency\s*\(\s*['"]cuda['"])|(import\s*\(\s*['"](?:unstable-)?cuda['"])"""
)
_BAZEL = re.compile(r"\b(cuda_library|cuda_objects|rules_cuda|local_cuda|cuda_binary|cuda_test|if_cuda)\b")


_PYPROJECT = re.compile(
    r"\b(nvidia-[\w-]+-cu\d+|cupy-cuda\w+|cuda-python|nvcc|CMAKE_CUDA_\w+|CUDACXX|CUDA_HOME|CUDAToolkit_ROOT)\b"
)


def report_pyproject(source: SourceText) -> BuildFile:
    hint = "name ROCm's: cupy-rocm packages, CMAKE_HIP_ARCHITECTURES, ROCM_PATH, hipcc"
    return BuildFile(source, (), tuple(_found(source, _PYPROJECT, "it names CUDA's tools", hint)))


def report_meson(source: SourceText) -> BuildFile:
    hint = "compile the ported sources with hipcc in a custom_target, or build with CMake's HIP language"
    return BuildFile(source, (), tuple(_found(source, _MESON, "Meson has no language for HIP", hint)))


def report_bazel(source: SourceText) -> BuildFile:
    hint = "use rules of a toolchain for ROCm, as in openxla's build, for these targets"
    return BuildFile(
        source, (), tuple(_found(source, _BAZEL, "Bazel's rules for CUDA are not rewritten", hint))
    )


def _found(source: SourceText, pattern: re.Pattern[str], message: str, hint: str) -> Iterator[Diagnostic]:
    for found in pattern.finditer(_without_comments(source.text)):
        start, end = next(found.span(i + 1) for i, group in enumerate(found.groups()) if group)
        yield Diagnostic("BLD010", Severity.ERROR, message, source.span(start, end), hint)


def _without_comments(text: str) -> str:
    """Comments as spaces, so that places stay."""
    return re.sub(r"#[^\n]*", lambda m: " " * len(m[0]), text)
