"""CMakeLists.txt and .cmake files: CUDA as a language, FindCUDA and FindCUDAToolkit to HIP as a language.

CMake's HIP language (3.21 and later) takes its sources from `.hip` files; those that keep their `.cu` get
`LANGUAGE HIP`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile, Step, built_of, left_alone
from porter.hip.build_files.cmake_arguments import translate_arguments
from porter.hip.build_files.cmake_rules import COMMANDS, CMakeContext, inserted_after
from porter.hip.build_files.cmake_syntax import CMakeSyntaxError, Command, parse_cmake
from porter.hip.build_files.names import build_names, library_part

_TARGETS = frozenset(
    ("add_executable", "add_library", "target_sources", "cuda_add_executable", "cuda_add_library")
)
_WITH_LANGUAGES = frozenset(("project", "enable_language"))
_FINDS_CUDA = re.compile(r"(?im)^[^#\n]*\bfind_package\s*\(\s*CUDA(?:Toolkit)?\b")
_REFERENCE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class ProjectPackages:
    """ROCm's packages that a project's targets come from, and whether it looks for CUDA's itself."""

    used: tuple[str, ...]
    finds_cuda: bool


def project_packages(files: Sequence[SourceText]) -> ProjectPackages:
    finds = any(_FINDS_CUDA.search(file.text) for file in files)
    return ProjectPackages(used_packages(files), finds)


def translate_cmake(
    source: SourceText, architectures: tuple[str, ...], project: ProjectPackages | None = None
) -> BuildFile:
    """`project` is of all its CMake files: what one of them uses another has to find.
    None: there is this one.

    A file that CMake could not read, or that builds for HIP already, stays as it is with a finding.
    """
    try:
        commands = parse_cmake(source.text)
    except CMakeSyntaxError as error:
        span = source.span(error.offset, error.offset + 1)
        return BuildFile(source, (), (Diagnostic("BLD013", Severity.ERROR, error.message, span),))
    if any(map(_is_for_hip, commands)):
        return left_alone(source)
    if project is None:
        project = project_packages((source,))
    context = CMakeContext(source, architectures, project.used, project.finds_cuda)
    return built_of(source, tuple(_steps(commands, context)))


def _is_for_hip(command: Command) -> bool:
    """HIP as a language or a package; what a comment says of it is no matter."""
    if command.key == "find_package":
        return command.words[:1] in (("hip",), ("HIP",))
    return command.key in _WITH_LANGUAGES and "HIP" in command.words[command.key == "project" :]


def used_packages(files: Sequence[SourceText]) -> tuple[str, ...]:
    """ROCm's CMake packages that have the counterparts of what these files link."""
    names = build_names()
    text = "\n".join(f.text for f in files)
    used = {m[1] for m in re.finditer(r"\bCUDA::(\w+)", text)}
    used |= {part for variable, part in names.link_variables.items() if f"${{{variable}}}" in text}
    used |= {m[1] for m in re.finditer(r"(?i)\bcuda_add_(\w+)_to_target\b", text)}
    for linked in re.finditer(r"(?i)\b(?:target_)?link_libraries\s*\(([^()]*)\)", text):
        used |= {word.removeprefix("-l") for word in linked[1].split()}
    return tuple(sorted({p.package for name in used if (p := library_part(name)) and p.package}))


def _steps(commands: Sequence[Command], context: CMakeContext) -> Iterator[Step]:
    lists = _lists_of_sources(commands)
    for command in commands:
        rule = COMMANDS.get(command.key)
        own = tuple(rule(command, context)) if rule else ()
        yield from own
        if any(isinstance(s, Edit) and s.start <= command.start and command.end <= s.end for s in own):
            continue  # the whole command is another one now
        edited = [s for s in own if isinstance(s, Edit)]
        taken = frozenset(
            a.start for a in command.arguments if any(e.start <= a.start < e.end for e in edited)
        )
        yield from translate_arguments(command, taken, context)
        if command.key in _TARGETS:
            yield from _as_hip(command, lists, context)


def _lists_of_sources(commands: Sequence[Command]) -> frozenset[str]:
    """Variables that `set`, `list(APPEND)`, `file(GLOB)` or `foreach` puts names of .cu files into."""
    found: set[str] = set()
    for command in commands:
        words = command.words
        by_name = command.key == "foreach" and "LISTS" in words and not found.isdisjoint(words[1:])
        if (
            not by_name
            and not any(_is_cuda(w) for w in words)
            and not any(m[1] in found for w in words for m in _REFERENCE.finditer(w))
        ):
            continue
        if command.key in ("foreach", "set", "aux_source_directory", "cuda_compile"):
            found.update(words[:1])
        elif command.key in ("list", "file"):
            found.update(words[1:2])
    return frozenset(found)


def _is_cuda(word: str) -> bool:
    return word.rstrip('";').endswith(".cu")


def _as_hip(command: Command, lists: frozenset[str], context: CMakeContext) -> Iterator[Step]:
    """The language of the sources that CMake does not know by their names."""
    literal = [a.text for a in command.arguments if _is_cuda(a.text) and not a.text.startswith("$<")]
    named = [m[0] for a in command.arguments if (m := _REFERENCE.fullmatch(a.text)) and m[1] in lists]
    lines = []
    if literal:
        lines.append(f"set_source_files_properties({' '.join(literal)} PROPERTIES LANGUAGE HIP)")
    if named:
        lines += [
            f"set(hip_sources {' '.join(named)})",
            'list(FILTER hip_sources INCLUDE REGEX "[.]cu$")',
            "set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)",
        ]
    if lines:
        yield inserted_after(command, lines, context, "sources in HIP")
