"""A host program for kernels that have none, from a `porter.toml` (docs/porter-toml.md).

Two variables of the environment serve whoever looks for lengths: `PORTER_LAUNCH=K` runs launch K alone, and
`PORTER_COUNTS` holds other counts for its arrays.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.core.atomic_file import write_atomically
from porter.core.cache import cache_directory, digest
from porter.core.errors import InputError
from porter.simulator.options import Face
from porter.simulator.tokens import Kind, tokenize

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIG_NAME = "porter.toml"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)*")


@dataclass(frozen=True)
class Array:
    """A device array of `count` elements of a C++ type; the other fields are as the module says."""

    type: str
    count: int
    fill: str | tuple[int, int] = "normal"
    sorted: bool = False
    passed_as: str = ""


@dataclass(frozen=True)
class KernelCall:
    """One launch. An argument that is a string is C++."""

    name: str
    template: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[Array | str, ...]


def has_main(source: Path) -> bool:
    """Whether the text has a function `main`; false for what cannot be read."""
    try:
        tokens = tokenize(source.read_bytes().decode("latin-1"))
    except OSError:
        return False
    pairs = itertools.pairwise(tokens)
    return any(a.text == "main" and a.kind is Kind.NAME and b.text == "(" for a, b in pairs)


def synthesised_program(source: Path, config: Path, face: Face) -> Path:
    """The file of a program that launches the kernels of `source`, which it includes by its name: the folder
    of `source` belongs to the search path. Raises InputError.
    """
    return launching_program(source, read_config(config), face)


def launching_program(source: Path, calls: Sequence[KernelCall], face: Face) -> Path:
    """The same for launches that no file holds."""
    text = program_text(source, calls, face)
    suffix = ".hip" if face is Face.HIP else ".cu"
    path = cache_directory("synthesised") / f"{digest(text)}{suffix}"
    write_atomically(path, text)
    return path


def is_launch_config(path: Path) -> bool:
    """Whether a file says how kernels are launched; a porter.toml may only say how its tree is checked."""
    try:
        raw = tomllib.loads(path.read_text())
    except (OSError, ValueError):
        return path.is_file()  # whoever reads it says what is wrong with it
    return "kernel" in raw or "check" not in raw


def read_config(config: Path) -> tuple[KernelCall, ...]:
    """Raises InputError that names the key that is missing or wrong."""
    try:
        raw = tomllib.loads(config.read_text())
    except (OSError, ValueError) as error:
        raise InputError(f"{config}: {error}") from error
    kernels = raw.get("kernel")
    if not isinstance(kernels, dict) or not kernels:
        raise InputError(f"{config}: no [kernel.NAME] table")
    return tuple(
        _call(config, name, table)
        for name, tables in kernels.items()
        for table in (tables if isinstance(tables, list) and tables else [tables])
    )


def _call(config: Path, name: str, table: Any) -> KernelCall:
    where = f"{config}: kernel.{name}"
    if not isinstance(table, dict) or not _IDENTIFIER.fullmatch(name):
        raise InputError(f"{where}: a table named after a kernel is expected")
    missing = [key for key in ("grid", "block", "args") if key not in table]
    if missing:
        raise InputError(f"{where}: {missing[0]} is missing")
    return KernelCall(
        name,
        str(table.get("template", "")),
        _extent(where, "grid", table["grid"]),
        _extent(where, "block", table["block"]),
        int(table.get("shared_bytes", 0)),
        tuple(_argument(f"{where}: args[{k}]", value) for k, value in enumerate(table["args"])),
    )


def _extent(where: str, key: str, value: Any) -> tuple[int, int, int]:
    sides = [value] if isinstance(value, int) else value
    if not isinstance(sides, list) or not 1 <= len(sides) <= 3 or not all(_is_size(s) for s in sides):
        raise InputError(f"{where}: {key} is one to three positive whole numbers")
    x, y, z = (*sides, 1, 1)[:3]
    return x, y, z


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _argument(where: str, value: Any) -> Array | str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return value
        case {"type": str(type_), "count": count} if _is_size(count):
            given = value.get("fill", "normal")
            rising = isinstance(given, dict) and given.get("sorted") is True
            return Array(type_, count, _fill(where, given), rising, str(value.get("as", "")))
    raise InputError(f"{where}: a number, a C++ expression or {{ type, count, fill }} is expected")


def _fill(where: str, value: Any) -> str | tuple[int, int]:
    match value:
        case "normal" | "zeros" | "index":
            return str(value)
        case {"low": int(low), "high": int(high)} if low <= high:
            return low, high
    raise InputError(f"{where}: fill is normal, zeros, index or {{ low, high }}")


def program_text(source: Path, calls: Sequence[KernelCall], face: Face) -> str:
    """The program; each launch stands in a block of its own."""
    api = str(face)
    lines = [
        f"#include <{face.header}>",
        "#include <algorithm>",
        "#include <cmath>",
        "#include <cstdlib>",
        "#include <vector>",
        *_without_main(source, f'#include "{source.name}"'),
        "",
        _GENERATOR.strip(),
        "",
        "int main() {",
        *(line for k, call in enumerate(calls) for line in _launch(k, call, api)),
        f"  return {api}DeviceSynchronize() == {api}Success ? 0 : 1;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _without_main(source: Path, include: str) -> list[str]:
    """A main() of the source is a function like others: it is not called."""
    return ["#define main porter_unused_main", include, "#undef main"] if has_main(source) else [include]


# Sums of uniform numbers are close enough to normal ones, and the same on every machine.
_GENERATOR = """
static unsigned porter_state = 12345;
static double porter_uniform() {
  porter_state = porter_state * 1664525u + 1013904223u;
  return (porter_state >> 8) / 16777216.0;
}
static double porter_normal() {
  double sum = -6.0;
  for (int k = 0; k < 12; ++k) sum += porter_uniform();
  return sum;
}
static bool porter_wants(int launch) {
  const char *only = getenv("PORTER_LAUNCH");
  return !only || atoi(only) == launch;
}
static long porter_count(int array, long count) {
  char *end = getenv("PORTER_COUNTS");
  for (int k = 0; end && *end && k <= array; ++k) count = strtol(end, &end, 10);
  return count;
}
"""


def _launch(number: int, call: KernelCall, api: str) -> list[str]:
    arrays = {k: a for k, a in enumerate(call.arguments) if isinstance(a, Array)}
    lines = [f"  if (porter_wants({number})) {{"]
    for place, (k, array) in enumerate(arrays.items()):
        lines += [
            f"    const long count{k} = porter_count({place}, {array.count});",
            f"    std::vector<{array.type}> host{k}(count{k});",
            f"    for (long i = 0; i < count{k}; ++i) host{k}[i] = ({array.type})({_value(array)});",
            *([f"    std::sort(host{k}.begin(), host{k}.end());"] if array.sorted else []),
            f"    {array.type} *device{k} = nullptr;",
            f"    {api}Malloc((void **)&device{k}, sizeof({array.type}) * count{k});",
            f"    {_copy(api, array, k, 'HostToDevice')}",
        ]
    name = f"{call.name}<{call.template}>" if call.template else call.name
    arguments = ", ".join(_passed(k, a) for k, a in enumerate(call.arguments))
    grid, block = (f"dim3({', '.join(map(str, sides))})" for sides in (call.grid, call.block))
    lines.append(f"    {name}<<<{grid}, {block}, {call.shared_bytes}>>>({arguments});")
    lines += [f"    {_copy(api, a, k, 'DeviceToHost')}" for k, a in arrays.items()]
    lines += [f"    {api}Free(device{k});" for k in arrays]
    return [*lines, "  }"]


def _passed(position: int, argument: Array | str) -> str:
    if isinstance(argument, str):
        return argument
    cast = f"({argument.passed_as} *)" if argument.passed_as else ""
    return f"{cast}device{position}"


def _copy(api: str, array: Array, k: int, direction: str) -> str:
    places = (f"device{k}", f"host{k}.data()")
    to, source = places if direction == "HostToDevice" else places[::-1]
    return f"{api}Memcpy({to}, {source}, sizeof({array.type}) * count{k}, {api}Memcpy{direction});"


def _value(array: Array) -> str:
    match array.fill:
        case "zeros":
            return "0"
        case "index":
            return "i"
        case (low, high):
            return f"{low} + int(porter_uniform() * {int(high) - int(low) + 1})"
    return "porter_normal()"
