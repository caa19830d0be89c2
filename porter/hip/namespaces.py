"""Names that live in NVIDIA's namespaces: CUB, Thrust's CUDA back end, cooperative groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from porter.core.edit import Edit
from porter.cuda.call_sites import streams
from porter.cuda.tokens import Kind, Token, matching_angle, split_arguments
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, error, insert, join, replace

GROUP_OPERATION = "API020"

_OPERATORS = ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")
_BY_SHIM = {
    "reduce": ("cg_reduce", "porter_cg_reduce"),
    "labeled_partition": ("cg_labeled_partition", "porter_cg_labeled_partition"),
}
# In `headers/porter_tile.h`, where a file asks for tiles of several warps.
_WIDE_TILES = {
    "block_tile_memory": "porter_block_tile_memory",
    "this_thread_block": "porter_this_thread_block",
    "tiled_partition": "porter_tiled_partition",
}
TILE_HEADER = "porter_tile.h"
_TILE_REASON = "HIP's tiles end at a wavefront"
# In `headers/porter_copy.h`.
_BY_HEADER = {
    "memcpy_async": "porter_cg_memcpy_async",
    "wait": "porter_cg_wait",
    "wait_prior": "porter_cg_wait_prior",
}
_NO_COUNTERPART = {
    "memcpy_async": "copy through registers, then synchronise the group",
    "wait": "synchronise the group after a plain copy",
    "wait_prior": "synchronise the group after a plain copy",
    "block_tile_memory": "a tile of HIP is no larger than a wavefront: reduce through shared memory",
    "this_cluster": "thread block clusters do not exist on CDNA",
    "inclusive_scan": "write the scan with shfl_up of the tile",
    "exclusive_scan": "write the scan with shfl_up of the tile",
    "reduce_update_async": "use an atomic operation",
    "reduce_store_async": "use an atomic operation",
}


# What a bare name after a using directive can only mean.
_UNMISTAKABLE = ("reduce", "labeled_partition", "memcpy_async", *_WIDE_TILES)


def rewrite_namespaces(unit: TranslationUnit, *, with_headers: bool) -> Step:
    """`cub::` and `thrust::cuda::` in HIP's spelling; `cg::reduce` as a butterfly; findings for the rest.

    `with_headers` says that the port may include headers of porter's.
    """
    return join((_cub(unit), _thrust(unit), _cooperative_groups(unit, with_headers=with_headers)))


def _cub(unit: TranslationUnit) -> Step:
    edits: list[Edit] = []
    if not _uses_cub(unit):
        return Step()
    for stream in streams(unit):
        tokens = stream.tokens
        for i, token in enumerate(tokens):
            if token.text == "cub" and token.kind is Kind.IDENTIFIER and _is_namespace(tokens, i):
                edits.append(replace(token, "hipcub", "hipCUB's namespace"))
            if token.text in ("WarpReduce", "WarpScan") and i + 1 < len(tokens) and tokens[i + 1].text == "<":
                edits.extend(_logical_warp(tokens, i))
    return Step(tuple(edits))


def _uses_cub(unit: TranslationUnit) -> bool:
    return any(t.text == "cub" for t in unit.references)


def _is_namespace(tokens: tuple[Token, ...], at: int) -> bool:
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return before not in (".", "->") and (
        after == "::" or before == "namespace" or (before == "=" and after == ";")
    )


def _logical_warp(tokens: tuple[Token, ...], at: int) -> Iterator[Edit]:
    """hipCUB's logical warp is the wavefront by default: give it CUDA's 32."""
    closed = matching_angle(tokens, at + 1)
    if closed is None or tokens[closed].text != ">":
        return
    if len(split_arguments(tokens, at + 2, closed, angles=True)) == 1:
        yield insert(tokens[closed].start, ", 32", "hipCUB's default logical warp has 64 lanes")


def _thrust(unit: TranslationUnit) -> Step:
    edits: list[Edit] = []
    if "cuda" not in unit.words:
        return Step()
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(2, len(tokens)):
            if (
                tokens[i].text == "cuda"
                and tokens[i - 1].text == "::"
                and tokens[i - 2].text in ("thrust", "system")
            ):
                edits.append(replace(tokens[i], "hip", "Thrust's back end on AMD"))
    return Step(tuple(edits))


def _group_namespaces(unit: TranslationUnit) -> frozenset[str]:
    """`cooperative_groups` and its aliases in this file; "" when a using directive opens it."""
    names = {"cooperative_groups"}
    tokens = unit.tokenized.code
    for i in range(len(tokens) - 3):
        if tokens[i].text == "namespace" and tokens[i + 3].text == "cooperative_groups":
            names.add(tokens[i + 1].text)
        if tokens[i].text == "using" and tokens[i + 2].text == "cooperative_groups":
            names.add("")
    return frozenset(names)


def _cooperative_groups(unit: TranslationUnit, *, with_headers: bool) -> Step:
    if "cooperative_groups" not in unit.words:
        return Step()
    names = _group_namespaces(unit)
    wide = with_headers and "block_tile_memory" in unit.words
    by_header = {**(_BY_HEADER if with_headers else {}), **(_WIDE_TILES if wide else {})}
    return join(
        _group_operation(unit, stream.tokens, i, names, by_header)
        for stream in streams(unit)
        for i, token in enumerate(stream.tokens)
        if token.kind is Kind.IDENTIFIER
    )


def _group_operation(
    unit: TranslationUnit,
    tokens: tuple[Token, ...],
    at: int,
    namespaces: frozenset[str],
    by_header: Mapping[str, str],
) -> Step:
    """One name of cooperative groups; qualified, or bare where a using directive makes it visible."""
    name = tokens[at].text
    if not any(name in known for known in (_BY_SHIM, _OPERATORS, _NO_COUNTERPART, by_header)):
        return Step()
    start = _qualified_from(tokens, at, namespaces)
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if start is None or after not in ("(", "<", "{"):
        return Step()
    if name in by_header:
        own = by_header[name].encode()
        reason = _TILE_REASON if name in _WIDE_TILES else "HIP has no memcpy_async of groups"
        return Step((Edit(tokens[start].start, tokens[at].end, own, reason),))
    if name in _NO_COUNTERPART:
        message = f"cooperative_groups::{name} does not exist in HIP"
        span = unit.source.span(tokens[start].start, tokens[at].end)
        return Step(findings=(error(GROUP_OPERATION, message, span, _NO_COUNTERPART[name]),))
    shim, text = _BY_SHIM.get(name, ("cg_operators", f"porter_{name}"))
    edit = Edit(tokens[start].start, tokens[at].end, text.encode(), "HIP has no cooperative_groups/reduce.h")
    return Step((edit,), shims=frozenset((shim,)))


def tile_headers(edits: Iterable[Edit]) -> tuple[str, ...]:
    """The header that edits for tiles of several wavefronts need."""
    return (TILE_HEADER,) if any(e.reason == _TILE_REASON for e in edits) else ()


def _qualified_from(tokens: tuple[Token, ...], at: int, namespaces: frozenset[str]) -> int | None:
    """The first token of `cg::name`, or of a bare `name` that a using directive makes visible."""
    before = tokens[at - 1].text if at else ""
    if before == "::" and at >= 2:
        return at - 2 if tokens[at - 2].text in namespaces else None
    bare_reduce = tokens[at].text in _UNMISTAKABLE and before not in (".", "->")
    return at if "" in namespaces and bare_reduce and tokens[at - 1].kind is not Kind.IDENTIFIER else None
