"""A code object as it lies in memory: its segments, symbols, relocations and kernel descriptors.

Source: LLVM, User Guide for AMDGPU Backend, "ELF Code Object", "Kernel Descriptor", "Code Object Metadata".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from porter.harness.isa.errors import IsaError
from porter.harness.toolchains import message_pack
from porter.harness.toolchains.code_object import metadata_note

_LOAD = 1
_SYMBOL_TABLES = (2, 11)
_RELOCATIONS = 4
_RELATIVE64, _ABSOLUTE64 = 13, 3
_DESCRIPTOR_BYTES = 64


@dataclass(frozen=True)
class Symbol:
    address: int
    size: int


@dataclass(frozen=True)
class KernelArgument:
    """One entry of the kernel's argument list; `kind` is the metadata's `.value_kind`."""

    kind: str
    offset: int
    size: int


@dataclass(frozen=True)
class Kernel:
    """What the metadata and the kernel descriptor say of one kernel; addresses are relative to the image."""

    symbol: str
    entry: int
    arguments: tuple[KernelArgument, ...]
    kernarg_bytes: int
    lds_bytes: int
    scratch_bytes: int
    max_threads: int
    dynamic_stack: bool
    descriptor: bytes

    @property
    def _rsrc1(self) -> int:
        return int(struct.unpack_from("<I", self.descriptor, 48)[0])

    @property
    def rsrc2(self) -> int:
        return int(struct.unpack_from("<I", self.descriptor, 52)[0])

    @property
    def properties(self) -> int:
        return int(struct.unpack_from("<H", self.descriptor, 56)[0])

    @property
    def vector_registers(self) -> tuple[int, int]:
        """VGPRs and accumulation registers; both lie in one file, the latter from `accum_offset` on."""
        total = ((self._rsrc1 & 63) + 1) * 8
        (rsrc3,) = struct.unpack_from("<I", self.descriptor, 44)
        vgprs = min(((rsrc3 & 63) + 1) * 4, total, 256)
        return vgprs, min(total - vgprs, 256)

    @property
    def preload(self) -> tuple[int, int]:
        """Dwords of the kernel arguments that are loaded to registers, and the first of them."""
        word = int(struct.unpack_from("<H", self.descriptor, 58)[0])
        return word & 0x7F, word >> 7

    @property
    def ieee_mode(self) -> bool:
        return bool(self._rsrc1 >> 23 & 1)

    @property
    def flushes_denormals(self) -> bool:
        """Whether float32 or float64/float16 denormals are flushed; the mode that keeps both is 15."""
        return self._rsrc1 >> 16 & 15 != 15

    @property
    def rounds_to_nearest(self) -> bool:
        return self._rsrc1 >> 12 & 15 == 0


@dataclass(frozen=True)
class Image:
    """`data` is the memory image from address 0 on; `relocations` are (place, kind, value)."""

    data: bytes
    symbols: Mapping[str, Symbol]
    kernels: Mapping[str, Kernel]
    relocations: tuple[tuple[int, int, int], ...]
    writable: tuple[tuple[int, int], ...]

    def relocated(self, address: int) -> bytes:
        """The image for loading at `address`."""
        data = bytearray(self.data)
        for place, kind, value in self.relocations:
            if kind in (_RELATIVE64, _ABSOLUTE64):
                struct.pack_into("<Q", data, place, (address + value) % (1 << 64))
            else:
                raise IsaError("ISA005", f"a relocation of kind {kind}")
        return bytes(data)


def load_image(elf: bytes) -> Image:
    """Raises IsaError for what is no AMD code object."""
    try:
        sections = _sections(elf)
        symbols, by_index = _symbols(elf, sections)
        data, writable = _segments(elf)
        metadata = message_pack.decode(metadata_note(elf))
        relocations = _relocations(elf, sections, by_index)
    except (ValueError, struct.error, IndexError) as error:
        raise IsaError("ISA005", str(error)) from error
    kernels = {entry[".name"]: _kernel(entry, data, symbols) for entry in metadata.get("amdhsa.kernels", [])}
    return Image(data, symbols, kernels, relocations, writable)


def _kernel(entry: dict[str, Any], data: bytes, symbols: Mapping[str, Symbol]) -> Kernel:
    place = symbols[entry[".symbol"]].address
    descriptor = data[place : place + _DESCRIPTOR_BYTES]
    if entry[".wavefront_size"] != 64:
        raise IsaError("ISA005", "a kernel for wavefronts of another size than 64")
    (offset,) = struct.unpack_from("<q", descriptor, 16)
    return Kernel(
        symbol=entry[".name"],
        entry=place + offset,
        arguments=tuple(
            KernelArgument(a[".value_kind"], a[".offset"], a[".size"]) for a in entry.get(".args", [])
        ),
        kernarg_bytes=entry[".kernarg_segment_size"],
        lds_bytes=entry[".group_segment_fixed_size"],
        scratch_bytes=entry[".private_segment_fixed_size"],
        max_threads=entry[".max_flat_workgroup_size"],
        dynamic_stack=entry.get(".uses_dynamic_stack", False),
        descriptor=descriptor,
    )


@dataclass(frozen=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int


def _sections(elf: bytes) -> list[_Section]:
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    entry_bytes, count = struct.unpack_from("<HH", elf, 0x3A)
    found = []
    for index in range(count):
        at = table + index * entry_bytes
        (kind,) = struct.unpack_from("<I", elf, at + 4)
        offset, size = struct.unpack_from("<QQ", elf, at + 24)
        (link,) = struct.unpack_from("<I", elf, at + 40)
        found.append(_Section(kind, offset, size, link))
    return found


def _symbols(elf: bytes, sections: list[_Section]) -> tuple[dict[str, Symbol], dict[int, list[Symbol]]]:
    """By name, and each table's in order by the index of its section."""
    named: dict[str, Symbol] = {}
    tables: dict[int, list[Symbol]] = {}
    for index, section in enumerate(sections):
        if section.kind not in _SYMBOL_TABLES:
            continue
        names = sections[section.link].offset
        tables[index] = []
        for at in range(section.offset, section.offset + section.size, 24):
            name_at, _, _, _, value, size = struct.unpack_from("<IBBHQQ", elf, at)
            start = names + name_at
            symbol = Symbol(value, size)
            tables[index].append(symbol)
            named[elf[start : elf.index(b"\0", start)].decode()] = symbol
    return named, tables


def _segments(elf: bytes) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    (table,) = struct.unpack_from("<Q", elf, 0x20)
    entry_bytes, count = struct.unpack_from("<HH", elf, 0x36)
    data = bytearray()
    writable = []
    for index in range(count):
        kind, flags, offset, address, _, file_bytes, memory_bytes, _ = struct.unpack_from(
            "<IIQQQQQQ", elf, table + index * entry_bytes
        )
        if kind != _LOAD:
            continue
        data.extend(bytes(max(0, address + memory_bytes - len(data))))
        data[address : address + file_bytes] = elf[offset : offset + file_bytes]
        if flags & 2:
            writable.append((address, memory_bytes))
    return bytes(data), tuple(writable)


def _relocations(
    elf: bytes, sections: list[_Section], tables: Mapping[int, list[Symbol]]
) -> tuple[tuple[int, int, int], ...]:
    found = []
    for section in sections:
        if section.kind != _RELOCATIONS:
            continue
        symbols = tables.get(section.link, [])
        for at in range(section.offset, section.offset + section.size, 24):
            place, info, addend = struct.unpack_from("<QQq", elf, at)
            kind, index = info & 0xFFFFFFFF, info >> 32
            base = symbols[index].address if kind != _RELATIVE64 else 0
            found.append((place, kind, base + addend))
    return tuple(found)
