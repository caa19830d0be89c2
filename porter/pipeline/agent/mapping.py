"""What porter's tables say of a CUDA name, an include or a PTX instruction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.outcome import Target
from porter.hip.name_table import NameTable, load_tables
from porter.hip.names import nearest_names
from porter.hip.own_headers import own_header
from porter.hip.ptx import way_out
from porter.hip.ptx_table import Translated, translate_instruction
from porter.hip.shim_text import shim_names, shim_text
from porter.hip.textures import HEADER, software_name
from porter.tile.equivalents import triton_equivalent

_OPERANDS = ("d", "a", "b", "c", "e")
_PTX = re.compile(r"[a-z]\w*(\.[\w:]+)+")


def mapping(name: str, target: Target) -> str:
    """A few lines; says so where no table has the name."""
    name = name.strip().strip('<>"`;()')
    lines = tuple(_hip(name) if target is Target.HIP else _triton(name))
    return "\n".join(lines) or f"No table has {name}.{_near(name) if target is Target.HIP else ''}"


def _triton(name: str) -> Iterator[str]:
    found = triton_equivalent(name)
    if found is not None:
        yield f"{name} in Triton:\n\n{found}"
    elif name.partition(" ")[0].partition(".")[2]:
        yield from (f"As C++: {line}" for line in _instruction(name))


def _hip(name: str) -> Iterator[str]:
    table = load_tables()
    if name in table.mapped:
        entry = table.mapped[name]
        newer = f", from ROCm {table.newer[entry.hip]}" if entry.hip in table.newer else ""
        yield f"{name} is {entry.hip} ({entry.api}{newer})"
    if name in table.unsupported:
        yield f"{name} has no equivalent in HIP: {table.unsupported[name].way_out}"
    yield from _calls(table, name)
    if name in table.headers:
        yield f"the header {name} is {table.headers[name] or 'not needed'}"
    if (header := own_header(name)) is not None:
        yield f"the header {name} is {header}, which may be included"
    if (software := software_name(name)) is not None:
        yield f"{name} is {software} of {HEADER}, which may be included: GPUs of CDNA have no texture units"
    yield from _shim(name)
    if _PTX.match(name):
        yield from _instruction(name)


def _calls(table: NameTable, name: str) -> Iterator[str]:
    for form in table.calls.get(name, ()):
        warning = f" ({form.warning})" if form.warning else ""
        yield f"{name} with {form.arguments} arguments is {form.hip}, {{i}} being the i-th{warning}"


def _shim(name: str) -> Iterator[str]:
    plain = name.strip("_").lower()
    if plain in shim_names():
        yield f"{name} as porter writes it:\n\n{shim_text(frozenset((plain,)))}"


def _instruction(text: str) -> Iterator[str]:
    name, _, rest = text.partition(" ")
    found = _translated(text, rest) if rest else _guessed(name)
    if found is None:
        yield f"{name} is in no table: {way_out(name)}"
        return
    yield f"{name}: {found.text}"
    if found.shims:
        yield shim_text(found.shims)


def _translated(text: str, rest: str) -> Translated | None:
    count = len(set(re.findall(r"%\d+", rest)))
    return translate_instruction(text.rstrip(";"), _OPERANDS[: max(count, 1)])


def _guessed(name: str) -> Translated | None:
    """With as many operands as the table's entry has."""
    for count in range(len(_OPERANDS) + 1):
        operands = ", ".join(f"%{i}" for i in range(count))
        found = translate_instruction(f"{name} {operands}".strip(), _OPERANDS[:count])
        if found is not None:
            return found
    return None


def _near(name: str) -> str:
    near = nearest_names(load_tables(), name)
    return f" Similar: {', '.join(near)}." if near else ""
