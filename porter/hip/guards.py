"""Preprocessor conditions that mean "CUDA compiler" or "device code".

A comparison of `__CUDA_ARCH__` with a version is a decision: AMD's GPUs have what compute capability 7.5
added, so up to that the condition is true in device code; above it the `#else` branch is taken where there
is one, because it is the code that needs no newer NVIDIA feature. Either way a finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import streams
from porter.cuda.constants import fold, lookup_in
from porter.cuda.tokens import Directive, Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, replace, warning

ARCHITECTURE_TEST = "API030"
VERSION_TEST = "API031"

_DEVICE = "__HIP_DEVICE_COMPILE__"
_RENAMED = {
    "__CUDACC__": "__HIPCC__",
    "__NVCC__": "__HIPCC__",
    "__CUDACC_RTC__": "__HIPCC_RTC__",
    "CUDART_CB": "",
    "CUDAAPI": "",
    # A parameter that the kernel only reads; HIP has no such promise to make.
    "__grid_constant__": "",
    # Include guards of CUDA's headers, which programs test to see what was included.
    "__DRIVER_TYPES_H__": "__HIP_PLATFORM_AMD__",
    "__CUDA_RUNTIME_H__": "__HIP_PLATFORM_AMD__",
    "__CUDA_RUNTIME_API_H__": "__HIP_PLATFORM_AMD__",
    "__VECTOR_TYPES_H__": "__HIP_PLATFORM_AMD__",
    "__cuda_cuda_h__": "__HIP_PLATFORM_AMD__",
    "CURAND_H_": "HIPRAND_H_",
    "_CUFFT_H_": "HIPFFT_H_",
    "CUBLAS_API_H_": "HIPBLAS_H",
    "CUBLAS_V2_H_": "HIPBLAS_H",
    "CUSPARSEAPI": "HIPSPARSE_H",
    "CUSPARSE_H_": "HIPSPARSE_H",
    "CUSOLVER_COMMON_H_": "HIPSOLVER_H",
    "CUSOLVERDN_H_": "HIPSOLVER_H",
}
# The version of CUDA whose interface HIP has, as these macros write it.
_VERSIONS = {
    "CUDART_VERSION": "12000",
    "CUDA_VERSION": "12000",
    "__CUDACC_VER_MAJOR__": "12",
    "__CUDACC_VER_MINOR__": "0",
}
_VALUES = frozenset((*_VERSIONS, "__CUDA_ARCH__"))
_REWRITTEN = _VALUES | _RENAMED.keys()
_HAS_FEATURES_UP_TO = 750


def rewrite_guards(unit: TranslationUnit) -> Step:
    """Edits in conditions and macro bodies, and a finding for each test of a version."""
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    for index, directive in enumerate(unit.tokenized.directives):
        if directive.name in ("if", "elif"):
            _condition(unit, index, directive, edits, findings)
        elif directive.name in ("ifdef", "ifndef"):
            edits.extend(_names(directive.tokens[2:3]))
            edits.extend(_version(t, in_defined=True) for t in directive.tokens[2:3] if t.text in _VERSIONS)
    for stream in streams(unit) if not unit.words.isdisjoint(_REWRITTEN) else ():
        edits.extend(_names(stream.tokens))
        if not unit.words.isdisjoint(_VALUES):
            edits.extend(_version(t, in_defined=False) for t in stream.tokens if t.text in _VERSIONS)
            findings.extend(_used_as_value(unit, stream.tokens))
    return Step(tuple(edits), tuple(findings))


def _names(tokens: tuple[Token, ...]) -> Iterator[Edit]:
    for token in tokens:
        if token.kind is not Kind.IDENTIFIER:
            continue
        if token.text in _RENAMED:
            yield replace(token, _RENAMED[token.text], "HIP's compiler says so")
        elif token.text == "__CUDA_ARCH__":
            yield replace(token, _DEVICE, "means device code")


def _condition(
    unit: TranslationUnit, index: int, directive: Directive, edits: list[Edit], findings: list[Diagnostic]
) -> None:
    tokens = directive.tokens[2:]
    at = 0
    while at < len(tokens):
        comparison = _comparison(tokens, at)
        if comparison is not None:
            start, end = tokens[at].start, tokens[at + 2].end
            text = _decision(unit, index, *comparison)
            edits.append(Edit(start, end, text.encode(), "AMD has no compute capability"))
            findings.append(_architecture_finding(unit, start, end, text))
            at += 3
            continue
        if tokens[at].text in _VERSIONS:
            defined = tokens[at - 1].text == "defined" or tokens[max(at - 2, 0)].text == "defined"
            edits.append(_version(tokens[at], in_defined=defined))
            findings.append(_version_finding(unit, tokens[at]))
        edits.extend(_names(tokens[at : at + 1]))
        at += 1


def _comparison(tokens: tuple[Token, ...], at: int) -> tuple[str, int] | None:
    """`__CUDA_ARCH__ >= 700` at `at`, as its operator and version."""
    if at + 2 >= len(tokens) or tokens[at].text != "__CUDA_ARCH__":
        return None
    operator, version = tokens[at + 1].text, fold(tokens[at + 2].text, lookup_in())
    return (operator, version) if version is not None and operator in _OPERATORS else None


_OPERATORS = (">=", ">", "<", "<=", "==", "!=")


def _decision(unit: TranslationUnit, index: int, operator: str, version: int) -> str:
    if operator in (">=", ">"):
        has_feature = version <= _HAS_FEATURES_UP_TO or not _has_else(unit, index)
        return f"defined({_DEVICE})" if has_feature else "0"
    if operator in ("<", "<="):
        return f"!defined({_DEVICE})"
    return "0" if operator == "==" else "1"


def _has_else(unit: TranslationUnit, index: int) -> bool:
    depth = 0
    for directive in unit.tokenized.directives[index + 1 :]:
        if directive.name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif directive.name == "endif":
            if depth == 0:
                return False
            depth -= 1
        elif directive.name in ("else", "elif") and depth == 0:
            return True
    return False


def _architecture_finding(unit: TranslationUnit, start: int, end: int, text: str) -> Diagnostic:
    shown = unit.source.text[start:end]
    return warning(
        ARCHITECTURE_TEST,
        f"'{shown}' tests a compute capability, which AMD does not have; ported as '{text}'",
        unit.source.span(start, end),
        "check that this branch is the one you want on AMD",
    )


def _version(token: Token, *, in_defined: bool) -> Edit:
    text = "__HIP_PLATFORM_AMD__" if in_defined else _VERSIONS[token.text]
    return replace(token, text, "HIP has the interface of CUDA 12")


def _version_finding(unit: TranslationUnit, token: Token) -> Diagnostic:
    return warning(
        VERSION_TEST,
        f"HIP does not define {token.text}; ported as CUDA 12, whose interface HIP has",
        unit.span_of(token),
        "check that this is what you want on AMD, or test HIP_VERSION",
    )


def _used_as_value(unit: TranslationUnit, tokens: tuple[Token, ...]) -> Iterator[Diagnostic]:
    """Versions in the code itself: HIP's counterpart of `__CUDA_ARCH__` is 1, of the others nothing."""
    for i, token in enumerate(tokens):
        if token.text == "__CUDA_ARCH__" and any(
            re.search(r"[<>=/*+-]", t.text) for t in tokens[i + 1 : i + 3]
        ):
            message = "__CUDA_ARCH__ is used as a number; HIP's counterpart is only 1 in device code"
            yield warning(ARCHITECTURE_TEST, message, unit.span_of(token), "replace the number")
        elif token.text in _VERSIONS:
            yield _version_finding(unit, token)
