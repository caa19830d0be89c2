"""What an argument of any CMake command can hold of CUDA: variables, imported targets, paths, flags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Severity
from porter.hip.build_files.build_file import Step
from porter.hip.build_files.cmake_rules import CMakeContext, linked, removed, replaced
from porter.hip.build_files.cmake_syntax import Argument, Command, Quote
from porter.hip.build_files.names import build_names, library_part
from porter.hip.build_files.nvcc_flags import NVCC_ONLY, Flags, split_flags, takes_value, translate_flags

_WORD = re.compile(r"\b(?:CMAKE_CUDA_|CUDA_|CUDAToolkit_)\w+")
_LINKED = re.compile(r"\$\{(\w+)\}")
_TARGET = re.compile(r"\bCUDA::(\w+)")
_LANGUAGE = re.compile(r"(\$<(?:COMPILE_LANGUAGE|LINK_LANGUAGE|COMPILE_LANG_AND_ID):)CUDA\b")
_COMPILER = re.compile(r"(\$<)CUDA(_COMPILER_(?:ID|VERSION):)")
_INSTALLATION = re.compile(r"/usr/local/cuda(?:-\d+(?:\.\d+)?)?|/opt/cuda\b")
_ENVIRONMENT = re.compile(r"\$ENV\{(?:CUDA_HOME|CUDA_PATH|CUDA_ROOT|CUDADIR|CUDA_DIR)\}")
_VERSIONS = re.compile(r"\b(?:CUDA_VERSION|CUDAToolkit_VERSION)\w*|\bCMAKE_CUDA_COMPILER_VERSION\b")
_GENERATOR = re.compile(r"^((?:SHELL:)?(?:\$<.*:)?)([^<>]*?)(>*)$", re.DOTALL)


def translate_arguments(command: Command, taken: frozenset[int], context: CMakeContext) -> Iterator[Step]:
    """Arguments that begin at one of `taken` are a rule's own already."""
    free = [a for a in command.arguments if a.start not in taken and a.quote is not Quote.BRACKET]
    sets_flags = bool(command.arguments) and _sets_flags(command)
    for group in _groups(free):
        if sets_flags or _has_flags(group):
            yield from _flags(group, context)
        else:
            for argument in group:
                yield from _names(argument, context)


def _sets_flags(command: Command) -> bool:
    """`set(CMAKE_CUDA_FLAGS …)`, `string(APPEND CMAKE_CUDA_FLAGS …)`, `list(APPEND CUDA_NVCC_FLAGS …)`."""
    return any(re.fullmatch(r"(?:CMAKE_CUDA|CUDA_NVCC)_FLAGS\w*", a.text) for a in command.arguments[:2])


def _names(argument: Argument, context: CMakeContext) -> Iterator[Step]:
    link_variables = build_names().link_variables
    only = _LINKED.fullmatch(argument.text) or _TARGET.fullmatch(argument.text)
    part_name = link_variables.get(only[1], "" if argument.text.startswith("$") else only[1]) if only else ""
    if part_name:
        yield from _linked(argument, part_name, context)
        return
    text = with_hip_names(argument.text)
    if text != argument.text:
        yield replaced(argument, text, "names of CUDA")
        if _VERSIONS.search(argument.text):
            message = "a decision by CUDA's version is now one by HIP's: look at the numbers"
            yield context.finding("BLD012", Severity.WARNING, message, argument)


def _linked(argument: Argument, name: str, context: CMakeContext) -> Iterator[Step]:
    """An argument that is a library of CUDA, by its target or a variable of FindCUDA."""
    part = library_part(name)
    if part is None:
        message = f"{argument.text} has no known counterpart in ROCm"
        yield context.finding("BLD010", Severity.ERROR, message, argument, "link what replaces it")
    else:
        yield from linked(argument, part, context)


def with_hip_names(text: str) -> str:
    """Variables, properties, targets, languages and paths within `text` under their names of HIP."""
    names = build_names()
    renamed = {**names.variables, **names.properties}
    text = _WORD.sub(lambda m: renamed.get(m[0], m[0]), text)
    text = _TARGET.sub(lambda m: (p.target if (p := library_part(m[1])) else "") or m[0], text)
    text = _COMPILER.sub(r"\1HIP\2", _LANGUAGE.sub(r"\1HIP", text))
    return _ENVIRONMENT.sub("$ENV{ROCM_PATH}", _INSTALLATION.sub("/opt/rocm", text))


def _groups(arguments: list[Argument]) -> Iterator[list[Argument]]:
    """Flags next to each other are one list; a quoted argument is a list of its own."""
    run: list[Argument] = []
    for argument in arguments:
        if argument.quote is Quote.QUOTED:
            if run:
                yield run
            yield [argument]
            run = []
        else:
            run.append(argument)
    if run:
        yield run


def _has_flags(group: list[Argument]) -> bool:
    return any(NVCC_ONLY.search(a.text) or _LANGUAGE.search(a.text) for a in group)


def _flags(group: list[Argument], context: CMakeContext) -> Iterator[Step]:
    """`-gencode` takes the next argument with it; every other one stands for itself."""
    rest = iter(group)
    for argument in rest:
        prefix, middle, suffix = _parts(argument.text)
        value = None
        if argument.quote is Quote.NONE and takes_value(middle):
            value = next(rest, None)
        words = split_flags(middle.replace(";", " "))
        if words is None:
            continue
        flags = translate_flags((*words, value.text.rstrip(">")) if value else words)
        yield from _told(flags, argument, context)
        separator = ";" if ";" in middle else " "
        text = with_hip_names(prefix) + with_hip_names(separator.join(flags.words)) + suffix
        if value is not None:
            text += value.text[len(value.text.rstrip(">")) :]
            yield removed(value, context, "a flag of nvcc")
        nothing = not flags.words and text.count("$<") == text.count(">")
        if nothing and argument.quote is Quote.NONE:
            yield removed(argument, context, "a flag of nvcc")
        elif text != argument.text:
            yield replaced(argument, text, "flags of nvcc")


def _parts(text: str) -> tuple[str, str, str]:
    """What stands before the flags of a generator expression, the flags, and what closes it."""
    parts = _GENERATOR.match(text)
    return (parts[1], parts[2], parts[3]) if parts else ("", text, "")


def _told(flags: Flags, argument: Argument, context: CMakeContext) -> Iterator[Step]:
    for spelled, reason in flags.dropped:
        yield context.finding("BLD011", Severity.NOTE, f"{spelled} was dropped: {reason}", argument)
    if flags.architectures:
        message = "flags that name NVIDIA's GPUs were dropped: CMAKE_HIP_ARCHITECTURES says what to build for"
        yield context.finding("BLD011", Severity.NOTE, message, argument)
