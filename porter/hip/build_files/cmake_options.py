"""What a CMakeLists.txt says of compiling, without running it: folders of headers, macros, and its targets.

Only what its text tells for sure is taken: literals, and variables that are set to literals. Conditions are
not evaluated: a folder or a link of any branch counts, a macro only where it is unconditional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from porter.hip.build_files.cmake_syntax import CMakeSyntaxError, Command, parse_cmake
from porter.hip.build_files.compile_options import DEFINE, OPTION, CompileOptions, Expansion, inside


@dataclass(frozen=True)
class Saying:
    """What a command says of the target `name`: for its own sources, for those that link it, or for both.

    `links` are targets or libraries; `is_certain` is false in a branch of a condition.
    """

    name: str
    is_own: bool
    is_handed_on: bool
    options: CompileOptions = field(default_factory=CompileOptions)
    links: tuple[str, ...] = ()
    is_certain: bool = True


@dataclass(frozen=True)
class CMakeFile:
    """`options` are those of all its targets and of the folder, macros of targets apart. `variables` are seen
    by files in folders below. `compiled` are the targets that have sources, `links` what `link_libraries`
    adds to each of them, `aliases` other names of targets, `subfolders` what `add_subdirectory` names."""

    options: CompileOptions = field(default_factory=CompileOptions)
    variables: Mapping[str, str] = field(default_factory=dict)
    sayings: tuple[Saying, ...] = ()
    compiled: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    subfolders: tuple[str, ...] = ()


_REFERENCE = re.compile(r"\$\{(\w+)\}")
_BUILD_INTERFACE = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>")
_KEYWORDS = frozenset(("PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"))
_SCOPES = {
    "PUBLIC": (True, True),
    "PRIVATE": (True, False),
    "INTERFACE": (False, True),
    "LINK_PUBLIC": (True, True),
    "LINK_PRIVATE": (True, False),
    "LINK_INTERFACE_LIBRARIES": (False, True),
}
"""Whether what follows is for the target's own sources, and for those that link it."""
_OF_TARGETS = frozenset(
    f"target_{what}"
    for what in ("include_directories", "compile_definitions", "compile_options", "link_libraries")
)
_MAKES_TARGET = frozenset(("add_executable", "add_library", "cuda_add_executable", "cuda_add_library"))
_LINKS_BY_BUILD = frozenset(("debug", "optimized", "general"))
_MACRO = re.compile(r'(?:-D)?(\w+(?:=[^$\n"\\]*)?)')


def of_cmake(text: str, folder: str, outer: Mapping[str, str]) -> CMakeFile:
    """A CMakeLists.txt in `folder` that sees the variables `outer`. A file that cannot be parsed says
    nothing."""
    try:
        commands = parse_cmake(text)
    except CMakeSyntaxError:
        return CMakeFile(variables=dict(outer))
    return _Reader(folder, _variables(commands, folder, outer)).read(commands)


def _variables(commands: Iterable[Command], folder: str, outer: Mapping[str, str]) -> dict[str, str]:
    variables = dict(outer)
    variables.setdefault("CMAKE_SOURCE_DIR", f"/{folder}")
    for command in commands:
        if command.key == "project" and command.words:
            name = command.words[0]
            variables |= {"PROJECT_NAME": name, "PROJECT_SOURCE_DIR": f"/{folder}"}
            variables[f"{name}_SOURCE_DIR"] = f"/{folder}"
            variables.setdefault("CMAKE_PROJECT_NAME", name)
    return variables | {"CMAKE_CURRENT_SOURCE_DIR": f"/{folder}", "CMAKE_CURRENT_LIST_DIR": f"/{folder}"}


class _Reader:
    """Reads the commands in their order, as variables change between them."""

    def __init__(self, folder: str, variables: dict[str, str]) -> None:
        self.folder = folder
        self.variables = variables
        self.expansion = Expansion(_REFERENCE)
        self.blocks: list[Command] = []
        """The conditions, loops and functions that are open."""

    def read(self, commands: Iterable[Command]) -> CMakeFile:
        folders: list[str] = []
        defines: list[str] = []
        sayings: list[Saying] = []
        compiled: list[str] = []
        links: list[str] = []
        aliases: dict[str, str] = {}
        subfolders: list[str] = []
        for command in commands:
            words = command.words
            self._enter(command)
            if command.key == "set" and len(words) > 1:
                self._set(command)
            folders += self._folders(command)
            if command.key in ("add_definitions", "add_compile_definitions") and not self.blocks:
                defines += _macros(words)
            elif command.key in _OF_TARGETS and len(words) > 1:
                sayings += self._sayings(command)
            elif command.key == "link_libraries":
                links += self._linked(words)
            elif command.key == "add_subdirectory" and words:
                subfolders += inside(self._list(words[:1]), self.folder)
            elif command.key in _MAKES_TARGET and len(words) > 2 and words[1] == "ALIAS":
                aliases[self._name(words[0])] = self._name(words[2])
            elif command.key in _MAKES_TARGET and words and not {"INTERFACE", "IMPORTED"} & set(words[1:3]):
                compiled.append(self._name(words[0]))
        options = CompileOptions(tuple(inside(folders, self.folder)), tuple(dict.fromkeys(defines)))
        return CMakeFile(
            options, self.variables, tuple(sayings), tuple(compiled), tuple(links), aliases, tuple(subfolders)
        )

    def _enter(self, command: Command) -> None:
        if command.key in ("if", "foreach", "while", "function", "macro"):
            self.blocks.append(command)
        elif command.key.startswith("end") and self.blocks:
            self.blocks.pop()

    def _set(self, command: Command) -> None:
        name, *values = command.words
        kept = [v for v in values if v not in ("PARENT_SCOPE", "FORCE")]
        if "CACHE" in kept:
            kept = kept[: kept.index("CACHE")]
        self.variables[name] = ";".join(self._expanded(value) for value in kept)

    def _folders(self, command: Command) -> Iterator[str]:
        words = command.words
        if command.key in ("include_directories", "cuda_include_directories"):
            yield from self._list(words)
        elif command.key == "target_include_directories":
            yield from self._list(words[1:])
        elif command.key in (
            "set",
            "list",
            "target_compile_options",
            "add_compile_options",
            "cuda_add_executable",
        ):
            yield from _flagged(self._list(words))

    def _sayings(self, command: Command) -> Iterator[Saying]:
        """One for each PUBLIC, PRIVATE or INTERFACE; what stands before the first is for both."""
        name = self._name(command.words[0])
        is_certain = not any(block.key in ("if", "while") for block in self.blocks)
        parts: list[tuple[tuple[bool, bool], list[str]]] = [((True, True), [])]
        for word in command.words[1:]:
            if word in _SCOPES:
                parts.append((_SCOPES[word], []))
            else:
                parts[-1][1].append(word)
        for (is_own, is_handed_on), words in parts:
            if command.key == "target_link_libraries":
                found, links = CompileOptions(), tuple(self._linked(words))
            else:
                found, links = self._options(command.key, words), ()
            if links or found != CompileOptions():
                yield Saying(name, is_own, is_handed_on, found, links, is_certain)

    def _options(self, key: str, words: list[str]) -> CompileOptions:
        if key == "target_include_directories":
            return CompileOptions(tuple(inside(self._list(words), self.folder)))
        if key == "target_compile_definitions":
            return CompileOptions((), tuple(_macros(words)))
        folders = tuple(inside(_flagged(self._list(words)), self.folder))
        return CompileOptions(folders, tuple(d for w in words if "$" not in w for d in DEFINE.findall(w)))

    def _linked(self, words: Iterable[str]) -> Iterator[str]:
        return (name for name in self._list(words) if "$" not in name and name not in _LINKS_BY_BUILD)

    def _name(self, word: str) -> str:
        """A name that a loop or a function gives is not that of another loop or function."""
        name = self._expanded(word)
        given = [b for b in self.blocks if b.key in ("foreach", "function", "macro")]
        return f"{name}@{self.folder}:{given[-1].start}" if "$" in name and given else name

    def _list(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            if word not in _KEYWORDS:
                yield from filter(None, self._expanded(word).split(";"))

    def _expanded(self, word: str) -> str:
        """What is not known stays as it is written, and is none of the tree's folders then."""
        return self.expansion.of(_BUILD_INTERFACE.sub(r"\1", word), self.variables)


def _flagged(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        yield from (found.strip("\"'") for found in OPTION.findall(value))


def _macros(words: Iterable[str]) -> Iterator[str]:
    """Those that are literals: a value with a variable in it may be a folder of the machine that builds."""
    return (found[1] for word in words if (found := _MACRO.fullmatch(word)))
