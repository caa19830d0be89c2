"""What Makefiles and setup.py say of compiling, without running them: folders of headers, and macros.

Only what their text tells for sure is taken: literals, and variables that the files set to literals.
Conditions are not evaluated: a folder of any branch counts, a macro only where it is unconditional.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CompileOptions:
    """Folders relative to the root of the tree, `.` for the root, and macros as `NAME` or `NAME=VALUE`."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


OPTION = re.compile(r"(?<!\S)-(?:I\s*|isystem\s+)(\"[^\"]+\"|'[^']+'|[^\s\"']+)")
DEFINE = re.compile(r"(?<!\S)-D\s*(\w+(?:=[\w.+-]+)?)(?!\S)")


_MOST_CHARACTERS = 100_000
"""Of a variable's value, and of a line with its variables expanded."""
_MOST_EXPANDED = 4_000_000
"""Characters that the expansions of one file may have; beyond, references stay as they are written."""


@dataclass
class Expansion:
    """Replaces `reference`s, as often as a build tool's variables nest, and never for long."""

    reference: re.Pattern[str]
    left: int = _MOST_EXPANDED

    def of(self, text: str, variables: Mapping[str, str]) -> str:
        for _ in range(8):
            names = [m[m.lastindex or 0] for m in self.reference.finditer(text)]
            size = len(text) + sum(len(variables.get(name, "")) for name in names)
            if not names or size > min(self.left, _MOST_CHARACTERS):
                break
            self.left -= size
            new = self.reference.sub(lambda m: variables.get(m[m.lastindex or 0], m[0]), text)
            if new == text:
                break
            text = new
        return text


_ASSIGNMENT = re.compile(
    r"(?m)^[ \t]*(?:export[ \t]+|override[ \t]+)*(\w+)[ \t]*(\+|[?:]|::)?=[ \t]*((?:[^\n\\#]|\\.)*)"
)
_RECIPE_OF_ONE = re.compile(r"\t.*\w\.cu\b")
_MAKE_REFERENCE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\})")
_HERE = re.compile(
    r"\$\((?:CURDIR|PWD|shell pwd|dir \$\(lastword \$\(MAKEFILE_LIST\)\)\))\)|\$\{(?:CURDIR|PWD)\}"
)


def of_makefile(text: str, folder: str) -> CompileOptions:
    """Of all commands and flags of a Makefile in `folder`; nothing is run.

    Macros in a branch of a conditional, from a variable that one sets, or of a recipe that names its source
    are left out: they are not for all.
    """
    text = _HERE.sub(".", text).replace("\\\n", " ")
    folders = [found for line in _make_lines(text) for found in OPTION.findall(line)]
    defines: dict[str, set[str]] = {}
    for line in _make_lines(_without_branches(text)):
        if _RECIPE_OF_ONE.match(line):
            continue
        for found in DEFINE.findall(line):
            defines.setdefault(found.partition("=")[0], set()).add(found)
    same = tuple(next(iter(values)) for values in defines.values() if len(values) == 1)
    return CompileOptions(tuple(inside((f.strip("\"'") for f in folders), folder)), same)


def _without_branches(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        depth += word in ("ifeq", "ifneq", "ifdef", "ifndef")
        if not depth:
            kept.append(line)
        depth -= word == "endif" and depth > 0
    return "\n".join(kept)


def _make_lines(text: str) -> Iterator[str]:
    """Each line with its variables expanded."""
    variables: dict[str, str] = {}
    for match in _ASSIGNMENT.finditer(text):
        name, kind, value = match[1], match[2] or "", match[3].strip()
        if kind == "+":
            before = variables.get(name, "")
            variables[name] = f"{before} {value}".strip() if len(before) < _MOST_CHARACTERS else before
        elif kind != "?" or name not in variables:
            variables[name] = value
    expansion = Expansion(_MAKE_REFERENCE)
    return (expansion.of(line.partition("#")[0], variables) for line in text.splitlines())


def of_setup_py(text: str, folder: str) -> CompileOptions:
    """Of `include_dirs`, `define_macros` and flags that are written out."""
    try:
        folders, defines = _of_python(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last one for too deep an expression
        return CompileOptions()
    return CompileOptions(tuple(inside(folders, folder)), tuple(dict.fromkeys(defines)))


def _of_python(tree: ast.Module) -> tuple[list[str], list[str]]:
    folders: list[str] = []
    defines: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "include_dirs":
            folders += _paths(node.value)
        elif isinstance(node, ast.keyword) and node.arg == "define_macros":
            defines += _macros(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            folders += (found.strip("\"'") for found in OPTION.findall(node.value))
    return folders, defines


def _paths(node: ast.expr) -> Iterator[str]:
    """Literals, and what is joined to the folder of the file: a name or a call stands for that folder."""
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from _paths(element)
        case ast.Constant(value=str() as text):
            yield text
        case ast.Call(func=ast.Attribute(attr="join"), args=[_, *parts]) if parts:
            texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
            if len(texts) == len(parts):
                yield "/".join(texts)
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=str() as text)):
            yield from [text.lstrip("/")] if not isinstance(left, ast.List) else _paths(left)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _paths(left)
            yield from _paths(right)
        case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str() as text)]):
            yield text.lstrip("/")
        case ast.Call(func=ast.Name(id="str" | "abspath"), args=[inner]):
            yield from _paths(inner)
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str() as text)):
            yield text


def _macros(node: ast.expr) -> Iterator[str]:
    for pair in node.elts if isinstance(node, ast.List) else ():
        match pair:
            case ast.Tuple(elts=[ast.Constant(value=str() as name), ast.Constant(value=None)]):
                yield name
            case ast.Tuple(
                elts=[ast.Constant(value=str() as name), ast.Constant(value=str() | int() as value)]
            ):
                yield f"{name}={value}"


def inside(folders: Iterable[str], folder: str) -> Iterator[str]:
    """Each once, as names in the tree; `/` begins those that a variable of CMake has named from its root."""
    seen: set[str] = set()
    for name in folders:
        if "$" in name or name.startswith("~") or "\n" in name:
            continue
        place = name[1:] if name.startswith("/") else posixpath.join(folder, name)
        place = posixpath.normpath(place.lstrip("/") or ".")
        if not place.startswith("..") and place not in seen:
            seen.add(place)
            yield place
