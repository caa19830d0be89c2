"""Warp intrinsics on a 64-lane wavefront, with CUDA's groups of 32 lanes keeping their meaning.

The licence: every rewritten operation works inside one group of 32 lanes, which never spans two wavefronts,
because CUDA numbers warps by consecutive thread indices and AMD numbers wavefronts the same way. Nothing
else about the kernel's lane arithmetic changes, so `threadIdx.x / 32` and its like stay right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls, is_free_name, streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.names import declared_names
from porter.hip.step import Step, error, insert, join, replace

NOT_A_CALL = "WAV010"
WRONG_ARGUMENTS = "WAV011"
WARP_SIZE = "32"

_SHUFFLES = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
_VOTES = ("__ballot", "__any", "__all")
_RENAMED = {
    "__ballot_sync": "ballot_sync",
    "__any_sync": "any_sync",
    "__all_sync": "all_sync",
    "__uni_sync": "uni_sync",
    "__match_any_sync": "match_any_sync",
    "__match_all_sync": "match_all_sync",
    "__activemask": "activemask",
    **{f"__reduce_{op}_sync": f"reduce_{op}_sync" for op in ("add", "min", "max", "and", "or", "xor")},
}


def preserve_warps(unit: TranslationUnit) -> Step:
    """Shuffles get width 32; votes, matches and reductions go to this lane's group of 32."""
    own = declared_names(unit)
    handlers = {name: handler for name, handler in _handlers().items() if name not in own}
    found = [handlers[call.name.text](unit, call) for call in calls(unit, frozenset(handlers))]
    return join([*found, _not_called(unit, frozenset(handlers)), _warp_size(unit)])


def _handlers() -> dict[str, Callable[[TranslationUnit, CallSite], Step]]:
    handlers: dict[str, Callable[[TranslationUnit, CallSite], Step]] = dict.fromkeys(
        _RENAMED, _group_operation
    )
    handlers.update(dict.fromkeys((f"{name}_sync" for name in _SHUFFLES), _masked_shuffle))
    handlers.update(dict.fromkeys(_SHUFFLES, _maskless_shuffle))
    handlers.update(dict.fromkeys(_VOTES, _maskless_vote))
    handlers["__syncwarp"] = _synchronise
    return handlers


def _masked_shuffle(unit: TranslationUnit, call: CallSite) -> Step:
    """`__shfl_down_sync(mask, v, o)` → `__shfl_down(v, o, 32)`; a given width stays."""
    if len(call.arguments) not in (3, 4):
        return _wrong_arguments(unit, call)
    name = call.name.text.removesuffix("_sync")
    edits = [replace(call.name, name, "HIP's mask has 64 bits and must equal the active lanes")]
    edits += _drop_mask(unit, call)
    if len(call.arguments) == 3:
        edits.append(_width(call))
    return Step(tuple(edits))


def _maskless_shuffle(unit: TranslationUnit, call: CallSite) -> Step:
    """The forms without a mask have CUDA's width of 32 by default, HIP's of 64."""
    if len(call.arguments) not in (2, 3):
        return _wrong_arguments(unit, call)
    return Step((_width(call),) if len(call.arguments) == 2 else ())


def _width(call: CallSite) -> Edit:
    close = call.stream.tokens[call.close]
    return insert(close.start, f", {WARP_SIZE}", "the default width is 64 on a wavefront of 64 lanes")


def _drop_mask(unit: TranslationUnit, call: CallSite) -> list[Edit]:
    """Removes the mask argument, or keeps it for its side effect."""
    tokens = call.stream.tokens
    start, end = call.arguments[0]
    if any(t.text in ("++", "--", "=", "+=", "-=", "|=", "&=") for t in tokens[start:end]):
        mask = call.argument(unit, 0)
        return [
            insert(call.name.start, f"((void)({mask}), ", "the mask's side effect stays"),
            Edit(tokens[start].start, tokens[call.arguments[1][0]].start, b"", "HIP needs no mask"),
            insert(tokens[call.close].end, ")", "the mask's side effect stays"),
        ]
    return [Edit(tokens[start].start, tokens[call.arguments[1][0]].start, b"", "HIP needs no mask")]


def _maskless_vote(unit: TranslationUnit, call: CallSite) -> Step:
    if len(call.arguments) != 1:
        return _wrong_arguments(unit, call)
    shim = call.name.text.removeprefix("__") + "_sync"
    reason = "the vote of this lane's group of 32"
    edits = (
        replace(call.name, f"porter_{shim}", reason),
        insert(call.open.end, "0xffffffffu, ", reason),
    )
    return Step(edits, shims=frozenset((shim,)))


def _group_operation(_unit: TranslationUnit, call: CallSite) -> Step:
    shim = _RENAMED[call.name.text]
    edit = replace(call.name, f"porter_{shim}", "works on this lane's group of 32, with a 32-bit mask")
    return Step((edit,), shims=frozenset((shim,)))


def _synchronise(_unit: TranslationUnit, call: CallSite) -> Step:
    edits = [replace(call.name, "porter_syncwarp", "HIP has __syncwarp only from ROCm 7")]
    if call.arguments:
        tokens = call.stream.tokens
        edits.append(
            Edit(call.open.end, tokens[call.close].start, b"", "the lanes of a wavefront run in step")
        )
    return Step(tuple(edits), shims=frozenset(("syncwarp",)))


def _wrong_arguments(unit: TranslationUnit, call: CallSite) -> Step:
    message = f"{call.name.text} is called with {len(call.arguments)} arguments"
    return Step(
        findings=(error(WRONG_ARGUMENTS, message, call.span(unit), "write the call out: mask, value, lane"),)
    )


def _not_called(unit: TranslationUnit, names: frozenset[str]) -> Step:
    """A warp intrinsic whose name is used otherwise, as in `#define shuffle __shfl_sync`."""
    findings = []
    for stream in streams(unit) if not names.isdisjoint(unit.words) else ():
        for i, token in enumerate(stream.tokens):
            after = stream.tokens[i + 1].text if i + 1 < len(stream.tokens) else ""
            if token.text in names and after != "(" and is_free_name(stream.tokens, i):
                message = f"{token.text} is used without being called, so its arguments are not known"
                findings.append(
                    error(NOT_A_CALL, message, unit.span_of(token), "give the macro its arguments")
                )
    return Step(findings=tuple(findings))


def _warp_size(unit: TranslationUnit) -> Step:
    """`warpSize` means 32 in CUDA code: 64, and no constant expression, in HIP."""
    edits = tuple(
        replace(token, WARP_SIZE, "CUDA's warpSize is 32, and the groups of 32 lanes stay")
        for token in _warp_size_tokens(unit)
    )
    return Step(edits)


def _warp_size_tokens(unit: TranslationUnit) -> Iterator[Token]:
    if "warpSize" not in unit.words or "warpSize" in declared_names(unit):
        return
    for stream in streams(unit):
        for i, token in enumerate(stream.tokens):
            if token.kind is Kind.IDENTIFIER and token.text == "warpSize" and is_free_name(stream.tokens, i):
                yield token
