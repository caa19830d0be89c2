"""The types that the kernel IR's calls, builtins and operations have by their operands."""

from __future__ import annotations

from porter.cuda.kir import BOOL, INT32, INT64, UINT32, Expr, Pointer, Type, Void

_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||"))
_VOID = frozenset(("printf", "assert", "__trap", "__nanosleep"))
_BOOL = frozenset(("isnan", "isinf", "isfinite", "signbit"))
_INT32 = frozenset((
    "__any_sync", "__all_sync", "__uni_sync", "__popc", "__popcll", "__ffs", "__ffsll", "__clz", "__clzll",
    "__syncthreads_and", "__syncthreads_or", "__syncthreads_count",
))  # fmt: skip
_UINT32 = frozenset(("__ballot_sync", "__activemask", "__match_any_sync", "__match_all_sync"))
_SECOND = frozenset((
    "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync",
))  # fmt: skip


def usual_call_type(name: str, arguments: tuple[Expr, ...]) -> Type:
    """What a call of the intrinsic gives: an atomic what its pointer points to, a shuffle its value's type,
    a mathematical function the type of its first operand."""
    for names, type_ in ((_VOID, Void()), (_BOOL, BOOL), (_INT32, INT32), (_UINT32, UINT32)):
        if name in names:
            return type_
    if not arguments:
        return Void()
    first = arguments[0].type
    if name.startswith("atomic") and isinstance(first, Pointer):
        return first.pointee
    return arguments[1].type if name in _SECOND and len(arguments) > 1 else first


def builtin_type(name: str) -> Type:
    return INT32 if name == "warpSize" else UINT32


def binary_type(op: str, left: Type, right: Type) -> Type:
    if op in _COMPARISONS:
        return BOOL
    return INT64 if isinstance(left, Pointer) and isinstance(right, Pointer) else left
