"""The decoder against the compiler's own text of the same instructions, and what it refuses."""

from __future__ import annotations

import re

import pytest

from porter.harness.isa.decode import decode
from porter.harness.isa.errors import IsaError
from porter.harness.isa.image import load_image
from porter.harness.isa.program import compile_step
from porter.harness.isa.semantics import semantics_of
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import Built
from tests.harness.isa.compiled import ARCHES, KERNELS, image_of

pytest.importorskip("tinygrad")
_FUNCTION = re.compile(r"^(\w+):\s*; @.*?\.Lfunc_end", re.MULTILINE | re.DOTALL)
_MNEMONIC = re.compile(r"^\t([a-z]\w+)", re.MULTILINE)
# The table calls the fused form by the name of the unfused one that had its encoding before.
_OTHER_NAMES = {"v_fma_mix_f32": "v_mad_mix_f32", "v_fma_mixlo_f16": "v_mad_mixlo_f16"}


def _plain(mnemonic: str) -> str:
    name = re.sub(r"_(e32|e64|dpp|sdwa)$", "", mnemonic)
    return _OTHER_NAMES.get(name, name)


@pytest.mark.parametrize("arch", ARCHES)
def test_every_instruction_is_decoded_as_the_compiler_prints_it(arch: str) -> None:
    image_of(arch)  # skips where there is no compiler
    built = build_hip(KERNELS, arch)
    assert isinstance(built, Built)
    image = load_image(built.code_objects[0].data)
    functions = {m.group(1): m.group() for m in _FUNCTION.finditer(built.code_objects[0].assembly)}
    compared = 0
    for symbol, kernel in image.kernels.items():
        at = kernel.entry
        for mnemonic in _MNEMONIC.findall(functions[symbol]):
            instruction = decode(image.data, at)
            assert instruction.name.lower() == _plain(mnemonic), f"{symbol}+0x{at - kernel.entry:x}"
            at += instruction.size
            compared += 1
    assert compared > 1000


def test_bytes_that_are_no_instruction_are_refused() -> None:
    with pytest.raises(IsaError) as caught:
        decode(b"\xff" * 16, 0)
    assert caught.value.code == "ISA002"


def test_what_is_not_supported_is_named() -> None:
    # v_smfmac_f32_16x16x32_f16: a sparse matrix instruction.
    sparse = decode(bytes.fromhex("0000e2d300010204"), 0)
    assert sparse.name == "V_SMFMAC_F32_16X16X32_F16"
    with pytest.raises(IsaError, match="V_SMFMAC_F32_16X16X32_F16") as caught:
        compile_step(sparse, "gfx950")
    assert caught.value.code == "ISA001"
    with pytest.raises(IsaError, match="V_MSAD_U8"):
        semantics_of("V_MSAD_U8")
