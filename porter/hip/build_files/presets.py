"""`CMakePresets.json`: the variables of CUDA's language that a preset sets become those of HIP's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile, Step, built_of, left_alone
from porter.hip.build_files.flag_words import flag_words
from porter.hip.build_files.names import build_names

COMPILER = "/opt/rocm/llvm/bin/clang++"
"""Where ROCm's packages install the compiler that CMake's HIP language looks for."""
_ROCM = "/opt/rocm"
_ENVIRONMENT = {"CUDACXX": "HIPCXX", "CUDA_HOME": "ROCM_PATH", "CUDA_PATH": "ROCM_PATH"}
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_SETTING = re.compile(rf'"(\w+)"\s*:\s*(?:{_STRING}|\{{[^{{}}]*?"value"\s*:\s*{_STRING}|(?=[^\s]))')


def translate_presets(source: SourceText, architectures: tuple[str, ...]) -> BuildFile:
    """A file that is no JSON, or that sets variables of HIP already, stays as it is with a finding.

    What is given by another variable, or written with escapes, is for a person.
    """
    try:
        json.loads(source.data)
    except (ValueError, RecursionError) as error:
        message = f"the presets are no JSON: {error}"
        return BuildFile(source, (), (Diagnostic("BLD013", Severity.ERROR, message, source.span(0, 0)),))
    if re.search(r'"CMAKE_HIP_\w+"\s*:', source.text):
        return left_alone(source)
    return built_of(source, tuple(_steps(source, architectures)))


def _steps(source: SourceText, architectures: tuple[str, ...]) -> Iterator[Step]:
    names = build_names()
    for found in _SETTING.finditer(source.text):
        name = found[1]
        new = names.variables.get(name) or _ENVIRONMENT.get(name)
        if name in names.no_properties:
            message = f"{name} has no counterpart: HIP's language does not read it"
            span = source.span(*found.span(1))
            yield Diagnostic("BLD011", Severity.NOTE, message, span, names.no_properties[name])
        elif new is not None:
            yield Edit(*found.span(1), new.encode(), "the variable of HIP's language")
            yield from _value(source, name, found, architectures)


def _value(
    source: SourceText, name: str, found: re.Match[str], architectures: tuple[str, ...]
) -> Iterator[Step]:
    group = next((g for g in (2, 3) if found[g] is not None), None)
    if group is None:
        return
    start, end = found.span(group)
    text = found[group]
    if "FLAGS" in name and "\\" not in text:
        for word in flag_words(source.text, start, end):
            if word.changed:
                yield Edit(
                    word.start, word.end, " ".join(word.flags.words).encode("latin-1"), "clang's flags"
                )
            for spelled, reason in word.flags.dropped:
                message = f"{spelled} was dropped: {reason}"
                yield Diagnostic("BLD011", Severity.NOTE, message, source.span(word.start, word.end))
        return
    new = _other_value(name, architectures)
    if new is None or not text:
        return
    if "$" in text or "\\" in text:
        message = f"{name} is set from another variable, which may name CUDA's tools"
        yield Diagnostic("BLD011", Severity.WARNING, message, source.span(start, end), f"{new}, for example")
    else:
        yield Edit(start, end, new.encode(), "the value for ROCm")


def _other_value(name: str, architectures: tuple[str, ...]) -> str | None:
    """None where a value serves HIP as well, as a standard does."""
    if name == "CMAKE_CUDA_ARCHITECTURES":
        return ";".join(architectures)
    if name in ("CMAKE_CUDA_COMPILER", "CUDACXX"):
        return COMPILER
    return _ROCM if build_names().variables.get(name, _ENVIRONMENT.get(name)) == "ROCM_PATH" else None
