"""libcu++ in device code: atomics, barriers, pipelines and asynchronous copies, by headers of porter's.

`cuda::barrier` becomes `porter_cuda::barrier`, and the functions of `cuda_pipeline.h` get porter's names. The
licence is that the headers in `own_headers` have the name. Type traits and their like are the C++ standard
library's; every other name of libcu++ is an error at its place. What changes all the same is told once a
file: copies are over when they are called for, and threads that wait for each other poll.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.call_sites import calls, is_free_name, streams
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.function_objects import uses
from porter.hip.own_headers import BY_REWRITING
from porter.hip.step import Step, error, replace, warning

LIBCUXX = "LIB010"
COPIES_AT_ONCE = "LIB011"
WAITS_BY_POLLING = "SYN010"
ASYNCHRONOUS_COPY = "MEM003"

_SCOPES = ("system", "device", "block", "thread")
_ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
_PORTED = frozenset(
    (
        *(f"thread_scope{suffix}" for suffix in ("", *(f"_{scope}" for scope in _SCOPES))),
        *(f"memory_order{suffix}" for suffix in ("", *(f"_{order}" for order in _ORDERS))),
        *("atomic", "atomic_ref", "atomic_thread_fence", "barrier", "aligned_size_t", "memcpy_async"),
        *("pipeline", "pipeline_shared_state", "pipeline_role", "make_pipeline"),
        "pipeline_consumer_wait_prior",
    )
)
# Of these `cuda::std` has the same, for all threads of the system.
_PORTED_STD = frozenset(("atomic", "atomic_ref", *(n for n in _PORTED if n.startswith("memory_order"))))
# What the C++ standard library settles when it is compiled, so that kernels can have it.
_STANDARD = re.compile(
    r"is_\w+|(?:add|remove)_\w+|make_(?:un)?signed(?:_t)?|enable_if(?:_t)?|conditional(?:_t)?|decay(?:_t)?"
    r"|common_type(?:_t)?|underlying_type(?:_t)?|integral_constant|bool_constant|true_type|false_type|void_t"
    r"|conjunction(?:_v)?|disjunction(?:_v)?|negation(?:_v)?|invoke_result(?:_t)?|rank(?:_v)?|extent(?:_v)?"
    r"|numeric_limits|u?int(?:_fast|_least)?(?:8|16|32|64)_t|u?int(?:ptr|max)_t|size_t|ptrdiff_t|nullptr_t"
    r"|move|forward|declval|integer_sequence|index_sequence|make_index_sequence"
)
_PRIMITIVES = {
    "__pipeline_memcpy_async": "porter_pipeline_memcpy_async",
    "__pipeline_commit": "porter_pipeline_commit",
    "__pipeline_wait_prior": "porter_pipeline_wait_prior",
}
_COPIES = frozenset(("memcpy_async", "__pipeline_memcpy_async"))
_POLLING = frozenset(("barrier", "pipeline_shared_state"))
_REASON = "ROCm has no libcu++"


def port_device_library(unit: TranslationUnit, *, with_headers: bool) -> Step:
    """Edits for every name that the headers have; without them an error at every name."""
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    for tokens, at, name, std in _names(unit):
        ported = name.text in (_PORTED_STD if std else _PORTED)
        start, end = tokens[at].start, tokens[at + 3 if std else at].end
        if std and _STANDARD.fullmatch(name.text):
            edits.append(Edit(start, end, b"std::", _REASON))
        elif with_headers and ported:
            edits.append(Edit(start, end, b"porter_cuda::" if std else b"porter_cuda", _REASON))
        else:
            message = f"cuda::{name.text} belongs to libcu++, which ROCm does not have"
            way_out = BY_REWRITING if ported else _way_out(name.text)
            findings.append(error(LIBCUXX, message, unit.span_of(tokens[at]), way_out))
    if with_headers:
        edits += [
            replace(c.name, _PRIMITIVES[c.name.text], _REASON) for c in calls(unit, frozenset(_PRIMITIVES))
        ]
        edits += _whole_namespaces(unit)
        findings += _changes(unit)
    return Step(tuple(edits), tuple(findings))


def _names(unit: TranslationUnit) -> Iterator[tuple[tuple[Token, ...], int, Token, bool]]:
    """Where `cuda::name` or `cuda::std::name` stands: tokens, index of `cuda`, name, whether of `std`."""
    if "cuda" not in unit.words:
        return
    objects = {tokens[i].start for tokens, i in uses(unit)}
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 2):
            if tokens[i].text != "cuda" or tokens[i + 1].text != "::" or tokens[i].start in objects:
                continue
            if not is_free_name(tokens, i):
                continue
            std = tokens[i + 2].text == "std" and i + 4 < len(tokens) and tokens[i + 3].text == "::"
            yield tokens, i, tokens[i + 4 if std else i + 2], std


def _whole_namespaces(unit: TranslationUnit) -> Iterator[Edit]:
    """`using namespace cuda;` where the file includes one of libcu++'s headers."""
    if not any(i.target.startswith("cuda/") for i in unit.includes):
        return
    tokens = unit.tokenized.code
    for i in range(len(tokens) - 3):
        if [t.text for t in tokens[i : i + 4]] == ["using", "namespace", "cuda", ";"]:
            yield replace(tokens[i + 2], "porter_cuda", _REASON)


def _changes(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """What means the same and yet works otherwise, at its first place in the file."""
    named = {name.text: tokens[at] for tokens, at, name, std in reversed(tuple(_names(unit))) if not std}
    waits = [named[name] for name in sorted(_POLLING & named.keys())]
    if waits:
        first = min(waits, key=lambda t: t.start)
        message = (
            "threads that wait here poll a word in memory; a lane must not wait for another of its wavefront"
        )
        hint = "let roles within a block change only at multiples of 64 threads"
        yield warning(WAITS_BY_POLLING, message, unit.span_of(first), hint)
    copies = tuple(_copies(unit))
    if copies:
        first = min(copies, key=lambda t: t.start)
        message = "the copy is over when it is called for: nothing overlaps with it"
        hint = "load the next stage into registers before computing on this one, where the copy is hot"
        yield warning(COPIES_AT_ONCE, message, unit.span_of(first), hint)


def _copies(unit: TranslationUnit) -> Iterator[Token]:
    if unit.words.isdisjoint(_COPIES):
        return
    for stream in streams(unit):
        for i, token in enumerate(stream.tokens[:-1]):
            before = stream.tokens[i - 1].text if i else ""
            if token.text in _COPIES and stream.tokens[i + 1].text == "(" and before not in (".", "->"):
                yield token


def is_ported_copy(finding: Diagnostic) -> bool:
    """Whether the finding is the rule's about a function of `cuda_pipeline.h` that is ported all the same."""
    ported = finding.message.partition(" ")[0] in _PRIMITIVES
    return finding.code == ASYNCHRONOUS_COPY and finding.severity is Severity.ERROR and ported


def _way_out(name: str) -> str:
    if name.startswith(("atomic", "memory_order")):
        return "use atomicAdd and its like, or __hip_atomic_* with an explicit scope"
    if name in ("barrier", "pipeline", "memcpy_async", "make_pipeline"):
        return "copy through registers and use __syncthreads()"
    return "use the C++ standard library's counterpart in host code, HIP's builtins in device code"
