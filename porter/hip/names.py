"""Renames API functions, types, enumerators and macros; reports the names HIP does not have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import is_free_name
from porter.cuda.headers import declared_identifiers, names_in_headers
from porter.cuda.tokens import Kind, Token, TokenizedSource, matching
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.annotations import annotation_names
from porter.hip.dropped_cases import absent_cases
from porter.hip.name_table import NameTable, load_tables
from porter.hip.rearranged_calls import rearranged_names
from porter.hip.step import Step, error, replace, warning

NO_HIP_EQUIVALENT = "API001"
UNKNOWN_CUDA_NAME = "API002"

_LOOKS_LIKE_API = re.compile(
    r"^((cuda|cudnn|cublas|cufft|curand|cusparse|cusolver|nvrtc|nvtx)[A-Z]\w*"
    r"|CU(DA|DNN|BLAS|BLASLT|FFT|RAND|SPARSE|SOLVER)?_(?!ARCH)[A-Z_0-9]+)$"
)
_KEYWORDS = frozenset(("return", "else", "case", "throw", "new", "delete", "do", "goto", "sizeof", "const"))


def rename_api(unit: TranslationUnit) -> Step:
    """Edits for every mapped name; findings for API names without a counterpart."""
    table = load_tables()
    own = declared_names(unit)
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    unknown: set[str] = set()
    settled = (
        {name.start for _, name, _ in absent_cases(unit)} | annotation_names(unit) | rearranged_names(unit)
    )
    names = frozenset(w for w in unit.words - own if _is_api(table, w))
    for token in (t for t in _candidates(unit, names) if t.start not in settled):
        hip = table.hip_name(token.text)
        if hip is not None:
            if hip != token.text:
                edits.append(replace(token, hip, f"{token.text} is {hip} in HIP"))
        elif token.text in table.unsupported:
            way_out = table.unsupported[token.text].way_out
            message = f"{token.text} has no equivalent in HIP"
            findings.append(error(NO_HIP_EQUIVALENT, message, unit.span_of(token), way_out))
        elif token.text not in unknown and _LOOKS_LIKE_API.match(token.text):
            unknown.add(token.text)
            findings.extend(_unknown(unit, table, token))
    return Step(tuple(edits), tuple(findings))


@lru_cache(maxsize=8)
def declared_names(unit: TranslationUnit) -> frozenset[str]:
    """Names that this file gives a meaning of its own, so that they are no API names."""
    names = {f.name for f in unit.functions if not f.scope}
    names.update(m.name for m in unit.macros)
    for function in unit.functions:
        names.update(p.name for p in function.parameters)
    methods = {f.name_span.start for f in unit.functions if f.scope}
    tokens = unit.tokenized.code
    excluded = methods | _nested_functions(unit.tokenized)
    identifier = Kind.IDENTIFIER
    for i, (token, after) in enumerate(pairwise(tokens)):
        can_declare = token.kind is identifier and after.text in _BEHIND_A_DECLARED_NAME
        if can_declare and i > 0 and token.start not in excluded and _declares(tokens, i):
            names.add(token.text)
    return frozenset(names)


_SCOPES = ("namespace", "struct", "class")


@lru_cache(maxsize=8)
def _nested_functions(tokenized: TokenizedSource) -> frozenset[int]:
    """Where functions are declared in a named namespace or a class: uses name that in front."""
    tokens = tokenized.code
    found: set[int] = set()
    for i in range(len(tokens) - 2):
        if tokens[i].text not in _SCOPES or tokens[i + 1].kind is not Kind.IDENTIFIER:
            continue
        close = matching(tokens, i + 2) if tokens[i + 2].text == "{" else None
        depth = 0
        for at in range(i + 3, close or 0):
            depth += (tokens[at].text == "{") - (tokens[at].text == "}")
            is_function = tokens[at].kind is Kind.IDENTIFIER and tokens[at + 1].text == "("
            if is_function and depth == 0 and _declares(tokens, at):
                found.add(tokens[at].start)
    return frozenset(found)


_BEHIND_A_DECLARED_NAME = frozenset(("=", ";", "[", ",", ")", "{", "(", ":"))


def _declares(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the identifier at `at` is declared there: `struct name`, `type name =`, `type name;` …"""
    before, after = tokens[at - 1], tokens[at + 1].text
    if before.text in ("struct", "class", "enum", "union", "namespace", "using", "typename"):
        return before.text != "typename" and after in ("{", ":", "=", ";")
    if after not in ("=", ";", "[", ",", ")", "{", "("):
        return False
    if after == "(":
        # `type name(…)` declares; `MACRO name(…)` does not, and `else name(…)` calls
        return before.kind is Kind.IDENTIFIER and before.text not in _KEYWORDS and not before.text.isupper()
    if before.text in ("*", "&"):
        type_token = tokens[at - 2] if at >= 2 else before
        return type_token.text in _TYPES and after in ("=", ";", "[", ",", ")")
    return before.kind is Kind.IDENTIFIER and before.text not in _KEYWORDS and after != ","


_TYPES = frozenset(("int", "float", "double", "char", "void", "unsigned", "long", "size_t", "bool", "auto"))


def _is_api(table: NameTable, word: str) -> bool:
    return word in table.mapped or word in table.unsupported or _LOOKS_LIKE_API.match(word) is not None


def _candidates(unit: TranslationUnit, names: frozenset[str]) -> Iterator[Token]:
    """Where one of `names` can be an API name: no member, not qualified, not pasted, not defined there."""
    if not names:
        return
    definitions = {f.name_span.start for f in unit.functions} | _nested_functions(unit.tokenized)
    tokens = tuple(t for t in unit.tokenized.tokens if t.kind is not Kind.COMMENT)
    for i, token in enumerate(tokens):
        if token.text not in names or token.kind is not Kind.IDENTIFIER or token.start in definitions:
            continue
        if token.directive >= 0 and _is_skipped_directive(unit, token):
            continue
        pasted = "##" in (_text(tokens, i - 1), _text(tokens, i + 1))
        if not pasted and is_free_name(tokens, i):
            yield token


def _text(tokens: tuple[Token, ...], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _is_skipped_directive(unit: TranslationUnit, token: Token) -> bool:
    return unit.tokenized.directives[token.directive].name in ("include", "error", "warning", "pragma", "")


def _unknown(unit: TranslationUnit, table: NameTable, token: Token) -> Iterator[Diagnostic]:
    """A name of CUDA's shape that no table has: perhaps the user's own, from a header porter did not read."""
    if token.text.startswith(_LEFT_TO_OTHERS) or token.text in declared_identifiers(unit.tokenized):
        return
    if token.text in names_in_headers(unit.source):
        return
    near = nearest_names(table, token.text)
    hint = f"similar names that HIP has: {', '.join(near)}" if near else ""
    message = f"{token.text} looks like a CUDA name, but is in no table and not declared in this file"
    yield warning(UNKNOWN_CUDA_NAME, message, unit.span_of(token), hint)


# Names that another pass or rule decides about.
_LEFT_TO_OTHERS = ("nvml", "CUDART_VERSION", "CUDA_VERSION")


def nearest_names(table: NameTable, name: str) -> tuple[str, ...]:
    """Up to three CUDA names of the tables that are close to `name`, as what they become in HIP."""
    near = difflib.get_close_matches(name, _names_with_prefix(table, name[:6]), n=3, cutoff=0.75)
    return tuple(f"{table.mapped[n].hip} (for {n})" for n in near)


def _names_with_prefix(table: NameTable, prefix: str) -> list[str]:
    return [n for n in table.mapped if n.startswith(prefix)]
