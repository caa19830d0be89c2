"""NVRTC's options in hiprtc's spelling, where a literal certainly is one.

The licence: the literal stands in the initialiser of the list that a call of `nvrtcCompileProgram` names, or
is appended to it. A literal that is only a part of an option, as `"--gpu-architecture=sm_"` is, stays an
error of the rule about NVIDIA's architectures. hiprtc is clang: its options are clang's, and the GPU is named
by `--offload-arch` (HIP documentation, "HIP RTC"). The source text that is compiled then is not ported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.tokens import Kind, Token, matching
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.options import HipOptions
from porter.hip.step import Step, error, replace, warning

RUNTIME_OPTION = "LIB013"
RUNTIME_SOURCE = "LIB014"

_COMPILE = frozenset(("nvrtcCompileProgram",))
_CREATE = frozenset(("nvrtcCreateProgram",))
_ARCHITECTURE = re.compile(r'"(?:--gpu-architecture|-arch|--gpu-arch)=(?:compute|sm|lto)_\d+[af]?"')
_SAME_MEANING = (
    (re.compile(r"--?use_fast_math"), "-ffast-math"),
    (re.compile(r"--?std=(c\+\+\d\w)"), r"-std=\1"),
    (re.compile(r"(?:--define-macro=|-D ?)(\w.*)"), r"-D\1"),
    (re.compile(r"(?:--include-path=|-I ?)(.+)"), r"-I\1"),
    (re.compile(r"--?fmad=false"), "-ffp-contract=off"),
    (re.compile(r"--?fmad=true"), "-ffp-contract=fast"),
    (re.compile(r"--?ftz=true"), "-fgpu-flush-denormals-to-zero"),
    (re.compile(r"--?ftz=false"), "-fno-gpu-flush-denormals-to-zero"),
    (re.compile(r"(?:--relocatable-device-code|-rdc)=true|-dc|--device-c"), "-fgpu-rdc"),
    (re.compile(r"(?:--relocatable-device-code|-rdc)=false|-dw|--device-w"), "-fno-gpu-rdc"),
    (re.compile(r"--device-debug|-G"), "-g"),
    (re.compile(r"--generate-line-info|-lineinfo"), "-gline-tables-only"),
    (re.compile(r"--disable-warnings|-w"), "-w"),
)
_ABSENT = re.compile(
    r"--?(?:maxrregcount|prec-div|prec-sqrt|extra-device-vectorization|builtin-\w+|device-as-default-execution-space"
    r"|default-device|dlto|dlink-time-opt|gen-opt-lto|jump-table-density|ptxas-options|Xptxas|restrict|time|minimal"
    r"|split-compile|device-int128|dopt|Ofast-compile|no-cache|pch|create-pch|use-pch|unicode)\b.*"
)


def port_runtime_compilation(unit: TranslationUnit, options: HipOptions) -> Step:
    """Edits of options, an error at those that hiprtc does not have, a warning at each source."""
    if unit.words.isdisjoint(_COMPILE | _CREATE):
        return Step()
    edits: list[Edit] = []
    findings: list[Diagnostic] = list(_sources(unit))
    for token in option_literals(unit):
        if _ARCHITECTURE.fullmatch(token.text):
            edits.append(replace(token, f'"--offload-arch={options.arch}"', "hiprtc's name of the GPU"))
            message = f"the options name {options.arch} now"
            hint = "leave the option out where an AMD GPU is at hand: hiprtc then compiles for it"
            findings.append(warning(RUNTIME_OPTION, message, unit.span_of(token), hint))
        elif (spelled := _in_clang(token.text[1:-1])) is None:
            message = f"hiprtc has no option {token.text[1:-1]}"
            findings.append(error(RUNTIME_OPTION, message, unit.span_of(token), "leave it out"))
        elif spelled != token.text[1:-1]:
            edits.append(replace(token, f'"{spelled}"', "hiprtc's options are clang's"))
    return Step(tuple(edits), tuple(findings))


def is_ported_option(unit: TranslationUnit, finding: Diagnostic) -> bool:
    """Whether the rule's finding is about an architecture that is ported all the same."""
    if finding.code != "LIB004":
        return False
    return any(
        token.start == finding.span.start and _ARCHITECTURE.fullmatch(token.text)
        for token in option_literals(unit)
    )


def option_literals(unit: TranslationUnit) -> Iterator[Token]:
    """The string literals that are options of a run-time compilation, each once."""
    seen: set[int] = set()
    for call in calls(unit, _COMPILE):
        for token in _literals_of(unit.tokenized.code, _list_named(call)):
            if token.start not in seen:
                seen.add(token.start)
                yield token


def _list_named(call: CallSite) -> str:
    """The first name of the third argument: `opts`, `opts.data()`, `&opts[0]`."""
    if len(call.arguments) != 3:
        return ""
    names = (t.text for t in call.stream.tokens[slice(*call.arguments[2])] if t.kind is Kind.IDENTIFIER)
    return next(names, "")


def _literals_of(tokens: tuple[Token, ...], name: str) -> Iterator[Token]:
    for i, token in enumerate(tokens[:-2]):
        if token.text != name or not name:
            continue
        appended = [t.text for t in tokens[i + 1 : i + 4]]
        if appended[0] == "." and appended[1] in ("push_back", "emplace_back") and appended[2] == "(":
            yield from _whole(tokens, i + 4, matching(tokens, i + 3))
            continue
        at = i + 1
        if tokens[at].text == "[":
            closed = matching(tokens, at)
            at = closed + 1 if closed is not None else at
        at += at < len(tokens) and tokens[at].text == "="
        if at < len(tokens) and tokens[at].text == "{":
            yield from _whole(tokens, at + 1, matching(tokens, at))


def _whole(tokens: tuple[Token, ...], start: int, end: int | None) -> Iterator[Token]:
    """Literals between commas: those that are joined with something are no whole options."""
    for at in range(start, end or start):
        alone = tokens[at - 1].text in ("{", ",", "(") and tokens[at + 1].text in ("}", ",", ")")
        if tokens[at].kind is Kind.STRING and tokens[at].text.startswith('"') and alone:
            yield tokens[at]


def _in_clang(option: str) -> str | None:
    """The option for clang, None where it has none; what is not known stays."""
    if _ABSENT.fullmatch(option):
        return None
    for pattern, text in _SAME_MEANING:
        if pattern.fullmatch(option):
            return pattern.sub(text, option)
    return option


def _sources(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, _CREATE):
        message = "the text that is compiled at run time is not ported"
        hint = "port it as a file of its own, and compile that"
        yield warning(RUNTIME_SOURCE, message, call.span(unit), hint)
