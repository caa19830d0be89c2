"""Pointers of a launch that may lead to one buffer: what a kernel's text takes for two may then be one.

Two pointers are two buffers where both parameters are `__restrict__`, or where both arguments are variables
that only `cudaMalloc` ever gives a value. Everything else may be one.
"""

from __future__ import annotations

import re
from itertools import combinations

from porter.cuda.launch import LaunchSite
from porter.cuda.structure import Function, FunctionKind, Parameter
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.records import Kept

_NO_BUFFER = frozenset(("nullptr", "NULL", "0"))
_CAST = re.compile(r"\([\w:\s]*\*+\s*\)|\b\w+_cast\s*<[^>]*>")


def shared_buffers(unit: TranslationUnit, function: Function) -> Kept | None:
    """A launch whose pointers, one of which the kernel may store through, are not proved two buffers."""
    pointers = [(i, p) for i, p in enumerate(function.parameters) if _may_be_pointer(p)]
    for launch in (x for x in unit.launches if x.kernel == function.name):
        given = [(p, launch.arguments[i].strip()) for i, p in pointers if i < len(launch.arguments)]
        for (one, a), (other, b) in combinations(given, 2):
            if a in _NO_BUFFER or b in _NO_BUFFER or (_only_loaded(one) and _only_loaded(other)):
                continue
            reason = _one_buffer(unit, launch, one, a, other, b)
            if reason is not None:
                return Kept(function.name, reason, launch.span)
    return None


def _one_buffer(
    unit: TranslationUnit, launch: LaunchSite, one: Parameter, a: str, other: Parameter, b: str
) -> str | None:
    bases = _base(a), _base(b)
    if bases[0] and bases[0] == bases[1]:
        return f"`{bases[0]}` is given for two of its buffers, so that a store to one may change the other"
    if _is_restrict(one) and _is_restrict(other):
        return None
    if all(base and _is_own_allocation(unit, launch, base) for base in bases):
        return None
    return f"`{a}` and `{b}` may be one buffer, so that a store to one may change the other"


def _may_be_pointer(parameter: Parameter) -> bool:
    """A type of another name may hold pointers."""
    words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\bu?int\d*_t\b", "int", parameter.type_text)))
    return "*" in parameter.type_text or "[" in parameter.text or not words <= _NUMBERS


_NUMBERS = frozenset(
    (
        "const",
        "int",
        "unsigned",
        "signed",
        "long",
        "short",
        "char",
        "bool",
        "float",
        "double",
        "std",
        "size_t",
    )
)


def _only_loaded(parameter: Parameter) -> bool:
    return parameter.type_text.count("*") == 1 and "const" in parameter.type_text.partition("*")[0].split()


def _is_restrict(parameter: Parameter) -> bool:
    return bool(re.search(r"\*\s*(?:const\s+)?__restrict(?:__)?\b", parameter.text))


def _base(argument: str) -> str:
    """The variable that an argument starts from, casts apart; empty for any other form."""
    plain = _CAST.sub("", argument).strip()
    found = re.fullmatch(r"[(\s&]*([A-Za-z_]\w*)[)\s]*(?:[+\-\[].*)?", plain, re.DOTALL)
    return "" if found is None or "?" in plain else found[1]


def _is_own_allocation(unit: TranslationUnit, launch: LaunchSite, name: str) -> bool:
    """Whether `cudaMalloc` alone gives the variable a value, as far as the text of the whole file shows."""
    enclosing = unit.function_at(launch.span.start)
    text = _host_text(unit)
    if enclosing is None or any(p.name == name for p in enclosing.parameters):
        return False
    own = rf"\b{name}\b"
    allocated = re.findall(rf"\bcudaMalloc(?:Managed)?\s*\(\s*(?:\([\w\s]*\*+\s*\)\s*)?&\s*{name}\s*,", text)
    if not allocated or len(re.findall(rf"&\s*{own}", text)) != len(allocated):
        return False
    forms = (
        rf"{own}\s*=(?!=|\s*(?:nullptr|NULL|0)\s*[;,])",  # assigned
        rf"{own}\s*[{{:]",  # initialised, or one of a range
        rf"\*\s*{own}\s*\(",
        rf"&\s*\w+\s*[=({{]\s*\(*{own}",  # a reference to it
        rf"\]\s*\([^)]*\*[^)]*{own}",  # a parameter of a lambda
        r"\bauto\s*&*\s*\[",
        r"\bswap\b|\bexchange\b",
    )
    if any(re.search(form, text) for form in forms):
        return False
    by_reference = {f.name for f in unit.functions if any("&" in p.text for p in f.parameters)}
    return not any(re.search(rf"\b{f}\s*(?:<[^;]*>)?\s*\([^;]*{own}", text) for f in by_reference)


def _host_text(unit: TranslationUnit) -> str:
    """The file without comments and what runs on the device, whose variables are others."""
    text = unit.source.text
    for function in unit.functions:
        if function.kind in (FunctionKind.KERNEL, FunctionKind.DEVICE):
            start, end = function.span.start, function.span.end
            text = text[:start] + " " * (end - start) + text[end:]
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
