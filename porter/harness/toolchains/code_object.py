"""Reads an AMD code object: which kernels it has and what each needs, from its metadata note.

Source: LLVM, User Guide for AMDGPU Backend, "Code Object Metadata" (V3 and later). In it `.vgpr_count` of
gfx90a and later is the total of the unified file, AGPRs included.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from typing import Any

from porter.hardware.gpu import Gpu
from porter.hardware.occupancy import occupancy
from porter.harness.toolchains import message_pack
from porter.harness.toolchains.records import CodeObject, InstructionMix, KernelResources, LaunchShape

_NOTE_SECTION = 7
_AMDGPU_METADATA_NOTE = 32
# Occupancy is stated for this block size where the launch is not known and the kernel does not bound it.
ASSUMED_THREADS_PER_BLOCK = 256


def kernels_of(
    code: CodeObject, gpu: Gpu, launches: Mapping[str, LaunchShape]
) -> tuple[KernelResources, ...]:
    """The kernels in the order of the note. `launches` is keyed by source name.

    Raises ValueError when `code` is no AMD code object with metadata.
    """
    metadata = message_pack.decode(metadata_note(code.data))
    mixes = instruction_mixes(code.assembly)
    return tuple(
        _resources(entry, gpu, launches, mixes.get(entry[".name"], InstructionMix()))
        for entry in metadata.get("amdhsa.kernels", [])
    )


def _resources(
    entry: dict[str, Any], gpu: Gpu, launches: Mapping[str, LaunchShape], mix: InstructionMix
) -> KernelResources:
    name = source_name(entry[".name"])
    ceiling = entry[".max_flat_workgroup_size"]
    launch = launches.get(name) or LaunchShape(min(ceiling, ASSUMED_THREADS_PER_BLOCK))
    lds = entry[".group_segment_fixed_size"]
    fits = occupancy(
        gpu,
        vgprs=entry[".vgpr_count"],
        lds_bytes=lds + launch.dynamic_lds_bytes,
        threads_per_block=launch.threads_per_block,
    )
    return KernelResources(
        name=name,
        symbol=entry[".name"],
        vgprs=entry[".vgpr_count"],
        agprs=entry.get(".agpr_count", 0),
        sgprs=entry[".sgpr_count"],
        lds_bytes=lds,
        scratch_bytes=entry[".private_segment_fixed_size"],
        vgpr_spills=entry.get(".vgpr_spill_count", 0),
        sgpr_spills=entry.get(".sgpr_spill_count", 0),
        kernarg_bytes=entry[".kernarg_segment_size"],
        max_threads_per_block=ceiling,
        wavefront_size=entry[".wavefront_size"],
        uses_dynamic_stack=entry.get(".uses_dynamic_stack", False),
        waves_per_simd=fits.waves_per_simd,
        occupancy_limited_by=fits.limited_by,
        threads_per_block=launch.threads_per_block,
        instructions=mix,
    )


def metadata_note(elf: bytes) -> bytes:
    """The payload of the AMDGPU metadata note. Raises ValueError where there is none."""
    if elf[:5] != b"\x7fELF\x02":
        raise ValueError("not a 64-bit ELF file")
    table, entry_bytes, count = (
        struct.unpack_from("<Q", elf, 0x28)[0],
        *struct.unpack_from("<HH", elf, 0x3A),
    )
    for index in range(count):
        header = table + index * entry_bytes
        (kind,) = struct.unpack_from("<I", elf, header + 4)
        offset, size = struct.unpack_from("<QQ", elf, header + 24)
        if kind == _NOTE_SECTION:
            for note_type, owner, payload in _notes(elf[offset : offset + size]):
                if owner == b"AMDGPU" and note_type == _AMDGPU_METADATA_NOTE:
                    return payload
    raise ValueError("no AMDGPU metadata note")


def _notes(data: bytes) -> list[tuple[int, bytes, bytes]]:
    found, at = [], 0
    while at + 12 <= len(data):
        name_bytes, payload_bytes, kind = struct.unpack_from("<III", data, at)
        name_at = at + 12
        payload_at = name_at + _align4(name_bytes)
        owner = data[name_at : name_at + name_bytes].rstrip(b"\0")
        found.append((kind, owner, data[payload_at : payload_at + payload_bytes]))
        at = payload_at + _align4(payload_bytes)
    return found


def _align4(n: int) -> int:
    return (n + 3) & ~3


def source_name(symbol: str) -> str:
    """The unqualified name in an Itanium-mangled symbol: `_ZN2ns6kernelIfLi4EEvPT_i` gives `kernel`."""
    if not symbol.startswith("_Z"):
        return symbol
    at = re.match(r"_Z(?:L|N[rVK]*)?(?:St)?", symbol).end()  # type: ignore[union-attr]
    name = symbol
    nested = symbol.startswith("_ZN")
    while length := re.match(r"L?(\d+)", symbol[at:]):
        start = at + length.end()
        at = start + int(length.group(1))
        part = symbol[start:at]
        name = part if not part.startswith("_GLOBAL__N") else name
        if not nested:
            break
    return name


_FUNCTION = re.compile(r"^(\w+):\s*; @", re.MULTILINE)
_MNEMONIC = re.compile(r"^\t([a-z]\w+)", re.MULTILINE)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("vector_memory", re.compile(r"(global|buffer|flat)_(load|store)")),
    ("wide", re.compile(r"(global|buffer|flat)_(load|store)_(dwordx4|b128)")),
    ("flat", re.compile(r"flat_(load|store|atomic)")),
    ("lds", re.compile(r"ds_")),
    ("scratch", re.compile(r"scratch_(load|store)")),
    ("matrix", re.compile(r"v_s?mfma")),
    ("barriers", re.compile(r"s_barrier")),
    (
        "atomics",
        re.compile(
            r"((global|buffer|flat)_atomic|ds_(add|sub|min|max|and|or|xor|cmpst|wrxchg|inc|dec|cmpswap))"
        ),
    ),
    ("compare_and_swap", re.compile(r"((global|buffer|flat)_atomic_cmpswap|ds_cmpst|ds_cmpswap)")),
    ("calls", re.compile(r"s_swappc")),
)


def instruction_mixes(assembly: str) -> dict[str, InstructionMix]:
    """Static instruction counts by symbol, from LLVM's text (`name:  ; @name` … `.Lfunc_end`)."""
    mixes = {}
    for match in _FUNCTION.finditer(assembly):
        end = assembly.find(".Lfunc_end", match.end())
        body = assembly[match.end() : end if end >= 0 else len(assembly)]
        mixes[match.group(1)] = _mix(_MNEMONIC.findall(body))
    return mixes


def _mix(mnemonics: list[str]) -> InstructionMix:
    counts = {kind: sum(1 for m in mnemonics if pattern.match(m)) for kind, pattern in _KINDS}
    return InstructionMix(total=len(mnemonics), **counts)
