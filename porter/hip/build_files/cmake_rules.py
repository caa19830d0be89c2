"""What each CMake command of a CUDA build becomes: rules by the command's name.

A rule yields edits and findings for its own command. What any argument of any command can hold (variables,
targets, paths, generator expressions) is `cmake_arguments`' work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.hip.build_files.build_file import Step
from porter.hip.build_files.cmake_syntax import Argument, Command, Quote
from porter.hip.build_files.names import Part, build_names, library_part

HIP_SINCE = (3, 21)
"""The CMake that knows HIP as a language (release notes of CMake 3.21)."""


@dataclass(frozen=True)
class CMakeContext:
    """`packages` are those that the whole project's targets come from; `architectures` what to build for.

    `finds_cuda`: some file of the project looks for CUDA's package, which will be where ROCm's are found.
    """

    source: SourceText
    architectures: tuple[str, ...]
    packages: tuple[str, ...] = ()
    finds_cuda: bool = True

    def finding(
        self, code: str, severity: Severity, message: str, place: Command | Argument, hint: str = ""
    ) -> Diagnostic:
        return Diagnostic(code, severity, message, self.source.span(place.start, place.end), hint)


Rule = Callable[[Command, CMakeContext], Iterator[Step]]


def replaced(argument: Argument, text: str, reason: str) -> Edit:
    """`argument`'s text; its quotes stay."""
    return Edit(argument.start, argument.end, text.encode("latin-1"), reason)


def removed(argument: Argument, context: CMakeContext, reason: str) -> Edit:
    """The argument with the white space before it."""
    start, end = argument.outer
    text = context.source.text
    while text[start - 1].isspace():
        start -= 1
    return Edit(start, end, b"", reason)


def _renamed(command: Command, name: str) -> Edit:
    return Edit(command.start, command.start + len(command.name), name.encode(), f"{command.key} to HIP")


def dropped(command: Command, context: CMakeContext, reason: str) -> Edit:
    """The whole command; with its line where nothing else stands there."""
    text, start, end = context.source.text, command.start, command.end
    before = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    if after >= 0 and not text[before:start].strip() and not text[end:after].strip():
        start, end = before, after + 1
    return Edit(start, end, b"", reason)


def _line_start(text: str, at: int) -> str:
    """The white space that a new line below the one of `at` begins with."""
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:]) - len(text[start:].lstrip(" \t"))]


def inserted_after(command: Command, lines: list[str], context: CMakeContext, reason: str) -> Edit:
    indent = _line_start(context.source.text, command.start)
    text = "".join(f"\n{indent}{line}" for line in lines)
    return Edit(command.end, command.end, text.encode("latin-1"), reason)


def inserted_before(command: Command, lines: list[str], context: CMakeContext, reason: str) -> Edit:
    indent = _line_start(context.source.text, command.start)
    text = "".join(f"{line}\n{indent}" for line in lines)
    return Edit(command.start, command.start, text.encode("latin-1"), reason)


def _minimum(command: Command, _context: CMakeContext) -> Iterator[Step]:
    """HIP needs a later CMake than CUDA did."""
    for argument in command.arguments:
        version = re.match(r"(\d+)\.(\d+)", argument.text)
        if version and (int(version[1]), int(version[2])) < HIP_SINCE:
            new = ".".join(map(str, HIP_SINCE))
            yield replaced(argument, new, "CMake knows HIP since 3.21")


def _languages(command: Command, context: CMakeContext) -> Iterator[Step]:
    """`project(x LANGUAGES CXX CUDA)`, `enable_language(CUDA)`, `check_language(CUDA)`."""
    first = 1 if command.key == "project" else 0
    found = [a for a in command.arguments[first:] if a.text == "CUDA"]
    if not found:
        return
    yield replaced(found[0], "HIP", "the language")
    yield from default_architectures(command, context)
    if command.key != "check_language" and not context.finds_cuda and context.packages:
        lines = [f"find_package({package} REQUIRED)" for package in context.packages]
        yield inserted_after(command, lines, context, "CUDA's libraries are found without a package")


def default_architectures(command: Command, context: CMakeContext) -> Iterator[Step]:
    """Without a GPU of AMD in the machine, CMake needs to be told what to build for before it enables the
    language."""
    is_set = re.search(r"(?i)\bset\s*\(\s*CMAKE_CUDA_ARCHITECTURES\b", context.source.text[: command.start])
    if is_set or command.key == "check_language":
        return
    lines = [
        "if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)",
        f"  set(CMAKE_HIP_ARCHITECTURES {' '.join(context.architectures)})",
        "endif()",
    ]
    yield inserted_before(command, lines, context, "GPUs to build for")


_CUDA_PACKAGES = frozenset(("CUDA", "CUDAToolkit"))


def _find_package(command: Command, context: CMakeContext) -> Iterator[Step]:
    if not command.arguments:
        return
    name = command.arguments[0]
    if name.text in ("CUDNN", "cuDNN", "NCCL"):
        part = build_names().parts["nccl" if name.text == "NCCL" else "cudnn"]
        yield replaced(name, part.package, "the package of ROCm")
        return
    if name.text not in _CUDA_PACKAGES:
        return
    yield replaced(name, "hip", "the package of ROCm")
    for argument in command.arguments[1:]:
        if re.match(r"\d", argument.text) or argument.text in ("EXACT", "MODULE"):
            yield removed(argument, context, "a version of CUDA")
    lines = [f"find_package({package} REQUIRED)" for package in context.packages if package != "hip"]
    if name.text == "CUDA":  # FindCUDA compiled without the language being enabled
        lines = ["enable_language(HIP)", *lines]
        yield from default_architectures(command, context)
    if lines:
        yield inserted_after(command, lines, context, "what else the targets need")


def _cuda_add(command: Command, context: CMakeContext) -> Iterator[Step]:
    """FindCUDA's own commands for targets: `cuda_add_library(t a.cu OPTIONS …)`."""
    yield _renamed(command, command.key.removeprefix("cuda_"))
    options = [i for i, a in enumerate(command.arguments) if a.text == "OPTIONS"]
    if options:
        for argument in command.arguments[options[0] :]:
            yield removed(argument, context, "OPTIONS of nvcc")
        yield context.finding(
            "BLD011",
            Severity.WARNING,
            "options of single targets were dropped",
            command.arguments[options[0]],
            "give them to target_compile_options",
        )


def _cuda_include(command: Command, _context: CMakeContext) -> Iterator[Step]:
    yield _renamed(command, "include_directories")


def _cuda_library_to_target(command: Command, _context: CMakeContext) -> Iterator[Step]:
    """`cuda_add_cublas_to_target(t)`."""
    part = build_names().parts[command.key.removeprefix("cuda_add_").removesuffix("_to_target")]
    target = command.arguments[0].text if command.arguments else ""
    text = f"target_link_libraries({target} {part.target})"
    yield Edit(command.start, command.end, text.encode("latin-1"), "the library of ROCm")


def _no_counterpart(command: Command, context: CMakeContext) -> Iterator[Step]:
    hint = "compile with --genco to a code object, or make the source part of a target"
    yield context.finding(
        "BLD010", Severity.ERROR, f"{command.key} has no counterpart for HIP in CMake", command, hint
    )


def _include(command: Command, context: CMakeContext) -> Iterator[Step]:
    if command.arguments and re.fullmatch(r"(FindCUDA|CUDA)(/.*)?(\.cmake)?", command.arguments[0].text):
        yield dropped(command, context, "a module of FindCUDA")
        yield context.finding("BLD011", Severity.NOTE, "a module of FindCUDA is not included", command)


def _compile_features(command: Command, _context: CMakeContext) -> Iterator[Step]:
    for argument in command.arguments:
        if argument.text.startswith("cuda_std_"):
            yield replaced(argument, argument.text.replace("cuda_", "hip_", 1), "the language's standard")


_NO_VALUES = frozenset(("CACHE", "PARENT_SCOPE"))


def _set(command: Command, context: CMakeContext) -> Iterator[Step]:
    """`set(CMAKE_CUDA_ARCHITECTURES 70 80)`, and variables that HIP's language does not have."""
    if not command.arguments:
        return
    name, *values = command.arguments
    if name.text == "CMAKE_CUDA_ARCHITECTURES":
        until = next((i for i, v in enumerate(values) if v.text in _NO_VALUES), len(values))
        yield from _architectures(values[:until], context)
    elif (way_out := build_names().no_properties.get(name.text)) is not None:
        yield dropped(command, context, f"{name.text} is CUDA's")
        yield context.finding(
            "BLD011", Severity.NOTE, f"{name.text} has no counterpart and was dropped", name, way_out
        )


def _architectures(
    values: list[Argument], context: CMakeContext, *, one_argument: bool = False
) -> Iterator[Step]:
    """The first value becomes all of ours. One that another variable gives is for the user to set."""
    if not values or "$" in values[0].text:
        if one_argument and len(values) == 1 and values[0].quote is Quote.NONE:
            for at in (values[0].start, values[0].end):
                yield Edit(at, at, b'"', "a list of GPUs is one value")
        return
    first, *others = values
    separator = ";" if first.quote is Quote.QUOTED else " "
    text = separator.join(context.architectures)
    if one_argument and first.quote is not Quote.QUOTED and len(context.architectures) > 1:
        text = f'"{text.replace(" ", ";")}"'
    yield replaced(first, text, "GPUs to build for")
    for other in others:
        yield removed(other, context, "one of NVIDIA's GPUs")


def _properties(command: Command, context: CMakeContext) -> Iterator[Step]:
    """`set_target_properties(… PROPERTIES K V …)` and `set_property(… PROPERTY K V…)`."""
    names = build_names()
    words = command.words
    if command.key == "set_property":
        at = words.index("PROPERTY") + 1 if "PROPERTY" in words else len(words)
        pairs = [(command.arguments[at], list(command.arguments[at + 1 :]))] if at < len(words) else []
    else:
        at = words.index("PROPERTIES") + 1 if "PROPERTIES" in words else len(words)
        pairs = list(_pairs(command.arguments[at:]))
    gone = [name for name, _ in pairs if name.text in names.no_properties]
    for name, values in pairs:
        if name.text == "CUDA_ARCHITECTURES":
            yield from _architectures(values, context, one_argument=command.key != "set_property")
        elif name.text == "LANGUAGE" and values and values[0].text == "CUDA":
            yield replaced(values[0], "HIP", "the language of a source")
        elif name in gone:
            yield context.finding(
                "BLD011",
                Severity.NOTE,
                f"{name.text} has no counterpart and was dropped",
                name,
                names.no_properties[name.text],
            )
            if len(gone) < len(pairs):
                yield from (removed(a, context, "a property of CUDA's") for a in (name, *values))
    if gone and len(gone) == len(pairs):
        yield dropped(command, context, "only properties of CUDA's")


def _pairs(arguments: Sequence[Argument]) -> Iterator[tuple[Argument, list[Argument]]]:
    """Properties with their value; numbers of architectures are often written as several."""
    at = 0
    while at + 1 < len(arguments):
        end = at + 2
        if arguments[at].text == "CUDA_ARCHITECTURES":
            while end < len(arguments) and re.match(r"\d", arguments[end].text):
                end += 1
        yield arguments[at], list(arguments[at + 1 : end])
        at = end


def _link(command: Command, context: CMakeContext) -> Iterator[Step]:
    """Libraries by their bare names: `target_link_libraries(t cublas)`."""
    for argument in command.arguments[1:]:
        part = library_part(argument.text.removeprefix("-l"))
        if part is not None:
            yield from linked(argument, part, context)


def linked(argument: Argument, part: Part, context: CMakeContext) -> Iterator[Step]:
    """An argument that links `part`, whatever it is spelled."""
    if part.target:
        yield replaced(argument, part.target, "the library of ROCm")
        return
    yield removed(argument, context, "a library that ROCm does not have")
    if part.way_out:
        message = f"{argument.text} has no counterpart in ROCm and is no longer linked"
        yield context.finding("BLD010", Severity.ERROR, message, argument, part.way_out)


COMMANDS: Mapping[str, Rule] = {
    "cmake_minimum_required": _minimum,
    "project": _languages,
    "enable_language": _languages,
    "check_language": _languages,
    "find_package": _find_package,
    "include": _include,
    "cuda_add_executable": _cuda_add,
    "cuda_add_library": _cuda_add,
    "cuda_include_directories": _cuda_include,
    "cuda_add_cublas_to_target": _cuda_library_to_target,
    "cuda_add_cufft_to_target": _cuda_library_to_target,
    "cuda_compile": _no_counterpart,
    "cuda_compile_ptx": _no_counterpart,
    "cuda_compile_cubin": _no_counterpart,
    "cuda_compile_fatbin": _no_counterpart,
    "cuda_wrap_srcs": _no_counterpart,
    "cuda_build_clean_target": _no_counterpart,
    "cuda_select_nvcc_arch_flags": _no_counterpart,
    "target_compile_features": _compile_features,
    "set": _set,
    "set_target_properties": _properties,
    "set_source_files_properties": _properties,
    "set_property": _properties,
    "target_link_libraries": _link,
    "link_libraries": _link,
}
