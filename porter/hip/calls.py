"""Calls whose arguments change: kernels as pointers, symbols, overloads and defaults that HIP lacks."""

from __future__ import annotations

from collections.abc import Callable

from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import matching_angle
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, error, insert, join, replace

DEVICE_SYMBOL_BY_NAME = "API004"

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
        **_STREAMING,
        "__nanosleep": _sleep,
        "__dp4a": _dp4a,
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


# Overloads of CUDA's C++ interface that have another name in HIP: the numbers of arguments, and HIP's name.
_OVERLOADS: dict[str, tuple[tuple[int, ...], str]] = {
    "cudaGraphInstantiate": ((2, 3), "hipGraphInstantiateWithFlags"),
    "cudaEventCreate": ((2,), "hipEventCreateWithFlags"),
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
    for call in calls(unit, frozenset({**_OVERLOADS, **_DEFAULTS})):
        counts, hip = _OVERLOADS.get(call.name.text, ((), ""))
        if len(call.arguments) in counts:
            edits.append(replace(call.name, hip, f"this overload is {hip} in HIP"))
        total, defaults = _DEFAULTS.get(call.name.text, (0, ()))
        missing = total - len(call.arguments)
        if 0 < missing <= len(defaults):
            text = "".join(f", {value}" for value in defaults[-missing:])
            edits.append(insert(call.stream.tokens[call.close].start, text, "HIP has no default here"))
    return Step(tuple(edits))
