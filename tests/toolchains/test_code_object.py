"""Names, instruction counts and metadata of code objects, without a compiler."""

from __future__ import annotations

import struct

import pytest

from porter.hardware.gpu import load_gpu
from porter.harness.toolchains.code_object import instruction_mixes, kernels_of, source_name
from porter.harness.toolchains.records import CodeObject, InstructionMix, LaunchShape


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("saxpy_kernel", "saxpy_kernel"),
        ("_Z5saxpyifPKfPf", "saxpy"),
        ("_ZL5saxpyifPKfPf", "saxpy"),
        ("_ZN2ns6kernelIfLi4EEvPT_i", "kernel"),
        ("_ZN12_GLOBAL__N_16kernelEPf", "kernel"),
        ("_ZN12_GLOBAL__N_15outer5innerEv", "inner"),
        ("_Z6reduceIfLj256EEvPKT_PS0_j", "reduce"),
        ("_Z4k_1xPf", "k_1x"),
    ],
)
def test_source_names(symbol: str, name: str) -> None:
    assert source_name(symbol) == name


ASSEMBLY = """
\t.text
_Z1kPf:                                 ; @_Z1kPf
; %bb.0:
\ts_load_dwordx2 s[0:1], s[4:5], 0x0
\tglobal_load_dwordx4 v[0:3], v4, s[0:1]
\tglobal_load_dword v5, v4, s[0:1]
\tflat_store_dword v[0:1], v2
\tds_write_b32 v0, v1
\ts_barrier
\tds_add_u32 v0, v1
\tglobal_atomic_cmpswap v0, v1, v[2:3], s[0:1]
\tglobal_atomic_add_f32 v0, v1, s[0:1]
\tscratch_store_dword off, v0, off
\tv_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15]
\ts_swappc_b64 s[30:31], s[2:3]
\ts_endpgm
.Lfunc_end0:
other:                                  ; @other
\ts_endpgm
.Lfunc_end1:
"""


def test_instruction_mix() -> None:
    mixes = instruction_mixes(ASSEMBLY)
    assert set(mixes) == {"_Z1kPf", "other"}
    assert mixes["other"] == InstructionMix(total=1)
    assert mixes["_Z1kPf"] == InstructionMix(
        total=13,
        vector_memory=3,
        wide=1,
        flat=1,
        lds=2,
        scratch=1,
        matrix=1,
        barriers=1,
        atomics=3,
        compare_and_swap=1,
        calls=1,
    )


def _pack(value: object) -> bytes:
    match value:
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return b"\xce" + struct.pack(">I", value)
        case str():
            return b"\xd9" + bytes([len(value)]) + value.encode()
        case list():
            return b"\xdc" + struct.pack(">H", len(value)) + b"".join(map(_pack, value))
        case dict():
            items = b"".join(_pack(k) + _pack(v) for k, v in value.items())
            return b"\xde" + struct.pack(">H", len(value)) + items
    raise AssertionError(value)


def _elf(metadata: object) -> bytes:
    """The least ELF file that has a note section: a header, the note, one section header."""
    payload = _pack(metadata)
    payload += b"\0" * (-len(payload) % 4)
    note = struct.pack("<III", 7, len(payload), 32) + b"AMDGPU\0\0" + payload
    header = bytearray(64)
    header[:5] = b"\x7fELF\x02"
    struct.pack_into("<Q", header, 0x28, 64 + len(note))
    struct.pack_into("<HH", header, 0x3A, 64, 1)
    section = bytearray(64)
    struct.pack_into("<I", section, 4, 7)
    struct.pack_into("<QQ", section, 24, 64, len(note))
    return bytes(header) + note + bytes(section)


_KERNEL = {
    ".name": "_Z1kPf",
    ".vgpr_count": 100,
    ".agpr_count": 40,
    ".sgpr_count": 20,
    ".group_segment_fixed_size": 8192,
    ".private_segment_fixed_size": 16,
    ".vgpr_spill_count": 3,
    ".sgpr_spill_count": 0,
    ".kernarg_segment_size": 8,
    ".max_flat_workgroup_size": 1024,
    ".wavefront_size": 64,
    ".uses_dynamic_stack": True,
}


def _code(*kernels: dict[str, object]) -> CodeObject:
    return CodeObject("k", _elf({"amdhsa.kernels": list(kernels)}), ASSEMBLY)


def test_metadata_becomes_resources() -> None:
    (kernel,) = kernels_of(_code(_KERNEL), load_gpu("gfx942"), {})
    assert (kernel.name, kernel.symbol) == ("k", "_Z1kPf")
    assert (kernel.vgprs, kernel.agprs, kernel.sgprs, kernel.lds_bytes) == (100, 40, 20, 8192)
    assert (kernel.scratch_bytes, kernel.vgpr_spills, kernel.uses_dynamic_stack) == (16, 3, True)
    assert kernel.instructions.barriers == 1
    # 100 VGPRs, AGPRs among them, round up to 104: four waves; a block of 256 is assumed.
    assert (kernel.waves_per_simd, kernel.occupancy_limited_by, kernel.threads_per_block) == (4, "vgpr", 256)


def test_a_known_launch_decides_occupancy() -> None:
    launches = {"k": LaunchShape(64, dynamic_lds_bytes=65536 - 8192)}
    (kernel,) = kernels_of(_code(_KERNEL), load_gpu("gfx942"), launches)
    assert (kernel.waves_per_simd, kernel.occupancy_limited_by, kernel.threads_per_block) == (1, "lds", 64)


def test_kernels_keep_their_order() -> None:
    names = [k.name for k in kernels_of(_code(_KERNEL, {**_KERNEL, ".name": "a"}), load_gpu("gfx950"), {})]
    assert names == ["k", "a"]


@pytest.mark.parametrize("data", [b"", b"\x7fELF\x01", b"MZ" * 40, _elf({})[:64] + b"\0" * 200])
def test_what_is_no_code_object(data: bytes) -> None:
    with pytest.raises((ValueError, struct.error)):
        kernels_of(CodeObject("k", data, ""), load_gpu("gfx942"), {})
