"""A porter.toml as text, and one that was given: the launches in it that are wrong are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.atomic_file import write_atomically
from porter.core.cache import cache_directory, digest
from porter.core.errors import PorterError
from porter.core.process import Limits
from porter.core.span import SourceText, Span, shown_path
from porter.harness.synthesise import CONFIG_NAME, Array, KernelCall, launching_program, read_config
from porter.harness.verdict import VerifyOptions
from porter.simulator.build import CompileError, Program, build_program
from porter.simulator.checks import Check
from porter.simulator.options import Face
from porter.simulator.run import run_program

_LAUNCH_SECONDS = 60.0
# What TOML writes as it stands; anything else is a string of C++.
_LITERAL = re.compile(r"true|false|[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")


@dataclass(frozen=True)
class GivenConfig:
    """`path` is the file without the launches that are wrong, None where none is left.

    `refused` says of each kernel left out where the file names it, and what its launches do.
    """

    path: Path | None
    refused: Mapping[str, tuple[Span, str]] = field(default_factory=dict)


def checked_config(source: Path, config: Path, options: VerifyOptions) -> GivenConfig:
    """Of the launches in `config`, those that compile with `source` and run, each alone, without a fault.

    Raises InputError for what is no porter.toml.
    """
    calls = read_config(config)
    complaints = _complaints(source, calls, options)
    if not complaints:
        return GivenConfig(config)
    text = SourceText.read(config)
    refused = {name: (_named_at(text, name), said) for name, said in complaints.items()}
    kept = [call for call in calls if call.name not in refused]
    return GivenConfig(kept_config(config_text(kept)), refused)


def _complaints(source: Path, calls: Sequence[KernelCall], options: VerifyOptions) -> dict[str, str]:
    """What is wrong with the launches of each kernel; nothing of those that are right."""
    names = list(dict.fromkeys(call.name for call in calls))
    built = _built(source, calls, options)
    if isinstance(built, str):
        if len(names) == 1:
            return {names[0]: f"do not compile: {built}"}
        own = [_complaints(source, [c for c in calls if c.name == name], options) for name in names]
        return {name: said for found in own for name, said in found.items()}
    found: dict[str, str] = {}
    for number, call in enumerate(calls):
        if call.name not in found and (fault := _fault(built, number)):
            found[call.name] = f"fail: {fault}"
    return found


def _built(source: Path, calls: Sequence[KernelCall], options: VerifyOptions) -> Program | str:
    """A program of these launches that checks its memory, or the compiler's first error about it."""
    path = launching_program(source, calls, Face.CUDA)
    try:
        return build_launching(path, source, options)
    except PorterError as error:
        return first_complaint(error, path)


def build_launching(program: Path, source: Path, options: VerifyOptions) -> Program:
    """Compiles a program around `source` so that it checks its memory. Raises PorterError."""
    return build_program(
        [program],
        face=Face.CUDA,
        include_dirs=(source.parent, *options.include_dirs),
        defines=options.defines,
        checks=frozenset({Check.MEMORY}),
    )


def _fault(program: Program, number: int) -> str:
    """What the simulator says first when launch `number` runs alone; "" where it runs well."""
    limits = Limits(wall_seconds=_LAUNCH_SECONDS)
    done = run_program(program, environment={"PORTER_LAUNCH": str(number)}, limits=limits)
    if not done.errors:
        return ""  # how the program ends is the judge's to say
    first = done.errors[0]
    (generated,) = program.sources
    said = _argument_for_place(first.message, generated)
    return said if Path(first.file) == generated else f"{shown_path(first.file)}:{first.line}: {said}"


def _argument_for_place(message: str, generated: Path) -> str:
    """A buffer by its place in `args` instead of the generated line that allocates it."""
    found = re.search(rf"\(allocated at {re.escape(generated.name)}:(\d+)\)", message)
    lines = generated.read_text().splitlines()
    named = re.search(r"&device(\d+)", lines[int(found[1]) - 1]) if found else None
    return message if found is None or named is None else message.replace(found[0], f"(args[{named[1]}])")


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
    write_atomically(path, text)
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
