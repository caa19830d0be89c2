"""A porter.toml as text, and one that was given: the launches in it that do not compile are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.cache import cache_directory, digest, keep_text
from porter.core.errors import PorterError
from porter.core.span import SourceText, Span
from porter.harness.synthesise import CONFIG_NAME, Array, KernelCall, program_text, read_config
from porter.harness.verdict import VerifyOptions
from porter.simulator.build import CompileError, build_program
from porter.simulator.options import Face

# What TOML writes as it stands; anything else is a string of C++.
_LITERAL = re.compile(r"true|false|[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")


@dataclass(frozen=True)
class GivenConfig:
    """`path` is the file without the launches that do not compile, None where none is left.

    `refused` says of each kernel left out where the file names it and what the compiler says.
    """

    path: Path | None
    refused: Mapping[str, tuple[Span, str]] = field(default_factory=dict)


def checked_config(source: Path, config: Path, options: VerifyOptions) -> GivenConfig:
    """Of the launches in `config`, those that compile with `source`.

    Raises InputError for what is no porter.toml.
    """
    calls = read_config(config)
    if _complaint(source, calls, options) is None:
        return GivenConfig(config)
    text = SourceText.read(config)
    kept: list[KernelCall] = []
    refused: dict[str, tuple[Span, str]] = {}
    for name in dict.fromkeys(call.name for call in calls):
        own = [call for call in calls if call.name == name]
        complaint = _complaint(source, own, options)
        if complaint is None:
            kept += own
        else:
            refused[name] = (_named_at(text, name), complaint)
    return GivenConfig(kept_config(config_text(kept)), refused)


def _complaint(source: Path, calls: Sequence[KernelCall], options: VerifyOptions) -> str | None:
    """The compiler's first error about a program of these launches."""
    text = program_text(source, calls, Face.CUDA)
    path = cache_directory("synthesised") / f"{digest(text)}.cu"
    keep_text(path, text)
    try:
        build_program(
            [path],
            face=Face.CUDA,
            include_dirs=(source.parent, *options.include_dirs),
            defines=options.defines,
        )
    except PorterError as error:
        return first_complaint(error, path)
    return None


def first_complaint(error: PorterError, program: Path) -> str:
    """The first message, without its place where that is in `program`, a text that nobody wrote."""
    if isinstance(error, CompileError) and error.diagnostics[0].span.path == str(program):
        return error.diagnostics[0].message
    return error.message.split("\n")[0]


def _named_at(config: SourceText, name: str) -> Span:
    found = re.search(rf"kernel\s*\.\s*[\"']?(?P<name>{re.escape(name)})\b", config.text)
    return config.span(*found.span("name")) if found else config.span(0, 0)


def kept_config(text: str) -> Path | None:
    """A file of the cache with `text`, which is a porter.toml; None for no text."""
    if not text:
        return None
    path = cache_directory("synthesised") / f"{digest(text)}-{CONFIG_NAME}"
    keep_text(path, text)
    return path


def config_text(calls: Sequence[KernelCall]) -> str:
    """The porter.toml of `calls`."""
    return "\n".join(map(_section, calls))


def _section(call: KernelCall) -> str:
    lines = [
        f'[[kernel."{call.name}"]]',
        *([f"template = {json.dumps(call.template)}"] if call.template else []),
        f"grid = {list(call.grid)}",
        f"block = {list(call.block)}",
        *([f"shared_bytes = {call.shared_bytes}"] if call.shared_bytes else []),
        "args = [",
        *(f"  {_argument(argument)}," for argument in call.arguments),
        "]",
    ]
    return "\n".join(lines) + "\n"


def _argument(argument: Array | str) -> str:
    if isinstance(argument, str):
        return argument if _LITERAL.fullmatch(argument) else json.dumps(argument)
    parts = [f'type = "{argument.type}"', f"count = {argument.count}"]
    if argument.passed_as:
        parts.append(f'as = "{argument.passed_as}"')
    if isinstance(argument.fill, tuple):
        rising = ", sorted = true" if argument.sorted else ""
        parts.append(f"fill = {{ low = {argument.fill[0]}, high = {argument.fill[1]}{rising} }}")
    elif argument.fill != "normal":
        parts.append(f'fill = "{argument.fill}"')
    return "{ " + ", ".join(parts) + " }"
