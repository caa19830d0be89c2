"""Which intrinsic calls have an effect, and so stand alone on the right of a statement."""

from __future__ import annotations

_EFFECTS = frozenset((
    "__activemask", "__ballot_sync", "__any_sync", "__all_sync", "__uni_sync", "__match_any_sync",
    "__match_all_sync", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
    "__syncthreads_and", "__syncthreads_or", "__syncthreads_count", "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",
    "__reduce_xor_sync", "printf", "assert", "__trap", "__nanosleep", "clock", "clock64",
))  # fmt: skip


def is_effect_call(name: str) -> bool:
    """Whether a call of the intrinsic `name` may not be moved, repeated or left out."""
    return name in _EFFECTS or name.startswith("atomic")
