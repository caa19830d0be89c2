"""What an arithmetic instruction computes: by the hand-written table, else by the documents' pseudo-code."""

from __future__ import annotations

from functools import cache

from porter.harness.isa import arithmetic, division
from porter.harness.isa.decode import pseudocode
from porter.harness.isa.errors import IsaError
from porter.harness.isa.hand_written import by_hand
from porter.harness.isa.lowering import Semantics, lower
from porter.harness.isa.pseudocode import PseudocodeError

_REGISTERED = (arithmetic, division)  # their import fills the register


@cache
def semantics_of(name: str) -> Semantics:
    """Raises IsaError, naming the instruction, where it is not known what it computes."""
    found = by_hand(name)
    if found is not None:
        return found
    text = pseudocode().get(name)
    if text is None:
        raise IsaError("ISA001", f"{name} has no pseudo-code")
    try:
        return lower(text, semantics_of)
    except PseudocodeError as error:
        raise IsaError("ISA001", f"{name}: {error}") from error
