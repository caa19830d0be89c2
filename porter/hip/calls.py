"""Calls whose arguments change: kernels as pointers, symbols, overloads and defaults that HIP lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.headers import declared_identifiers, names_in_headers
from porter.cuda.tokens import matching_angle
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, error, insert, join, replace

DEVICE_SYMBOL_BY_NAME = "API004"
CALLBACK_ARGUMENT = "API005"
NEWER_FORM = "API006"

# Where HIP takes `const void*` and CUDA also any function: the index of that argument.
_KERNEL_ARGUMENT = {
    "cudaFuncSetAttribute": 0,
    "cudaFuncSetCacheConfig": 0,
    "cudaFuncSetSharedMemConfig": 0,
    "cudaFuncGetAttributes": 1,
    "cudaLaunchKernel": 0,
}
_SYMBOL_ARGUMENT = {
    "cudaMemcpyToSymbol": 0,
    "cudaMemcpyToSymbolAsync": 0,
    "cudaMemcpyFromSymbol": 1,
    "cudaMemcpyFromSymbolAsync": 1,
    "cudaGetSymbolAddress": 1,
    "cudaGetSymbolSize": 1,
}


def adapt_calls(unit: TranslationUnit) -> Step:
    """Edits of arguments; the names themselves are renamed elsewhere."""
    handlers: dict[str, Callable[[TranslationUnit, CallSite], Step]] = {
        **dict.fromkeys(_KERNEL_ARGUMENT, _cast_kernel),
        **dict.fromkeys(_SYMBOL_ARGUMENT, _wrap_symbol),
        **dict.fromkeys(_VOID_POINTER_ARGUMENT, _cast_pointer),
        **_STREAMING,
        "__nanosleep": _sleep,
        "__dp4a": _dp4a,
        "atomicInc_system": _system_counter("inc"),
        "atomicDec_system": _system_counter("dec"),
        **dict.fromkeys(SIMD_IN_WORD, _simd_in_word),
        **dict.fromkeys(_DIRECTIONLESS_COPIES, _add_direction),
        **dict.fromkeys(_SIZE_CALLBACK, _drop_size_callback),
    }
    return join(handlers[call.name.text](unit, call) for call in calls(unit, frozenset(handlers)))


def _cast_kernel(unit: TranslationUnit, call: CallSite) -> Step:
    index = _KERNEL_ARGUMENT[call.name.text]
    arguments = _joined_templates(unit, call)
    if index >= len(arguments):
        return Step()
    start, end = arguments[index]
    tokens = call.stream.tokens[start:end]
    if not tokens or any(t.text in ("void", "reinterpret_cast") for t in tokens):
        return Step()
    reason = "HIP takes the kernel as const void*"
    return Step(
        (
            insert(tokens[0].start, "reinterpret_cast<const void*>(", reason),
            insert(tokens[-1].end, ")", reason),
        )
    )


def _joined_templates(unit: TranslationUnit, call: CallSite) -> tuple[tuple[int, int], ...]:
    """The arguments, with `kernel<a, b>` as one although its comma is not in brackets."""
    tokens = call.stream.tokens
    kernels = {f.name for f in unit.functions}
    joined: list[tuple[int, int]] = []
    for start, end in call.arguments:
        if joined and start < joined[-1][1]:
            continue
        if end - start >= 2 and tokens[start + 1].text == "<" and tokens[start].text in kernels:
            closed = matching_angle(tokens, start + 1)
            end = max(end, closed + 1) if closed is not None and closed < call.close else end
        joined.append((start, end))
    return tuple(joined)


def _wrap_symbol(unit: TranslationUnit, call: CallSite) -> Step:
    index = _SYMBOL_ARGUMENT[call.name.text]
    if index >= len(call.arguments):
        return Step()
    start, end = call.arguments[index]
    tokens = call.stream.tokens
    name = tokens[start].text.strip('"')
    if tokens[start].text.startswith('"') and end == start + 1 and _is_declared(unit, name):
        reason = "the string named this variable, in HIP's form"
        return Step((replace(tokens[start], f"HIP_SYMBOL({name})", reason),))
    if tokens[start].text.startswith('"'):
        message = "a device symbol is named by a string, which CUDA 5 removed"
        span = unit.source.span(tokens[start].start, tokens[end - 1].end)
        return Step(findings=(error(DEVICE_SYMBOL_BY_NAME, message, span, "pass the variable itself"),))
    if tokens[start].text == "HIP_SYMBOL":
        return Step()
    reason = "HIP names device symbols through HIP_SYMBOL"
    return Step(
        (insert(tokens[start].start, "HIP_SYMBOL(", reason), insert(tokens[end - 1].end, ")", reason))
    )


def _is_declared(unit: TranslationUnit, name: str) -> bool:
    return name in declared_identifiers(unit.tokenized) or name in names_in_headers(unit.source)


# Where CUDA's C++ interface takes a pointer to any pointer and HIP's only `void**`.
_VOID_POINTER_ARGUMENT = {"cudaHostGetDevicePointer": 0}


def _cast_pointer(_unit: TranslationUnit, call: CallSite) -> Step:
    index = _VOID_POINTER_ARGUMENT[call.name.text]
    if index >= len(call.arguments):
        return Step()
    start, end = call.arguments[index]
    tokens = call.stream.tokens
    if any(t.text == "void" for t in tokens[start:end]):
        return Step()
    reason = "HIP takes void** here"
    return Step((insert(tokens[start].start, "(void**)(", reason), insert(tokens[end - 1].end, ")", reason)))


# The driver's copies take the direction from the addresses: the index at which HIP wants hipMemcpyDefault.
_DIRECTIONLESS_COPIES = {"cuMemcpy": 3, "cuMemcpyAsync": 3}
# The index of a callback that gives the shared memory for a block size, which HIP does not take.
_SIZE_CALLBACK = {"cuOccupancyMaxPotentialBlockSize": 3, "cuOccupancyMaxPotentialBlockSizeWithFlags": 3}


def _add_direction(_unit: TranslationUnit, call: CallSite) -> Step:
    index = _DIRECTIONLESS_COPIES[call.name.text]
    if len(call.arguments) < index:
        return Step()
    at = call.stream.tokens[call.arguments[index - 1][1] - 1].end
    return Step((insert(at, ", hipMemcpyDefault", "HIP's copies name a direction"),))


def _drop_size_callback(unit: TranslationUnit, call: CallSite) -> Step:
    index = _SIZE_CALLBACK[call.name.text]
    if len(call.arguments) <= index + 1:
        return Step()
    if call.argument(unit, index) not in ("0", "NULL", "nullptr"):
        message = f"{call.name.text} gets the shared memory from a callback, which HIP does not take"
        hint = "compute the shared memory for the block sizes in question"
        return Step(findings=(error(CALLBACK_ARGUMENT, message, call.span(unit), hint),))
    start = call.stream.tokens[call.arguments[index][0]].start
    end = call.stream.tokens[call.arguments[index + 1][0]].start
    return Step((Edit(start, end, b"", "HIP has no callback here"),))


def _streaming(shim: str) -> Callable[[TranslationUnit, CallSite], Step]:
    def handle(_unit: TranslationUnit, call: CallSite) -> Step:
        edit = replace(call.name, f"porter_{shim}", "cache hints become non-temporal accesses")
        return Step((edit,), shims=frozenset((shim,)))

    return handle


_STREAMING = {
    **dict.fromkeys(("__ldcs", "__ldlu", "__ldcv", "__ldcg", "__ldca"), _streaming("load_streaming")),
    **dict.fromkeys(("__stcs", "__stcg", "__stwb", "__stwt"), _streaming("store_streaming")),
}


def _sleep(_unit: TranslationUnit, call: CallSite) -> Step:
    edit = replace(call.name, "porter_nanosleep", "s_sleep takes a constant number of cycles")
    return Step((edit,), shims=frozenset(("nanosleep",)))


def _dp4a(_unit: TranslationUnit, call: CallSite) -> Step:
    edit = replace(call.name, "porter_dp4a", "written out on bytes")
    return Step((edit,), shims=frozenset(("dp4a",)))


def _system_counter(name: str) -> Callable[[TranslationUnit, CallSite], Step]:
    shim = f"atomic_{name}_system"

    def handle(_unit: TranslationUnit, call: CallSite) -> Step:
        edit = replace(call.name, f"porter_{shim}", "a compare-and-swap of system scope")
        return Step((edit,), shims=frozenset((shim,)))

    return handle


_PER_LANE = (
    "add", "sub", "addss", "subss", "addus", "subus", "absdiffs", "absdiffu", "avgu", "haddu",
    "maxs", "maxu", "mins", "minu",
)  # fmt: skip
_COMPARISONS = ("eq", "ne", "ges", "geu", "gts", "gtu", "les", "leu", "lts", "ltu")
# The operations on halves and bytes of a word that `shims/simd_in_word.h` has.
SIMD_IN_WORD = tuple(
    f"__v{name}{lanes}"
    for name in (*_PER_LANE, *(f"{kind}{c}" for kind in ("cmp", "set") for c in _COMPARISONS))
    for lanes in (2, 4)
)


def _simd_in_word(_unit: TranslationUnit, call: CallSite) -> Step:
    edit = replace(call.name, f"porter_{call.name.text[2:]}", "written out on halves or bytes")
    return Step((edit,), shims=frozenset(("simd_in_word",)))


# Overloads of CUDA's C++ interface that have another name in HIP: the numbers of arguments, and HIP's name.
_OVERLOADS: dict[str, tuple[tuple[int, ...], str]] = {
    "cudaGraphInstantiate": ((2, 3), "hipGraphInstantiateWithFlags"),
    "cudaEventCreate": ((2,), "hipEventCreateWithFlags"),
    # CUDA 13 took the plain names for the forms with a location.
    "cudaMemPrefetchAsync": ((5,), "hipMemPrefetchAsync_v2"),
    "cuMemPrefetchAsync": ((5,), "hipMemPrefetchAsync_v2"),
    "cudaStreamGetCaptureInfo": ((5, 6), "hipStreamGetCaptureInfo_v2"),
}
# Forms of CUDA 13 with arguments that HIP has not: the count, and what to do.
_NEWER_FORMS = {
    "cudaStreamGetCaptureInfo": (7, "leave out the edge data, which HIP does not record"),
}
# Trailing arguments that have a default in CUDA and none in HIP: the whole count, and the defaults.
_DEFAULTS: dict[str, tuple[int, tuple[str, ...]]] = {
    "cudaGraphInstantiate": (3, ("0",)),
    "cudaGraphInstantiateWithFlags": (3, ("0",)),
    "cudaLaunchCooperativeKernel": (6, ("0", "0")),
    "cudaMalloc3DArray": (4, ("0",)),
    "cudaMemcpy2DArrayToArray": (9, ("hipMemcpyDeviceToDevice",)),
    "cudaMemcpyToSymbolAsync": (6, ("0", "hipMemcpyHostToDevice", "0")),
    "cudaMemcpyFromSymbolAsync": (6, ("0", "hipMemcpyDeviceToHost", "0")),
}


def choose_overloads(unit: TranslationUnit) -> Step:
    """Renames C++ overloads that HIP has under another name, and writes out defaults that HIP lacks."""
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    for call in calls(unit, frozenset({**_OVERLOADS, **_DEFAULTS})):
        findings.extend(_newer_form(unit, call))
        counts, hip = _OVERLOADS.get(call.name.text, ((), ""))
        if len(call.arguments) in counts:
            edits.append(replace(call.name, hip, f"this overload is {hip} in HIP"))
        if _has_location(unit, call):
            edits.append(replace(call.name, "hipMemPrefetchAsync_v2", "the form with a location"))
            edits.append(
                insert(call.stream.tokens[call.close].start, ", 0", "HIP has no default stream here")
            )
        total, defaults = _DEFAULTS.get(call.name.text, (0, ()))
        missing = total - len(call.arguments)
        if 0 < missing <= len(defaults):
            text = "".join(f", {value}" for value in defaults[-missing:])
            edits.append(insert(call.stream.tokens[call.close].start, text, "HIP has no default here"))
    return Step(tuple(edits), tuple(findings))


def _has_location(unit: TranslationUnit, call: CallSite) -> bool:
    """CUDA 13's `cudaMemPrefetchAsync(p, bytes, location, flags)`, by the type of the third argument."""
    if call.name.text != "cudaMemPrefetchAsync" or len(call.arguments) != 4:
        return False
    name = call.argument(unit, 2)
    tokens = unit.tokenized.code
    return any(t.text == "cudaMemLocation" and after.text == name for t, after in pairwise(tokens))


def _newer_form(unit: TranslationUnit, call: CallSite) -> Iterator[Diagnostic]:
    count, way_out = _NEWER_FORMS.get(call.name.text, (-1, ""))
    if len(call.arguments) == count:
        message = f"HIP has no form of {call.name.text} with {count} arguments"
        yield error(NEWER_FORM, message, call.span(unit), way_out)


# Functions that HIP has with other arguments than CUDA, and whose calls are rewritten.
ADAPTED_ARGUMENTS = frozenset(
    # The driver's waits have one argument fewer, which has a default in HIP.
    {
        *_OVERLOADS,
        *_DEFAULTS,
        *_DIRECTIONLESS_COPIES,
        *_SIZE_CALLBACK,
        "cuStreamWaitValue32",
        "cuStreamWaitValue64",
    }
)
