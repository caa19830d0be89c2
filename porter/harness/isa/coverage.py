"""Which instructions of the encodings can be executed: counted for the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from porter.harness.isa import atomics, control, cross_lane, matrix, transfers
from porter.harness.isa.decode import instruction_names
from porter.harness.isa.errors import IsaError
from porter.harness.isa.hand_written import names as hand_written_names
from porter.harness.isa.semantics import semantics_of

_VECTOR = ("VOP1Op", "VOP2Op", "VOP3Op", "VOP3POp", "VOP3SDOp", "VOPCOp")
_SPECIAL_VECTOR = ("V_ACCVGPR", "V_BITOP3", "V_MAD_MIX", "V_PK_MOV_B32")


def supported() -> Mapping[str, tuple[int, int]]:
    """For each group of instructions, how many are supported and how many there are."""
    scalar = set(_names("SOP1Op", "SOP2Op", "SOPCOp", "SOPKOp"))
    vector = set(_names(*_VECTOR))
    matrices = {name for name in vector if "MFMA" in name or "SMFMAC" in name}
    plain = vector - matrices
    groups: dict[str, tuple[set[str], Callable[[str], bool]]] = {
        "scalar arithmetic": (scalar, _is_scalar),
        "vector arithmetic and lanes": (plain, _is_vector),
        "matrix": (matrices, lambda name: _does(matrix.shape_of, name)),
        "LDS": (set(_names("DSOp")), _is_lds),
        "global, flat and scratch memory": (set(_names("FLATOp", "GLOBALOp", "SCRATCHOp")), _is_global),
        "buffer memory": (set(_names("MUBUFOp")), _is_global),
    }
    return {
        group: (sum(1 for name in members if knows(name)), len(members))
        for group, (members, knows) in groups.items()
    }


def hand_written() -> int:
    """How many arithmetic instructions do not come from the pseudo-code."""
    return len(hand_written_names())


def _names(*kinds: str) -> Iterator[str]:
    for kind in kinds:
        yield from instruction_names(kind)


def _does(function: Callable[[str], object], name: str) -> bool:
    try:
        return function(name) is not None
    except IsaError:
        return False


def _is_scalar(name: str) -> bool:
    return _does(semantics_of, name) or name in control.JUMPS


def _is_vector(name: str) -> bool:
    special = name.startswith(_SPECIAL_VECTOR) or name in cross_lane.NAMES or name == "V_NOP"
    return special or _does(semantics_of, name)


def _is_lds(name: str) -> bool:
    if name.startswith(("DS_READ2", "DS_WRITE2")) or name in transfers.LDS_LANE_MOVES:
        return True
    return _does(atomics.lds_atomic, name) or _does(transfers.transfer_of, name)


def _is_global(name: str) -> bool:
    if control.is_timing(name):
        return True
    return _does(atomics.global_atomic if "_ATOMIC_" in name else transfers.transfer_of, name)
